# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options and attributes that everything talking to OVN's daemons shares."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  timeout:
    description: How many seconds a daemon may take for one answer.
    type: int
    default: 30
requirements:
  - The daemons' sockets in C(/run/ovn) and C(/run/openvswitch) of the host, where packages and Kolla both have them, and the right to
    use them
"""
