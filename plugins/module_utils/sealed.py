# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of any size, encrypted at rest: Ansible Vault holds a file in memory several times over, and a database may be larger than that.

A sealed file is a header and chunks of AES-256-GCM in the STREAM construction: each chunk's nonce has its number and whether it is the
last, so chunks that are altered, moved, dropped or cut off do not open. The key comes from the secret by scrypt.
"""

from __future__ import annotations

import os
from typing import BinaryIO, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from .errors import VitroError

MAGIC: Final = b"vitro/sealed/1\n\0"
CHUNK: Final = 1 << 20
SALT: Final = 16
PREFIX: Final = 7
TAG: Final = 16


class SealBroken(VitroError):
    code = "seal_broken"


def seal(source: BinaryIO, target: BinaryIO, secret: bytes) -> None:
    header = MAGIC + os.urandom(SALT + PREFIX)
    target.write(header)
    cipher = _cipher(header, secret)
    number, chunk = 0, source.read(CHUNK)
    while True:
        following = source.read(CHUNK)
        target.write(cipher.encrypt(_nonce(header, number, last=not following), chunk, header))
        if not following:
            return
        number, chunk = number + 1, following


def unseal(source: BinaryIO, target: BinaryIO, secret: bytes) -> None:
    """Writes only what is proven. When it raises, what `target` has is a beginning at most, and must not be used."""
    header = source.read(len(MAGIC) + SALT + PREFIX)
    if len(header) < len(MAGIC) + SALT + PREFIX or not header.startswith(MAGIC):
        raise SealBroken("This is not a sealed file of Vitro's, or its beginning is lost")
    cipher = _cipher(header, secret)
    number, chunk = 0, source.read(CHUNK + TAG)
    while True:
        following = source.read(CHUNK + TAG)
        try:
            target.write(cipher.decrypt(_nonce(header, number, last=not following), chunk, header))
        except InvalidTag:
            what = (
                "the secret is another one, or the file was altered"
                if number == 0
                else f"the file was altered or cut off after {number} MiB"
            )
            raise SealBroken(f"A sealed file does not open: {what}") from None
        if not following:
            return
        number, chunk = number + 1, following


def _cipher(header: bytes, secret: bytes) -> AESGCM:
    salt = header[len(MAGIC) : len(MAGIC) + SALT]
    return AESGCM(Scrypt(salt=salt, length=32, n=1 << 15, r=8, p=1).derive(secret))


def _nonce(header: bytes, number: int, *, last: bool) -> bytes:
    return header[-PREFIX:] + number.to_bytes(4, "big") + (b"\1" if last else b"\0")
