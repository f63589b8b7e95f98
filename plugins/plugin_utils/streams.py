# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files on a host, read and written over Ansible's connection piece by piece. Ansible's own modules hold a whole file in memory as soon as
another account is needed to read it; these need no more than one piece, leave nothing on a disk on the way, and work with every
connection and with become."""

from __future__ import annotations

import base64
import binascii
import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from ..module_utils.backups import StreamBroken

MIB = 1 << 20
PIECE = 16
# A connection with a terminal mixes other words into the output.
FRAMED = re.compile(r"VITRO<([A-Za-z0-9+/=\s]*)>VITRO")

Execute = Callable[..., Mapping[str, Any]]


class RemoteReader:
    """A file on a host, from its beginning. `execute` is the action's `_low_level_execute_command`."""

    def __init__(self, execute: Execute, path: str, size: int) -> None:
        self._execute, self._path, self._size, self._at = execute, path, size, 0
        self._held = b""

    def read(self, wanted: int = -1) -> bytes:
        while len(self._held) < wanted or wanted < 0:
            piece = self._piece()
            if not piece:
                break
            self._held += piece
        given = self._held if wanted < 0 else self._held[:wanted]
        self._held = self._held[len(given) :]
        return given

    def _piece(self) -> bytes:
        if self._at * MIB >= self._size:
            return b""
        take = f"dd if={shlex.quote(self._path)} bs={MIB} skip={self._at} count={PIECE} status=none | base64 -w0"
        done = self._execute(f"printf 'VITRO<'; {take}; printf '>VITRO'")
        framed = FRAMED.search(done["stdout"])
        try:
            piece = base64.b64decode(framed[1]) if framed else b""
        except binascii.Error:
            piece = b""
        if len(piece) != min(PIECE * MIB, self._size - self._at * MIB):
            raise StreamBroken(
                f"Cannot read {self._path} from MiB {self._at} on: {str(done.get('stderr', '')).strip()[-300:] or 'no answer'}"
            )
        self._at += PIECE
        return piece


class RemoteWriter:
    """A new file on a host that only its owner can read. What is written before `flush` may still be here."""

    def __init__(self, execute: Execute, path: str) -> None:
        self._execute, self._path, self._at = execute, path, 0
        self._held = bytearray()
        self._run(f"umask 077; rm -f {shlex.quote(path)}; : > {shlex.quote(path)}", None)

    def write(self, data: bytes) -> int:
        self._held += data
        while len(self._held) >= PIECE * MIB:
            self._send(bytes(self._held[: PIECE * MIB]))
            del self._held[: PIECE * MIB]
        return len(data)

    def flush(self) -> None:
        if self._held:
            self._send(bytes(self._held))
            self._held.clear()

    def _send(self, piece: bytes) -> None:
        self._run(f"dd of={shlex.quote(self._path)} bs={MIB} seek={self._at} conv=notrunc iflag=fullblock status=none", piece)
        self._at += PIECE

    def _run(self, command: str, piece: bytes | None) -> None:
        done = self._execute(command, in_data=piece)
        if done["rc"]:
            raise StreamBroken(f"Cannot write {self._path} from MiB {self._at} on: {str(done.get('stderr', '')).strip()[-300:]}")
