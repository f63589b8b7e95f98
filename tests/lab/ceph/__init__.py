# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Ceph for lab hosts: its image in a registry with TLS, and cephadm of the same release."""
