# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a running cluster says of itself, in one answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .session import Command

QUESTIONS: Final = {
    "status": Command("status"),
    "tree": Command("osd tree"),
    "metadata": Command("osd metadata"),
    "monitors": Command("mon dump"),
    "versions": Command("versions"),
    # Without a manager the rest can still be told.
    "running": Command("orch ls", manager=True, may_fail=True),
    # cephadm tries again and again what it cannot do, and says so nowhere but here.
    "errors": Command("log last", {"num": 20, "level": "error", "channel": "cephadm"}, may_fail=True),
}

LONGEST: Final = 300


def summary(live: Mapping[str, Any]) -> dict[str, Any]:
    status, groups = live["status"], live["status"]["pgmap"]
    return {
        "fsid": status["fsid"],
        "health": status["health"]["status"],
        "complaints": [
            {"code": code, "severity": one["severity"], "message": one["summary"]["message"]}
            for code, one in sorted(status["health"]["checks"].items())
        ],
        "monitors": sorted(one["name"] for one in live["monitors"]["mons"]),
        "quorum": sorted(status["quorum_names"]),
        "osds": osds(live),
        "capacity": {"total": groups.get("bytes_total", 0), "used": groups.get("bytes_used", 0), "free": groups.get("bytes_avail", 0)},
        "placement_groups": {one["state_name"]: one["count"] for one in groups["pgs_by_state"]},
        "misplaced": groups.get("misplaced_ratio", 0),
        "degraded": groups.get("degraded_ratio", 0),
        "versions": live["versions"]["overall"],
        "services": {
            one["service_name"]: {"running": one["status"].get("running", 0), "wanted": one["status"].get("size", 0)}
            for one in live["running"] or ()
        },
        "errors": list(
            dict.fromkeys(one["message"].strip().splitlines()[0][:LONGEST] for one in live["errors"] or () if one["message"].strip())
        )[-3:],
    }


def osds(live: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every OSD with its host, the places above that, and the devices under it."""
    nodes = {one["id"]: one for one in live["tree"]["nodes"]}
    above = {child: one for one in nodes.values() for child in one.get("children", ())}
    told = {one["id"]: one for one in live["metadata"]}
    found = []
    for one in (*nodes.values(), *live["tree"].get("stray", ())):
        if one["type"] != "osd":
            continue
        places, at = {}, one["id"]
        while at in above:
            at = above[at]["id"]
            places[nodes[at]["type"]] = nodes[at]["name"]
        devices = [name for name in told.get(one["id"], {}).get("devices", "").split(",") if name]
        reweight = one.get("reweight", 0)
        found.append(
            {
                "id": one["id"],
                "up": one["status"] == "up",
                "in": reweight > 0,
                "class": one.get("device_class"),
                "places": places,
                "devices": devices,
            }
        )
    return sorted(found, key=lambda one: one["id"])
