# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Releases of a stand-in for RKE2, with the file names of a real release. README.md says what it is, and what it is not."""
