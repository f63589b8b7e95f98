# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.ipmi_fru import Fru, decode_text, read_fru, split_fields

from tests.lab.ipmi import FruTexts
from tests.lab.ipmi.config import fru_image, with_checksum


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        pytest.param(0xC0, b"SN 1234", "SN 1234", id="latin"),
        pytest.param(0xC0, b"SN1234\0\0\0", "SN1234", id="padded with NUL"),
        pytest.param(0xC0, b"SN1234\xff\xff", "SN1234", id="padded with FFh"),
        pytest.param(0xC0, b"SN1234\0junk", "SN1234", id="rubbish behind NUL"),
        pytest.param(0xC0, b"  SN1234  ", "SN1234", id="padded with spaces"),
        pytest.param(0xC0, b"\xff" * 8, None, id="erased"),
        pytest.param(0xC0, b"\x01\x02\x03", None, id="control characters"),
        pytest.param(0xC0, b"", None, id="empty"),
        pytest.param(0xC0, b"To be filled by O.E.M.", None, id="to be filled"),
        pytest.param(0xC0, b"Default string", None, id="default string"),
        pytest.param(0xC0, b"0123456789", None, id="counted up"),
        pytest.param(0xC0, b"00000000", None, id="zeros"),
        pytest.param(0xC0, b"   ", None, id="blanks"),
        pytest.param(0x40, bytes.fromhex("1234abc5"), "1234 -.5", id="BCD plus"),
        pytest.param(0x40, bytes.fromhex("0507"), "0507", id="BCD plus with leading zeros"),
        pytest.param(0x80, bytes.fromhex("29dca6"), "IPMI", id="six bits, the example of IPMI 2.0 section 43.15"),
        pytest.param(0x80, bytes.fromhex("29dca6520b"), "IPMI2M", id="six bits, not a multiple of three bytes"),
        pytest.param(0x00, b"SN1234", None, id="binary"),
    ],
)
def test_decode_text(kind, data, expected):
    assert decode_text(kind, data) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"\xc2ab\xc0\xc3cde\xc1\xc2zz", ["ab", None, "cde"], id="ends at the mark"),
        pytest.param(b"\xc2ab\xc9cd", ["ab"], id="last field cut off"),
        pytest.param(b"", [], id="nothing"),
    ],
)
def test_split_fields(data, expected):
    assert list(split_fields(data)) == expected


def reader(image: bytes):
    return lambda offset, count: image[offset : offset + count]


IMAGE = fru_image(FruTexts.numbered(7))


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        pytest.param(
            IMAGE,
            Fru(
                manufacturer="Acme",
                product="Node2U",
                serial="SN0007",
                asset_tag="TAG7",
                board_manufacturer="Acme",
                board_product="Board",
                board_serial="BSN0007",
            ),
            id="whole",
        ),
        pytest.param(with_checksum(bytes([1, 0, 0, 0, 0, 0, 0])), Fru(), id="no areas"),
        pytest.param(with_checksum(bytes([1, 0, 0, 200, 250, 0, 0])), Fru(), id="areas behind the end"),
        pytest.param(with_checksum(bytes([1, 0, 0, 1, 1, 0, 0])) + b"\x01\x00" + bytes(30), Fru(), id="area of no length"),
        pytest.param(IMAGE[:24], Fru(board_manufacturer="Acme"), id="cut off"),
    ],
)
def test_read_fru(image, expected):
    assert read_fru(reader(image)) == expected


@pytest.mark.parametrize("image", [b"", b"\x01\x00", b"\xff" * 64, bytes(64)], ids=["empty", "short", "erased", "zero"])
def test_what_is_no_fru_is_refused(image):
    with pytest.raises(ValueError, match="no valid header"):
        read_fru(reader(image))
