# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong with a BMC: one class per cause, each with the code that docs/messages.md explains."""

from __future__ import annotations

from ..errors import VitroError, counted, numbered


class BmcError(VitroError):
    code = "bmc"


class Unexpected(BmcError):
    """A BMC sent something that nobody thought of."""

    code = "unexpected"
    cure = "Report it with the BMC's model and firmware version; the other BMCs are read all the same"


class OptionsRefused(BmcError):
    """Every mistake in the options, at once."""

    code = "options"

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__(f"Cannot use the BMC options, {counted(len(mistakes), 'mistake')}: {numbered(mistakes)}")
        self.mistakes = mistakes


class Unreachable(BmcError):
    code = "unreachable"
    cure = "Check the address, the cabling of the management network and any firewall between here and the BMC"


class Busy(BmcError):
    code = "busy"
    cure = "It is starting or overloaded: read it again in a few minutes, and reset the BMC if it stays so"


class TimedOut(BmcError):
    code = "timeout"
    cure = "Raise `timeout`, or reset the BMC if it stays slow"


class TlsRefused(BmcError):
    code = "tls"
    cure = "Give the CA that signed it in `ca_path`, pin it with `fingerprint`, or replace the BMC's certificate"


class CredentialsMissing(BmcError):
    code = "credentials_missing"
    cure = "Set `username` and `password`, name a set of `credentials` in the target, or export VITRO_BMC_USERNAME and VITRO_BMC_PASSWORD"


class CredentialsRefused(BmcError):
    code = "credentials_refused"
    cure = "Correct the user name or password; it was tried once and not again, so that the account is not locked"


class SessionLost(BmcError):
    code = "session_lost"
    cure = "Read this BMC again; if it recurs, look in its log for who ends sessions, and raise its session timeout"


class NotRedfish(BmcError):
    code = "not_redfish"
    cure = "Check that the address is a BMC's and that Redfish is enabled there"


class RedirectRefused(BmcError):
    code = "redirect"
    cure = "Give the address the BMC redirects to as the target, if it is yours"


class RequestFailed(BmcError):
    """One resource could not be read; the walk goes on without it, unless it is where the servers are listed."""

    code = "request"
    cure = "Check that the account may read Systems; else reset the BMC or update its firmware"

    def __init__(self, text: str, *, status: int | None = None, again_after: float | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.again_after = again_after


class NoServer(BmcError):
    code = "no_server"
    cure = "Leave this address out: a chassis manager, DPU or switch has no servers to plan with"


class IpmiFailed(BmcError):
    code = "ipmi"
    cure = "Check that IPMI over LAN is enabled and that the account may use it"


class NamesClash(BmcError):
    code = "names_clash"
    cure = "Use something in `hostname` that differs between them, such as `id` or `bmc.address`"
