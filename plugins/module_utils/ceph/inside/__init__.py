# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs inside Ceph's own image, where its libraries are: each file is sent whole, reads JSON and prints one line of JSON."""
