# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files in pieces, through a real shell, with what a terminal may add."""

from __future__ import annotations

import subprocess

import pytest
from ansible_collections.frontier.vitro.plugins.plugin_utils import streams
from ansible_collections.frontier.vitro.plugins.plugin_utils.streams import MIB, RemoteReader, RemoteWriter, StreamBroken


def shell(command, in_data=None):
    done = subprocess.run(["sh", "-c", command], input=in_data, capture_output=True, check=False)
    return {"rc": done.returncode, "stdout": f"a word of sudo\r\n{done.stdout.decode()}\r\n", "stderr": done.stderr.decode()}


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(streams, "PIECE", 2)


@pytest.mark.parametrize("size", [0, 1, MIB, 2 * MIB, 2 * MIB + 1, 5 * MIB + 7])
def test_there_and_back(tmp_path, size):
    content = (bytes(range(256)) * (size // 256 + 1))[:size]
    there = tmp_path / "a name; with 'quotes'"
    there.write_bytes(b"something older and longer" * 9)
    writer = RemoteWriter(shell, str(there))
    for start in range(0, size, 700_001):
        writer.write(content[start : start + 700_001])
    writer.flush()
    assert there.read_bytes() == content
    assert there.stat().st_mode & 0o777 == 0o600
    reader = RemoteReader(shell, str(there), size)
    read = b"".join(iter(lambda: reader.read(MIB), b""))
    assert read == content


def test_no_more_than_a_piece_is_held(tmp_path):
    sizes = []

    def noted(command, in_data=None):
        sizes.append(len(in_data or b""))
        return shell(command, in_data)

    writer = RemoteWriter(noted, str(tmp_path / "file"))
    writer.write(bytes(7 * MIB))
    writer.flush()
    assert sizes == [0, 2 * MIB, 2 * MIB, 2 * MIB, MIB]


@pytest.mark.parametrize("size", [2 * MIB, 4 * MIB])
def test_a_file_that_is_gone_or_shorter_is_noticed(tmp_path, size):
    (tmp_path / "short").write_bytes(bytes(MIB))
    with pytest.raises(StreamBroken, match="from MiB 0 on"):
        RemoteReader(shell, str(tmp_path / "short"), size).read()
    with pytest.raises(StreamBroken, match="No such file"):
        RemoteReader(shell, str(tmp_path / "gone"), size).read()


def test_a_full_disk_is_noticed(tmp_path):
    def full(command, in_data=None):
        return {"rc": 1, "stdout": "", "stderr": "dd: No space left on device"} if in_data else shell(command)

    writer = RemoteWriter(full, str(tmp_path / "file"))
    with pytest.raises(StreamBroken, match="No space left"):
        writer.write(bytes(3 * MIB))
