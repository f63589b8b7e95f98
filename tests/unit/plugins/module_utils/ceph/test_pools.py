# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pools against a small model of Ceph's that carries the commands out."""

from __future__ import annotations

from typing import Any

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.pools import EMPTY, Pool, PoolsRefused, Wanted, plan_pools
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Command
from hypothesis import given
from hypothesis import strategies as st

NAMES = ["images", "volumes", ".rgw.root", "default.rgw.buckets.data", "cephfs_metadata", "cephfs_data"]


class Model:
    """What `osd dump`, `osd crush rule dump` and `fs ls` would say after each command."""

    def __init__(self) -> None:
        self.pools: dict[str, dict[str, Any]] = {}
        self.rules = ["replicated_rule"]
        self.profiles: dict[str, dict[str, str]] = {"default": {"k": "2", "m": "2"}}
        self.filesystems: list[str] = []
        self.deletable = False

    @property
    def live(self) -> dict[str, Any]:
        return {
            "osds": {"pools": list(self.pools.values()), "erasure_code_profiles": self.profiles},
            "rules": [{"rule_id": number, "rule_name": name} for number, name in enumerate(self.rules)],
            "filesystems": [{"name": name} for name in self.filesystems],
        }

    def carry_out(self, command: Command) -> None:
        one, name = command.arguments, command.arguments.get("pool")
        match command.prefix:
            case "osd crush rule create-replicated":
                self.rules.append(one["name"])
            case "osd erasure-code-profile set":
                self.profiles[one["name"]] = dict(word.split("=") for word in one["profile"])
            case "osd pool create":
                self.create(one)
            case "osd pool application enable":
                self.pools[name]["application_metadata"][one["app"]] = {}
            case "osd pool set-quota":
                self.pools[name]["quota_max_bytes"] = int(one["val"])
            case "osd pool set":
                self.set(self.pools[name], one["var"], one["val"])
            case "fs new":
                assert {one["metadata"], one["data"]} <= set(self.pools)
                self.filesystems.append(one["fs_name"])
            case "config set" | "config rm":
                self.deletable = command.prefix == "config set"
            case "osd pool delete":
                assert self.deletable
                assert one["pool"] == one["pool2"]
                del self.pools[name]

    def create(self, one: dict[str, Any]) -> None:
        assert one["pool"] not in self.pools
        if one["pool"].startswith(".") and not one.get("yes_i_really_mean_it"):
            return
        erasure = one["pool_type"] == "erasure"
        self.pools[one["pool"]] = {
            "pool_name": one["pool"],
            "type": 3 if erasure else 1,
            "size": one.get("size", 3),
            "min_size": 1,
            "crush_rule": 0 if erasure else self.rules.index(one["rule"]),
            "pg_autoscale_mode": one["autoscale_mode"],
            "erasure_code_profile": one.get("erasure_code_profile", ""),
            "options": {"target_size_ratio": one["target_size_ratio"]} if "target_size_ratio" in one else {},
            "application_metadata": {},
            "quota_max_bytes": 0,
        }

    def set(self, pool: dict[str, Any], name: str, value: str) -> None:
        match name:
            case "crush_rule":
                pool[name] = self.rules.index(value)
            case "target_size_ratio":
                pool["options"][name] = float(value)
            case "size" | "min_size":
                pool[name] = int(value)
            case _:
                pool[name] = value

    def bring(self, wanted: Wanted) -> list[str]:
        steps = plan_pools(wanted, self.live).steps
        for step in steps:
            for command in step.commands:
                self.carry_out(command)
        return [step.what for step in steps]


def copied(name: str, copies: int = 3, **more: Any) -> Pool:
    return Pool(name, "rbd", copies=copies, minimum=2, **more)


def coded(name: str, data: int = 4, coding: int = 2, **more: Any) -> Pool:
    return Pool(name, "rgw", data_chunks=data, coding_chunks=coding, minimum=data + 1, **more)


pools = st.lists(
    st.one_of(
        st.builds(
            copied, st.sampled_from(NAMES[:3]), st.integers(2, 4), share=st.integers(0, 80), quota_bytes=st.none() | st.integers(0, 9)
        ),
        st.builds(coded, st.just(NAMES[3]), st.integers(2, 4), st.integers(1, 2), share=st.integers(0, 80)),
    ),
    unique_by=lambda one: one.name,
)


@given(pools, pools, st.sampled_from(["host", "rack"]))
def test_a_second_run_changes_nothing(before, after, domain):
    model = Model()
    model.bring(Wanted(tuple(before), "host"))
    kept = {one.name: one for one in before if one.erasure}
    # An erasure code cannot change; every other change is allowed here.
    wanted = Wanted(tuple(kept.get(one.name, one) for one in after), domain, fewer_copies=frozenset(NAMES))
    model.bring(wanted)
    assert model.bring(wanted) == []
    assert {one.name for one in before} <= set(model.pools)


def test_all_is_made_from_nothing_and_check_mode_says_the_same():
    wanted = Wanted(
        (copied("images", share=10), coded("data"), Pool("cephfs_metadata", "cephfs", copies=3), Pool("cephfs_data", "cephfs", copies=3)),
        "rack",
        "cephfs",
    )
    model = Model()
    foreseen = [step.what for step in plan_pools(wanted, EMPTY).steps]
    assert model.bring(wanted) == foreseen
    assert model.filesystems == ["cephfs"]
    assert model.pools["images"]["options"] == {"target_size_ratio": 0.1}
    assert model.profiles["vitro-4-2-rack"] == {"k": "4", "m": "2", "crush-failure-domain": "rack"}


@pytest.mark.parametrize(
    ("there", "wanted", "words"),
    [
        (copied("images", 3), copied("images", 2), "images has 3 copies and shall have 2: it would survive less"),
        (copied("images"), coded("images"), "images is copied and shall be erasure-coded: that cannot be changed"),
        (coded("images"), copied("images"), "images is erasure-coded and shall be copied"),
        (coded("data", 4, 2), coded("data", 3, 2), r"data has the erasure code 4\+2 and shall have 3\+2"),
        (copied("images"), Pool("images", "cephfs", copies=3), "images is used by rbd, not by cephfs"),
    ],
)
def test_refused(there, wanted, words):
    model = Model()
    model.bring(Wanted((there,), "host"))
    with pytest.raises(PoolsRefused, match=words):
        plan_pools(Wanted((wanted, copied("new")), "host"), model.live)
    assert "new" not in model.pools


def test_all_refusals_at_once():
    model = Model()
    model.bring(Wanted((copied("a", 3), copied("b", 3)), "host"))
    with pytest.raises(PoolsRefused, match=r"\(1\) a has .*\(2\) b has .*\(3\) the pool b shall be deleted, and the plan has it"):
        plan_pools(Wanted((copied("a", 2), copied("b", 2)), "host", deleted=frozenset({"b"})), model.live)


def test_fewer_copies_with_the_operators_word():
    model = Model()
    model.bring(Wanted((copied("images", 3),), "host"))
    assert model.bring(Wanted((copied("images", 2),), "host", fewer_copies=frozenset({"images"}))) == ["pool images: size 3 becomes 2"]


def test_nothing_is_deleted_without_a_word():
    model = Model()
    model.bring(Wanted((copied("images"), copied("old"), copied("default.rgw.log")), "host"))
    plan = plan_pools(Wanted((copied("images"),), "host"), model.live)
    assert (plan.steps, plan.unplanned) == ((), ("old",))
    assert model.bring(Wanted((copied("images"),), "host", deleted=frozenset({"old"}))) == ["pool old: deleted with all its data"]
    assert "old" not in model.pools
    assert not model.deletable
