# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs inside Ceph's own image, where its libraries are: each file is sent whole, reads JSON, and writes JSON to a file.

What a container prints may be in the journal of the host for ever, and among the answers are keys.
"""
