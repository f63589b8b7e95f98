# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import importlib.util
import sys

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc import ipmi_session
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.errors import CredentialsRefused, IpmiFailed, TimedOut
from pyghmi.ipmi.private import session

LOGIN = ipmi_session.Login(address="192.0.2.1", port=623, username="admin", password="secret-1")


def test_pyghmi_still_has_what_is_replaced():
    for name in ("_io_wait", "_io_graball", "iothread", "iothreadready", "iosockets"):
        assert hasattr(session, name), f"pyghmi changed: {name} is gone, see ipmi_session.py"
    assert session.Session.bmc_handlers == {}


def test_copies_share_nothing():
    limit = ipmi_session._Limit(1)
    with ipmi_session._private_pyghmi(limit) as first, ipmi_session._private_pyghmi(limit) as second:
        assert first.Session is not second.Session
        assert first.iosockets is not second.iosockets
        assert sys.modules.get("pyghmi.ipmi.private.session") not in (first, second)


def test_sockets_are_closed():
    with ipmi_session._private_pyghmi(ipmi_session._Limit(1)) as pyghmi:
        socket = pyghmi.Session._assignsocket()
    assert socket.fileno() == -1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Incorrect password provided", CredentialsRefused),
        ("Unauthorized name in RAKP2", CredentialsRefused),
        ("Unauthorized role or privilege level requested in RAKP2", CredentialsRefused),
        ("Invalid role in RAKP2", CredentialsRefused),
        ("Invalid integrity check value reported in RAKP4", CredentialsRefused),
        ("Insufficient resources to create new session (wait for existing sessions to timeout)", IpmiFailed),
        ("No Cipher suite match with proposed security algorithms", IpmiFailed),
        ("timeout", TimedOut),
        ("None", TimedOut),
    ],
)
def test_login_errors(text, expected):
    error = ipmi_session._login_error(LOGIN, text)
    assert type(error) is expected
    assert "192.0.2.1:623" in error.text


def test_full_bmc_is_told_from_a_forbidding_one():
    assert "Close sessions" in ipmi_session._login_error(LOGIN, "Insufficient resources to create new session").cure


class FakeSession:
    """Answers each command as told: by a dictionary, or by an exception."""

    def __init__(self, answer: object, *, logged: bool = True) -> None:
        self.answer, self.logged, self.incommand, self.lastpayload = answer, logged, 1e9, b"unanswered"

    def raw_command(self, **_: object) -> object:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("session", "expected", "text"),
    [
        pytest.param(FakeSession(ConnectionError()), TimedOut, "stopped answering", id="session lost"),
        pytest.param(FakeSession(KeyError("command"), logged=False), TimedOut, "stopped answering", id="session given up"),
        pytest.param(FakeSession(IndexError()), IpmiFailed, "06h 01h is garbled", id="garbled"),
        pytest.param(FakeSession({"code": 0, "data": b"ab"}), IpmiFailed, "06h 01h is too short", id="too short"),
        pytest.param(FakeSession({"code": 0xC1, "error": "Invalid"}), ipmi_session.Refused, "06h 01h was refused: Invalid", id="refused"),
        pytest.param(FakeSession({"code": 0x80}), ipmi_session.Refused, "refused: completion code 80h", id="refused without a text"),
    ],
)
def test_commands_that_fail(session, expected, text):
    with pytest.raises(expected, match=text) as caught:
        ipmi_session.Connection(session, LOGIN, ConnectionError).call(6, 1, least=3)
    assert type(caught.value) is expected


def test_the_next_command_does_not_wait_for_a_garbled_one():
    session = FakeSession(IndexError())
    with pytest.raises(IpmiFailed):
        ipmi_session.Connection(session, LOGIN, ConnectionError).call(6, 1)
    assert not session.incommand
    assert session.lastpayload is None


def test_login_hides_the_password():
    assert "secret-1" not in repr(LOGIN) + str(LOGIN)


@pytest.mark.parametrize("found", [None, ModuleNotFoundError("No module named 'pyghmi'")], ids=["no module", "no package"])
def test_missing_pyghmi_is_said(monkeypatch, found):
    def find_spec(name: str) -> None:
        if found:
            raise found

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    with pytest.raises(IpmiFailed, match="pyghmi is not installed"), ipmi_session._private_pyghmi(ipmi_session._Limit(1)):
        pass
