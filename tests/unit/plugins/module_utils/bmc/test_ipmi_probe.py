# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.ipmi_probe import (
    CAPABILITIES_REQUEST,
    Capabilities,
    is_capabilities,
    is_open_answer,
    parse_capabilities,
    parse_opened,
)

HEADER = bytes.fromhex("0600ff07" + "00" * 9 + "10" + "811c63200038")
CONSOLE, SESSION = b"\xa0\xa1\xa2\xa3", b"\x08\x00\x00\x02"


def test_request_is_the_one_ipmitool_sends():
    """The first packet of ipmitool 1.8.19, `-I lanplus -C 3 mc info`, as it came to the lab's relay."""
    assert CAPABILITIES_REQUEST.hex() == "0600ff07" + "00" * 9 + "09" + "2018c88100388e04b5"


@pytest.mark.parametrize(
    ("tail", "expected"),
    [
        pytest.param("00 01 80 04 02 00000000 ff", Capabilities(channel=1, version_2=True, none_allowed=False, anonymous=False), id="2.0"),
        pytest.param(
            "00 02 97 07 03 00000000 ff", Capabilities(channel=2, version_2=True, none_allowed=True, anonymous=True), id="2.0, open"
        ),
        pytest.param("00 01 16 06 00 00000000 ff", Capabilities(channel=1, version_2=False, none_allowed=False, anonymous=False), id="1.5"),
        pytest.param(
            "00 01 80 04 01 00000000 ff",
            Capabilities(channel=1, version_2=False, none_allowed=False, anonymous=False),
            id="says 2.0, has 1.5",
        ),
        pytest.param("cc ff", Capabilities(channel=0x0E, version_2=False, none_allowed=False, anonymous=False), id="1.5, refuses the bit"),
    ],
)
def test_parse_capabilities(tail, expected):
    packet = HEADER + bytes.fromhex(tail)
    assert is_capabilities(packet)
    assert parse_capabilities(packet) == expected


@pytest.mark.parametrize(
    "packet",
    [b"", b"\x06\x00\xff\x07", HEADER, CAPABILITIES_REQUEST, b"\x06\x00\xff\x06" + bytes(30), bytes(60)],
    ids=["empty", "short", "no data", "our own request", "ASF", "zeros"],
)
def test_what_is_no_answer(packet):
    assert not is_capabilities(packet)
    assert not is_open_answer(packet)


def opened(status: int = 0, console: bytes = CONSOLE, algorithm: int = 0) -> bytes:
    algorithms = b"".join(bytes([kind, 0, 0, 8, algorithm, 0, 0, 0]) for kind in range(3))
    return bytes.fromhex("0600ff070611" + "00" * 8 + "2400") + bytes([0, status, 4, 0]) + console + SESSION + algorithms


@pytest.mark.parametrize(
    ("packet", "expected"),
    [
        pytest.param(opened(), SESSION, id="opened"),
        pytest.param(opened(status=0x11), None, id="no cipher suite matches"),
        pytest.param(opened(status=0x11)[:24], None, id="short refusal"),
        pytest.param(opened(console=b"\x01\x02\x03\x04"), None, id="another's session"),
        pytest.param(opened(algorithm=1), None, id="answers with cipher suite 3, as pyghmi's own BMC does"),
    ],
)
def test_parse_opened(packet, expected):
    assert is_open_answer(packet)
    assert parse_opened(packet, CONSOLE) == expected
