# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A BMC may send anything: the walk and the record of it end in a record or in an error of ours."""

from __future__ import annotations

import asyncio
import copy
import json

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.document import DOCUMENT
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.errors import BmcError, RequestFailed
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import Hardware, Reading
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.server import servers
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.targets import Target
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.tree import BmcTree
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.walk import walk
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.lab.rack import build, default_bmc
from tests.lab.rack.spec import FAMILIES

SCALARS = st.sampled_from(
    [None, True, -1, 0, 7, 1e400, float("nan"), "", "0", "x", "\ud800", "\x1b[2J", [], {}, [None], [[]], [{}], {"@odata.id": 5}]
)
READING = Reading(at="2026-01-01T00:00:00Z", requests=1, seconds=0.1)


class Folder:
    """A client whose answers are a tree in memory."""

    session = None

    def __init__(self, tree):
        self.tree = tree
        self.root = {key: value for key, value in tree["/redfish/v1"].items() if key != "ProtocolFeaturesSupported"}

    async def get(self, path):
        if path.rstrip("/") not in self.tree:
            raise RequestFailed(f"GET {path} gave 404", status=404)
        return self.tree[path.rstrip("/")]


def read(tree):
    found = BmcTree(tree["/redfish/v1"])
    asyncio.run(walk(Folder(tree), found))
    return servers(found, Target(address="192.0.2.1"), READING)


TREES = {family: build(default_bmc(family, 1).servers, "on") for family in FAMILIES}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_tree_in_memory_is_read(family):
    assert read(TREES[family])


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_nonsense_in_one_place(family, data):
    tree = dict(TREES[family])
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(sorted(path for path in tree if path != "/redfish/v1")))
        resource = copy.deepcopy(tree[path])
        place = resource
        key = data.draw(st.sampled_from(sorted(place)))
        while isinstance(place[key], dict) and place[key] and data.draw(st.booleans()):
            place, key = place[key], data.draw(st.sampled_from(sorted(place[key])))
        place[key] = data.draw(SCALARS)
        tree[path] = resource
    try:
        found = read(tree)
    except BmcError:
        return
    text = json.dumps(DOCUMENT.to_data(Hardware(servers=tuple(found))), ensure_ascii=False)
    assert DOCUMENT.adapter.validate_json(text.encode())
    assert "\x1b" not in text
