# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of everything that asks an OpenStack cloud."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  cloud:
    description: Which cloud in it, with an account that has the role C(admin).
    type: str
    default: kolla-admin
  ca:
    description: A file with the CAs to trust, in place of C(cacert) in O(clouds). Certificates are always verified.
    type: path
  request_timeout:
    description: How many seconds one answer may take.
    type: int
    default: 60
"""
