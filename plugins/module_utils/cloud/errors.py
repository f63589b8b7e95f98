# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong with a cloud. docs/messages.md explains each code."""

from __future__ import annotations

from ..errors import VitroError


class CloudLogin(VitroError):
    code = "cloud_login"
    cure = "Write clouds.yaml anew: frontier.vitro.openstack --tags kolla_deploy_post -e kolla_deploy_again=true"


class CloudUnreachable(VitroError):
    code = "cloud_unreachable"
    cure = "Check the way from the controller to the VIP, the CA in `cacert`, and that HAProxy and Keystone run"


class CloudRequest(VitroError):
    code = "cloud_request"
    cure = "The log of that service says more; mostly the account lacks a role, or something changed meanwhile: run it again"

    def __init__(self, text: str, *, status: int = 0) -> None:
        super().__init__(text)
        self.status = status


class ComputeRefused(VitroError):
    code = "cloud_compute_refused"
    cure = "Nothing was changed"


class ComputeNotEmpty(VitroError):
    code = "cloud_compute_left"
    cure = "The host takes no new guests, and nothing was deleted. Cure what is named and run it again: it goes on with the rest"


class ComputeRuns(VitroError):
    code = "cloud_compute_runs"
    cure = "A service that runs registers itself anew. Stop it on the host (kolla-ansible stop), then run it again"


class CertificatesRefused(VitroError):
    code = "cloud_certificates"
    cure = "Nothing was changed. Lay the right files into kolla/certificates of the site's folder"
