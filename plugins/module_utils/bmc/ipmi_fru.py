# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The identity of a server in its FRU (Platform Management FRU Information Storage Definition 1.0, revision 1.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .payload import text

# An area or image: bytes at an offset, at most that many; fewer where it ends.
ReadAt = Callable[[int, int], bytes]

END_OF_FIELDS = 0xC1
BCD_PLUS = "0123456789 -.???"


@dataclass(frozen=True, kw_only=True, slots=True)
class Fru:
    manufacturer: str | None = None
    product: str | None = None
    serial: str | None = None
    asset_tag: str | None = None
    board_manufacturer: str | None = None
    board_product: str | None = None
    board_serial: str | None = None


def read_fru(read: ReadAt) -> Fru:
    """Read the board and product areas; raises ValueError if this is no FRU."""
    header = read(0, 8)
    # checksums are not looked at, as in pyghmi: a wrong one is no reason to lose the identity
    if len(header) < 8 or header[0] & 0x0F != 1:
        raise ValueError("the FRU has no valid header")
    board = _fields(read, header[3], first=6)
    product = _fields(read, header[4], first=3)
    return Fru(
        manufacturer=_nth(product, 0),
        product=_nth(product, 1),
        serial=_nth(product, 4),
        asset_tag=_nth(product, 5),
        board_manufacturer=_nth(board, 0),
        board_product=_nth(board, 1),
        board_serial=_nth(board, 2),
    )


def _fields(read: ReadAt, offset: int, *, first: int) -> list[str | None]:
    """The fields of the area at that multiple of eight bytes; none for an absent or damaged area."""
    if offset == 0:
        return []
    head = read(offset * 8, 8)
    if len(head) < 3 or head[0] & 0x0F != 1 or head[1] == 0:
        return []
    area = head + read(offset * 8 + 8, head[1] * 8 - 8)
    return list(split_fields(area[first:]))


def _nth(fields: list[str | None], index: int) -> str | None:
    return fields[index] if index < len(fields) else None


def split_fields(data: bytes) -> Iterator[str | None]:
    """Up to the end mark; a field that is cut off is left out, since half a serial is a wrong one."""
    while data and data[0] != END_OF_FIELDS and len(data) > (length := data[0] & 0x3F):
        yield decode_text(data[0], data[1 : 1 + length])
        data = data[1 + length :]


def decode_text(kind: int, data: bytes) -> str | None:
    """A text by its type/length byte (IPMI 2.0, section 43.15); None for a placeholder or what is no text."""
    match kind >> 6:
        case 1:
            found = "".join(BCD_PLUS[byte >> 4] + BCD_PLUS[byte & 0x0F] for byte in data)
        case 2:
            packed = int.from_bytes(data, "little")
            found = "".join(chr(0x20 + (packed >> shift & 0x3F)) for shift in range(0, len(data) * 8 - 5, 6))
        case 3:
            found = data.decode("latin-1")
        case _:
            return None
    # firmware pads with NUL and FFh, and leaves other rubbish behind a NUL
    found = found.split("\0", 1)[0].strip("\xff ")
    return text(found) if found.isprintable() else None
