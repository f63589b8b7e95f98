# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options and attributes that everything talking to a Ceph cluster shares."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  fsid:
    description: The id of the cluster.
    type: str
    required: true
  cephadm:
    description: The program cephadm on the host.
    type: str
    default: cephadm
  timeout:
    description: How many seconds the cluster may take for one answer.
    type: int
    default: 60
requirements:
  - cephadm on the host, the cluster's C(/etc/ceph/ceph.conf) and the key of C(client.admin), as monitors have them
"""
