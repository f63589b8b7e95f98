# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts to try roles on: Debian with systemd and ssh, in podman, with as many NICs as wanted."""
