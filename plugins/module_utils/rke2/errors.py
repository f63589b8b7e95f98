# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong with RKE2."""

from __future__ import annotations

from ..errors import VitroError


class Rke2Silent(VitroError):
    code = "rke2_silent"
    cure = "See that rke2-server runs there (systemctl status rke2-server), and what its journal says"


class Rke2Refused(VitroError):
    code = "rke2_refused"


class Rke2Unstarted(VitroError):
    code = "rke2_unstarted"


class ReleaseRefused(VitroError):
    code = "rke2_release"
    cure = "Bring the files of the release again; nothing was changed"


class PreflightRefused(VitroError):
    code = "rke2_preflight"


class SnapshotRefused(VitroError):
    code = "rke2_snapshot"
    cure = "Take another one; this one cannot be trusted"


class NodeRefused(VitroError):
    code = "rke2_node"


class RotationRefused(VitroError):
    code = "rke2_rotation"


class RestoreFailed(VitroError):
    code = "rke2_restore"
