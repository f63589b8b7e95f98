# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real registry on the loopback network: Debian's docker-registry with TLS of a CA of its own, and one account.

    with lab_registry(folder) as registry: registry.push("kolla/cron:2026.1")     # in a test
    python -m tests.lab.registry DIR                                              # by hand; ends with Ctrl-C

The package is unpacked, not installed: installed, its unit would listen on every address without a password.
"""

from __future__ import annotations

from .server import LabRegistry, lab_registry, missing_program

__all__ = ["LabRegistry", "lab_registry", "missing_program"]
