# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils import sealed
from hypothesis import given, settings
from hypothesis import strategies as st

HEADER = len(sealed.MAGIC) + sealed.SALT + sealed.PREFIX


@pytest.fixture(autouse=True, scope="module")
def _small_chunks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sealed, "CHUNK", 8)
        yield


def closed(data: bytes, secret: bytes = b"secret") -> bytes:
    target = io.BytesIO()
    sealed.seal(io.BytesIO(data), target, secret)
    return target.getvalue()


def opened(data: bytes, secret: bytes = b"secret") -> bytes:
    target = io.BytesIO()
    sealed.unseal(io.BytesIO(data), target, secret)
    return target.getvalue()


@settings(max_examples=20, deadline=None)
@given(st.binary(max_size=40))
def test_comes_back_as_it_was(data: bytes) -> None:
    assert opened(closed(data)) == data


def test_each_sealing_is_another() -> None:
    assert closed(b"the same") != closed(b"the same")


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_one_altered_bit_is_noticed(data: st.DataObject) -> None:
    whole = bytearray(closed(b"0123456789abcdef01234567"))
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(sealed.SealBroken):
        opened(bytes(whole))


@pytest.mark.parametrize("kept", [0, 3, HEADER, HEADER + 5, HEADER + 24, HEADER + 48, HEADER + 71])
def test_a_cut_is_noticed(kept: int) -> None:
    whole = closed(b"0123456789abcdef01234567")
    assert kept < len(whole) == HEADER + 72
    with pytest.raises(sealed.SealBroken):
        opened(whole[:kept])


@pytest.mark.parametrize(
    "order",
    [(1, 0, 2), (0, 2), (0, 1), (0, 0, 1, 2), (0, 1, 2, 2)],
    ids=["swapped", "middle dropped", "end dropped", "doubled", "end doubled"],
)
def test_chunks_keep_their_places(order: tuple[int, ...]) -> None:
    whole = closed(b"0123456789abcdef01234567")
    chunks = [whole[HEADER + 24 * n : HEADER + 24 * (n + 1)] for n in range(3)]
    with pytest.raises(sealed.SealBroken):
        opened(whole[:HEADER] + b"".join(chunks[n] for n in order))


def test_another_secret_opens_nothing() -> None:
    with pytest.raises(sealed.SealBroken, match="secret is another one"):
        opened(closed(b"data"), b"other")
