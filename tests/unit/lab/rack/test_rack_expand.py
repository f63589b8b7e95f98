# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.lab.rack import default_bmc
from tests.lab.rack.expand import ExpandRefused, parse_expand
from tests.lab.rack.generate import build
from tests.lab.rack.messages import Request
from tests.lab.rack.shelf import ROOT, Shelf, plain_path
from tests.lab.rack.spec import FAMILIES, Family

WITH_EXPAND: tuple[Family, ...] = ("dell", "ilo5", "ilo6", "lenovo", "supermicro")


def shelf_of(family: Family, **options: Any) -> Shelf:
    spec = default_bmc(family, 0)
    return Shelf(build(spec.servers, ["on"] * len(spec.servers)), **options)


def read(shelf: Shelf, path: str, query: str = "") -> Any:
    request = Request("GET", path, plain_path(path), query, {})
    return shelf.reply(request, ignore_unsupported=False).json()


def stripped(value: Any, plain: Any) -> Any:
    """Undo an expansion: wherever the plain answer has a link, put the link back."""
    if isinstance(plain, dict):
        if set(plain) == {"@odata.id"}:
            return {"@odata.id": value["@odata.id"]}
        return {key: stripped(value[key], item) for key, item in plain.items()}
    if isinstance(plain, list):
        return [stripped(v, p) for v, p in zip(value, plain, strict=True)]
    return value


def inner(value: Any, plain: Any) -> list[Any]:
    """What was put in place of links."""
    if isinstance(plain, dict):
        if set(plain) == {"@odata.id"}:
            return [value] if len(value) > 1 else []
        return [found for key, item in plain.items() for found in inner(value[key], item)]
    if isinstance(plain, list):
        return [found for v, p in zip(value, plain, strict=True) for found in inner(v, p)]
    return []


@pytest.mark.parametrize("family", WITH_EXPAND)
@pytest.mark.parametrize("mode", [".", "*", "~"])
def test_expanding_then_stripping_gives_the_plain_answer(family: Family, mode: str) -> None:
    shelf = shelf_of(family)
    offered = shelf.root["ProtocolFeaturesSupported"]["ExpandQuery"]
    if not offered[{".": "NoLinks", "*": "ExpandAll", "~": "Links"}[mode]]:
        with pytest.raises(ExpandRefused):
            read(shelf, ROOT + "/Systems", f"$expand={mode}")
        return
    for path in shelf.paths:
        plain, grown = read(shelf, path), read(shelf, path, f"$expand={mode}($levels=1)")
        assert stripped(grown, plain) == plain
        assert all(found == read(shelf, found["@odata.id"]) for found in inner(grown, plain))


@pytest.mark.parametrize("family", WITH_EXPAND)
def test_no_more_levels_than_advertised(family: Family) -> None:
    root = shelf_of(family).root
    most = root["ProtocolFeaturesSupported"]["ExpandQuery"]["MaxLevels"]
    assert parse_expand(f".($levels={most})", root).levels == most
    for query in (f".($levels={most + 1})", ".($levels=0)", "Members", "", ".(levels=1)"):
        with pytest.raises(ExpandRefused):
            parse_expand(query, root)


def test_links_are_left_to_the_mode_that_wants_them() -> None:
    shelf = shelf_of("dell")
    system = "/redfish/v1/Systems/System.Embedded.1"
    assert len(read(shelf, system, "$expand=.")["Links"]["Chassis"][0]) == 1
    assert len(read(shelf, system, "$expand=~")["Links"]["Chassis"][0]) > 1
    assert len(read(shelf, system, "$expand=~")["Processors"]) == 1
    assert len(read(shelf, system, "$expand=*")["Processors"]) > 1


def test_two_levels() -> None:
    storage = read(shelf_of("lenovo"), "/redfish/v1/Systems/1/Storage", "$expand=.($levels=2)")
    assert all(drive["SerialNumber"] for member in storage["Members"] for drive in member["Drives"])
    one = read(shelf_of("lenovo"), "/redfish/v1/Systems/1/Storage", "$expand=.($levels=1)")
    assert {len(drive) for member in one["Members"] for drive in member["Drives"]} == {1}


@pytest.mark.parametrize("family", ["ilo5", "ilo6"])
def test_ilo_expands_members_only(family: Family) -> None:
    shelf = shelf_of(family)
    assert read(shelf, "/redfish/v1/Systems/1", "$expand=.") == read(shelf, "/redfish/v1/Systems/1")
    member = read(shelf, "/redfish/v1/Systems/1/Storage", "$expand=.")["Members"][0]
    assert {len(drive) for drive in member["Drives"]} == {1}


@pytest.mark.parametrize("family", FAMILIES)
def test_over_the_wire(family: Family, start: Any) -> None:
    _, _, client = start(default_bmc(family, 0))
    client.login()
    answer = client.get("/redfish/v1/Systems?%24expand=.(%24levels%3D1)")
    assert answer.status == (400 if family == "cray" else 200)
    if family != "cray":
        assert answer.json()["Members"][0]["PowerState"] == "On"
    assert client.get("/redfish/v1/Systems?$expand=.($levels=9)").status == 400


def test_a_bmc_without_expand_may_ignore_the_query(start: Any) -> None:
    _, _, client = start(replace(default_bmc("cray", 0), unsupported_expand="ignore"))
    client.login()
    answer = client.get("/redfish/v1/Systems?$expand=.($levels=1)")
    assert (answer.status, [len(m) for m in answer.json()["Members"]]) == (200, [1, 1])


@pytest.mark.parametrize("query", ["", "$expand=.($levels=1)"])
def test_pages(query: str) -> None:
    shelf, path = shelf_of("supermicro", page_size=3), "/redfish/v1/Systems/1/Memory"
    found, page, pages = [], read(shelf, path, query), 1
    found += page["Members"]
    while "Members@odata.nextLink" in page:
        link, _, rest = page["Members@odata.nextLink"].partition("?")
        page = read(shelf, link, rest)
        found += page["Members"]
        pages += 1
    assert (len(found), pages, page["Members@odata.count"]) == (16, 6, 16)
    assert ("CapacityMiB" in found[-1]) == bool(query)
