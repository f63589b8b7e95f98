# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Kolla would take a key for, and who is in which group."""

from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.check_ini import parse_inventory
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.effective import (
    UNKNOWN,
    Setting,
    Variables,
    template_mistake,
    to_bool,
    to_int,
)
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.images import representatives
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.registry import split_image

MEMBERS = {"large": ("a", "b", "c"), "small": ("a",), "other": ("c",)}


def settings(file, **values):
    return {key: Setting(file, value) for key, value in values.items()}


def variables(**defaults):
    return Variables(
        extra=settings("globals.yml", everywhere=1, follows="{{ base }}"),
        hosts={"a": settings("a.yml", everywhere=2, mine="host"), "b": settings("b.yml", base="of b")},
        groups={"large": settings("large.yml", mine="large", size="large"), "small": settings("small.yml", mine="small", size="small")},
        defaults={"mine": "default", "size": "default", "base": "x", "everywhere": 0, **defaults},
        members=MEMBERS,
    )


@pytest.mark.parametrize(
    ("key", "host", "value", "file"),
    [
        ("everywhere", "a", 1, "globals.yml"),
        ("mine", "a", "host", "a.yml"),
        ("mine", "b", "large", "large.yml"),
        ("size", "a", "small", "small.yml"),
        ("size", "c", "large", "large.yml"),
        ("size", None, "default", "globals.yml"),
        ("follows", "b", "of b", "globals.yml"),
        ("follows", "a", "x", "globals.yml"),
        ("nowhere", "a", None, "globals.yml"),
    ],
)
def test_who_wins(key, host, value, file):
    assert variables().value(key, host) == value
    assert variables().file(key, host) == file


@pytest.mark.parametrize(
    ("template", "value"),
    [
        ("{{ base }}", "x"),
        ("{{ base }}-{{ size }}", "x-default"),
        ("{{ everywhere }}", 1),
        ("{{ base | bool }}", False),
        ("{{ 'a' if base == 'x' else 'b' }}", "a"),
        ("{% if base == 'x' %}1{% endif %}", "1"),
        ("{{ nothing | default('else') }}", "else"),
        ("{{ groups['small'] | length }}", 1),
        ("{{ inventory_hostname in groups['small'] }}", UNKNOWN),
        ("{{ nothing }}", UNKNOWN),
        ("{{ nothing.at.all }}", UNKNOWN),
        ("{{ ansible_facts.hostname }}", UNKNOWN),
        ("{{ hostvars['a'].x }}", UNKNOWN),
        ("{{ base | no_such_filter }}", UNKNOWN),
        ("{{ 1 / 0 }}", UNKNOWN),
        ("{{ circle }}", UNKNOWN),
        ("{{ facts | default('else') }}", UNKNOWN),
        ("{{ base", UNKNOWN),
        ({"a": "{{ base }}"}, UNKNOWN),
        ([1, 2], [1, 2]),
    ],
)
def test_templates(template, value):
    assert variables(tried=template, circle="{{ circle }}", facts="{{ ansible_facts.x }}").value("tried") == value


def test_a_host_is_known_where_one_is_asked_for():
    assert variables(tried="{{ inventory_hostname in groups['small'] }}").value("tried", "a") is True


@pytest.mark.parametrize(
    ("value", "truth", "number"),
    [
        (True, True, None), ("yes", True, None), ("TRUE", True, None), (1, True, 1), ("1", True, 1), (None, False, None),
        ("no", False, None), ("", False, None), ("0", False, 0), ("ture", None, None), (2, None, 2), ("12", None, 12), ("-3", None, -3),
        ("1.5", None, None),
        (1.5, None, None), ("٣", None, None),
    ],
)  # fmt: skip
def test_switches_and_numbers(value, truth, number):
    assert to_bool(value) is truth
    assert to_int(value) == number


@pytest.mark.parametrize(
    ("value", "wrong"), [("{{ a }}", False), ("{{ a }", True), ("{% if a %}", True), ({"x": ["{{"]}, True), ("$a", False)]
)
def test_template_mistakes(value, wrong):
    assert bool(template_mistake(value)) is wrong


INVENTORY = """\
# comment
[control]
a ansible_host=10.0.0.1   # why
b
[network:children]
control

[compute]
c
; other comment
[all:vars]
anything = goes here
[nova:children]
compute
network
[ring:children]
round
[round:children]
ring
compute
"""


def test_groups_and_their_hosts():
    found = parse_inventory(INVENTORY)
    assert found.members() == {
        "control": ("a", "b"), "network": ("a", "b"), "compute": ("c",), "all": (),
        "nova": ("c", "a", "b"), "ring": ("c",), "round": ("c",),
    }  # fmt: skip
    assert found.loops() == ["ring", "round"]
    assert found.hosts == {"a", "b", "c"}
    assert found.broken == {}


@pytest.mark.parametrize("line", ["[control", "<<<<<<< HEAD", "[a:childs]", "{{ x }}"])
def test_lines_that_are_no_inventory(line):
    assert parse_inventory(f"[x]\n{line}\n").broken == {2: line}


def test_one_host_of_each_kind():
    assert representatives("[control]\na\nb\n[compute]\nb\nc\nd\n[deployment]\nlocalhost\n") == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("image", "parts"),
    [
        ("r.example:5000/kolla/cron:1", ("r.example:5000", "kolla/cron", "1")),
        ("localhost/cron:1", ("localhost", "cron", "1")),
        ("kolla/cron:1", ("", "kolla/cron", "1")),
        ("r.example/kolla/cron", ("r.example", "kolla/cron", "latest")),
        ("r.example:5000/cron", ("r.example:5000", "cron", "latest")),
        ("r.example/a/b:1@sha256:00", ("r.example", "a/b", "sha256:00")),
    ],
)
def test_parts_of_an_image(image, parts):
    assert split_image(image) == parts
