# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How guests can be moved, and whether there is room for them."""

from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.guests import Guest, Room, place, room_of, shortage, way_of
from hypothesis import given
from hypothesis import strategies as st


def guest(status="ACTIVE", task="", fault=""):
    return Guest(id="1", name="g", status=status, task=task, host="a", locked=False, fault=fault)


@pytest.mark.parametrize(
    ("status", "task", "stopped", "way"),
    [
        ("ACTIVE", "", "refuse", "live"),
        ("PAUSED", "", "refuse", "live"),
        ("SHUTOFF", "", "migrate", "cold"),
        ("SHUTOFF", "", "refuse", "no"),
        ("MIGRATING", "migrating", "migrate", "wait"),
        ("ACTIVE", "image_snapshot", "migrate", "wait"),
        ("BUILD", "", "migrate", "wait"),
        ("ERROR", "", "migrate", "no"),
        ("SUSPENDED", "", "migrate", "no"),
        ("RESCUE", "", "migrate", "no"),
        ("VERIFY_RESIZE", "", "migrate", "no"),
        ("SHELVED", "", "migrate", "no"),
        ("UNKNOWN", "", "migrate", "no"),
    ],
)
def test_way(status, task, stopped, way):
    found, why = way_of(guest(status, task), stopped=stopped)
    assert found == way
    assert bool(why) == (way in ("no", "wait"))


def test_an_error_says_what_nova_says():
    assert "disk full" in way_of(guest("ERROR", fault="disk full"), stopped="migrate")[1]


def test_room():
    memory = {"total": 8192, "reserved": 512, "allocation_ratio": 1.0, "max_unit": 8192}
    cpus = {"total": 8, "reserved": 0, "allocation_ratio": 4.0, "max_unit": 8}
    found = room_of("a", {"MEMORY_MB": memory, "VCPU": cpus}, {"MEMORY_MB": 1024, "VCPU": 2})
    assert found == Room("a", {"MEMORY_MB": 6656, "VCPU": 30}, {"MEMORY_MB": 8192, "VCPU": 8})


def rooms(**free):
    return [Room(name, {"MEMORY_MB": amount, "VCPU": 100}, {"MEMORY_MB": 10**6, "VCPU": 8}) for name, amount in free.items()]


@pytest.mark.parametrize(
    ("wanted", "free", "homeless"),
    [
        ({"1": 4, "2": 4}, {"a": 4, "b": 4}, set()),
        ({"1": 4, "2": 4}, {"a": 4, "b": 3}, {"2"}),
        # Together there is room enough, but for no single one.
        ({"1": 4}, {"a": 3, "b": 3}, {"1"}),
        ({"1": 1, "2": 5}, {"a": 5, "b": 1}, set()),
        ({}, {"a": 0}, set()),
    ],
    ids=["fits", "too many", "split", "largest first", "none"],
)
def test_place(wanted, free, homeless):
    found = place({name: {"MEMORY_MB": amount} for name, amount in wanted.items()}, rooms(**free))
    assert {name for name, host in found.items() if host is None} == homeless


def test_no_guest_may_be_larger_than_a_host_allows():
    assert place({"1": {"VCPU": 9}}, rooms(a=1)) == {"1": None}


def test_a_resource_that_a_host_has_not_is_not_there():
    assert place({"1": {"VGPU": 1}}, rooms(a=1)) == {"1": None}


@given(
    st.dictionaries(st.text(min_size=1), st.integers(0, 50), max_size=12),
    st.dictionaries(st.sampled_from("abcd"), st.integers(-5, 60), min_size=1),
)
def test_no_room_is_given_twice(wanted, free):
    asked = {name: {"MEMORY_MB": amount} for name, amount in wanted.items()}
    found = place(asked, rooms(**free))
    assert set(found) == set(wanted)
    for host, amount in free.items():
        used = sum(wanted[name] for name, place_of in found.items() if place_of == host)
        assert used <= max(amount, 0)


def test_shortage_has_the_numbers():
    said = shortage({"1": {"MEMORY_MB": 4, "VCPU": 2}, "2": {"MEMORY_MB": 3, "VCPU": 1}}, rooms(a=2, b=1))
    assert (
        said
        == "needed of what is free: MEMORY_MB 7 of 3, VCPU 3 of 200. a has free MEMORY_MB 2, VCPU 100; b has free MEMORY_MB 1, VCPU 100"
    )
