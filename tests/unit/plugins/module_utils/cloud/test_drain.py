# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Emptying a host, where a real Nova is hard to bring to: resizes of owners, time that runs out, guests that arrive in error."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.drain import Drain, Rules
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.errors import CloudRequest

HERE = "a"


@dataclass
class Nova:
    """Answers as Nova does. `behaviour` says what becomes of a guest that is moved: moves, stays, sticks, breaks, vanishes, refuses,
    forbids, hesitates (it is refused once), lags (Nova writes the end of its migration later)."""

    behaviour: dict[str, str]
    status: dict[str, str] = field(default_factory=dict)
    resizes: set[str] = field(default_factory=set)
    most: int = 0

    def __post_init__(self):
        self.servers = {
            name: {"id": name, "name": name, "status": self.status.get(name, "ACTIVE"), "OS-EXT-STS:task_state": None,
                   "OS-EXT-SRV-ATTR:host": HERE, "locked": False}
            for name in self.behaviour
        }  # fmt: skip
        for name in self.resizes:
            self.servers[name] |= {"status": "VERIFY_RESIZE", "OS-EXT-SRV-ATTR:host": "b"}
        self.migrations = dict.fromkeys(self.resizes, "resize")
        self.late: dict[str, str] = {}
        self.asked: list[str] = []

    def pages(self, service, path, key, **query):
        if key == "servers":
            return [dict(one) for one in self.servers.values() if one["OS-EXT-SRV-ATTR:host"] == query["host"]]
        return [{"instance_uuid": name, "migration_type": kind, "source_compute": HERE} for name, kind in self.migrations.items()]

    def send(self, method, service, path, body=None, *, missing_ok=False):
        name = path.split("/")[2]
        if method == "GET" and "os-instance-actions" in path:
            return {"instanceAction": {"message": "Error", "events": [{"event": "e", "result": "Error", "details": "no way\nat all"}]}}, ""
        if method == "GET":
            return ({"server": self.servers[name]} if name in self.servers else None), ""
        return self._act(name, next(iter(body)))

    def _act(self, name, action):
        server, behaviour = self.servers[name], self.behaviour[name]
        if action == "confirmResize":
            server["status"] = "SHUTOFF"
            del self.migrations[name]
        elif behaviour == "refuses" or (behaviour == "hesitates" and name not in self.asked):
            self.asked.append(name)
            raise CloudRequest("409: no", status=409)
        elif behaviour == "forbids":
            self.asked.append(name)
            raise CloudRequest("403: no", status=403)
        else:
            server["OS-EXT-STS:task_state"] = "migrating"
            cold = action == "migrate"
            server["then"] = cold
        return None, f"req-{name}"

    def pass_time(self, _seconds):
        self.migrations |= self.late
        self.late = {}
        busy = [one for one in self.servers.values() if one["OS-EXT-STS:task_state"]]
        self.most = max(self.most, len(busy))
        for one in busy:
            behaviour = self.behaviour[one["id"]]
            if behaviour == "sticks":
                continue
            one["OS-EXT-STS:task_state"] = None
            if behaviour == "vanishes":
                del self.servers[one["id"]]
            elif behaviour != "stays":
                one["OS-EXT-SRV-ATTR:host"] = "b"
                if behaviour == "breaks":
                    one |= {"status": "ERROR", "fault": {"message": "lost its disk"}}
                elif one["then"]:
                    one["status"] = "VERIFY_RESIZE"
                    (self.late if behaviour == "lags" else self.migrations)[one["id"]] = "migration"


def drained(nova, **rules):
    time = iter(range(10_000))
    drain = Drain(nova, HERE, Rules(**rules), report=lambda line: None, pause=nova.pass_time, clock=lambda: float(next(time)))
    drain.run()
    return drain


@pytest.mark.parametrize(
    ("behaviour", "left"),
    [
        ("moves", ""),
        ("vanishes", ""),
        ("stays", "it was not moved: no way"),
        ("breaks", "it is on b now, and in ERROR (lost its disk)"),
        ("refuses", "Nova does not begin to move it: 409: no"),
        ("hesitates", ""),
        ("forbids", "Nova does not begin to move it: 403: no"),
        ("sticks", "it is still migrating after 40 s"),
    ],
)
def test_one_guest_hinders_no_other(behaviour, left):
    nova = Nova({"x": behaviour, "y": "moves", "z": "moves"})
    drain = drained(nova, timeout=40)
    assert drain.left == ({"x": left} if left else {})
    assert {"y", "z"} <= set(drain.moved)
    assert drain.begun.keys() <= set("xyz")


@pytest.mark.parametrize("behaviour", ["moves", "lags"])
def test_stopped_guests_are_confirmed_and_stay_stopped(behaviour):
    nova = Nova({"x": behaviour}, status={"x": "SHUTOFF"})
    drain = drained(nova)
    assert (drain.left, set(drain.moved)) == ({}, {"x"})
    assert nova.servers["x"]["status"] == "SHUTOFF"
    assert nova.migrations == {}


def test_a_resize_of_its_owner_is_left_to_the_owner():
    nova = Nova({"x": "moves", "y": "moves"}, resizes={"y"})
    drain = drained(nova)
    assert "resize of its owner" in drain.left["y"]
    assert nova.servers["y"]["status"] == "VERIFY_RESIZE"
    assert set(drain.moved) == {"x"}


@pytest.mark.parametrize("parallel", [1, 2, 5])
def test_only_so_many_at_once(parallel):
    nova = Nova({f"g{number}": "moves" for number in range(9)})
    drain = drained(nova, parallel=parallel)
    assert len(drain.moved) == 9
    assert nova.most == parallel


def test_a_guest_on_its_way_is_waited_for_and_not_moved_twice():
    nova = Nova({"x": "moves"})
    nova.servers["x"] |= {"OS-EXT-STS:task_state": "migrating", "then": False}
    drain = drained(nova)
    assert drain.begun == {}
    assert set(drain.moved) == {"x"}


def test_an_empty_host_is_done_at_once():
    assert drained(Nova({})).moved == {}


@pytest.mark.parametrize(("behaviour", "times"), [("refuses", 3), ("forbids", 1)])
def test_only_what_may_have_changed_meanwhile_is_tried_again(behaviour, times):
    nova = Nova({"x": behaviour})
    drained(nova)
    assert len(nova.asked) == times
