# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options and requirements of what asks a cluster of RKE2 on one of its servers."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  data_dir:
    description: Where RKE2 keeps its data.
    type: path
    default: /var/lib/rancher/rke2
  timeout:
    description: How many seconds one answer may take.
    type: int
    default: 10
requirements:
  - To be run on a server of the cluster, as root
"""
