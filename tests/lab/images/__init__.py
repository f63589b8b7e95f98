# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Container images that the real kolla-ansible can deploy, made of Kolla's own scripts and Debian's packages.

README.md says what they are not.
"""
