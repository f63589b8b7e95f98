# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json
import socket
import threading
from contextlib import contextmanager

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.database import Database, plain, set_keys
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.errors import OvnRefused, OvnSilent
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.wire import control, opened


@contextmanager
def daemon(path, *pieces):
    """Answers one request with these pieces of bytes, one after the other, and keeps what it was told."""
    heard = []
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(path))
        door.listen()

        def serve():
            link, _ = door.accept()
            with link:
                heard.append(link.recv(65536))
                for piece in pieces:
                    link.sendall(piece)
                link.settimeout(2)
                try:
                    while more := link.recv(65536):
                        heard.append(more)
                except TimeoutError:
                    pass

        thread = threading.Thread(target=serve)
        thread.start()
        yield heard
        thread.join()


def answer(result, error=None):
    return json.dumps({"id": 1, "result": result, "error": error}).encode()


def test_control(tmp_path):
    with daemon(tmp_path / "ctl", answer("text\n")) as heard:
        assert control(str(tmp_path / "ctl"), "cluster/status", "OVN_Northbound") == "text\n"
    assert json.loads(heard[0]) == {"method": "cluster/status", "params": ["OVN_Northbound"], "id": 1}


def test_answer_in_pieces_with_an_echo_before(tmp_path):
    echo = b'{"method":"echo","params":["are you there"],"id":"echo"}'
    whole = echo + answer({"a": "}", "ä": "ü"})
    pieces = [whole[:10], whole[10:70], whole[70:-3], whole[-3:]]
    with daemon(tmp_path / "db", *pieces) as heard, opened(str(tmp_path / "db")) as wire:
        assert wire.call("get", []) == {"a": "}", "ä": "ü"}
    assert json.loads(heard[1]) == {"result": ["are you there"], "error": None, "id": "echo"}


def test_refused(tmp_path):
    with daemon(tmp_path / "ctl", answer(None, "not a valid command")), pytest.raises(OvnRefused, match="refused `x`: not a valid command"):
        control(str(tmp_path / "ctl"), "x")


def test_silent(tmp_path):
    with pytest.raises(OvnSilent, match="No such file or directory"):
        control(str(tmp_path / "nobody"), "x")
    with daemon(tmp_path / "ctl"), pytest.raises(OvnSilent, match=r"gave no answer within 0\.2 s"):
        control(str(tmp_path / "ctl"), "x", timeout=0.2)


def test_transaction_that_fails_says_which_operation(tmp_path):
    said = [{}, {"error": "constraint violation", "details": "twice"}, None]
    with daemon(tmp_path / "db", answer(said)), pytest.raises(OvnRefused) as refused:
        Database("N", str(tmp_path / "db")).transact([{"op": "insert", "table": "A"}, {"op": "insert", "table": "B"}])
    assert "N refused insert B: constraint violation: twice" in str(refused.value)


def test_commit_that_fails(tmp_path):
    with daemon(tmp_path / "db", answer([{}, {"error": "not leader"}])), pytest.raises(OvnRefused, match="refused the commit: not leader"):
        Database("N", str(tmp_path / "db")).transact([{"op": "insert", "table": "A"}])


def test_read(tmp_path):
    rows = [{"_uuid": ["uuid", "u"], "ports": ["set", [["uuid", "p"]]], "ids": ["map", [["k", "v"]]], "n": 1}]
    with daemon(tmp_path / "db", answer([{"rows": rows}])):
        found = Database("N", str(tmp_path / "db")).read(T=["ports", "ids", "n"])
    assert found == {"T": [{"_uuid": "u", "ports": ["p"], "ids": {"k": "v"}, "n": 1}]}


@pytest.mark.parametrize(("value", "wanted"), [("x", "x"), (["set", []], []), (["uuid", "u"], "u"), (["map", []], {})])
def test_plain(value, wanted):
    assert plain(value) == wanted


def test_keys_are_replaced():
    work = set_keys("T", "ids", {"a": "1"}, ["b"])
    assert work["mutations"] == [["ids", "delete", ["set", ["a", "b"]]], ["ids", "insert", ["map", [["a", "1"]]]]]
