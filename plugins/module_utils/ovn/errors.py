# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong with OVN."""

from __future__ import annotations

from ..errors import VitroError


class OvnSilent(VitroError):
    code = "ovn_silent"
    cure = (
        "See that the daemon runs (systemctl list-units 'ovn*' 'openvswitch*', or the containers of Kolla), "
        "and what its log in /var/log/ovn says"
    )


class OvnRefused(VitroError):
    code = "ovn_refused"


class ClusterRefused(VitroError):
    code = "ovn_cluster"


class BackupRefused(VitroError):
    code = "ovn_backup"
    cure = "Take another backup; nothing was changed"


class CertificateRefused(VitroError):
    code = "ovn_certificate"


class ChassisRefused(VitroError):
    code = "ovn_chassis"
