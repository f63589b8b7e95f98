# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a running cluster is the planned one, and well."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from ..checks import Check
from . import clients, config, info, pools, spec
from .session import Command, Session

QUESTIONS: Final[dict[str, Command]] = {**info.QUESTIONS, **pools.QUESTIONS, **clients.QUESTIONS, **config.QUESTIONS, **spec.QUESTIONS}
CLUSTER: Final = "cluster"
WRITES: Final = re.compile(r"profile rbd pool=([^\s,]+)")
READS: Final = re.compile(r"profile rbd-read-only pool=([^\s,]+)")
LOOKS: Final = 6
PAUSE: Final = 10


def read_calm(session: Session, ignored: Iterable[str] = (), pause: float = PAUSE) -> dict[str, Any]:
    """What the cluster says. Some of what follows a change takes seconds and is no fault, such as a metadata server that takes over or
    placement groups that are split: then it is asked again."""
    for left in range(LOOKS, 0, -1):
        live = session.read(**QUESTIONS)
        if left == 1 or all(one.ok for one in _health(info.summary(live), frozenset(ignored))):
            break
        time.sleep(pause)
    return live


def judge(
    wanted: Mapping[str, Any], disks: Mapping[str, Mapping[str, str]], live: Mapping[str, Any], ignored: Iterable[str] = ()
) -> list[Check]:
    """`disks` has the kernel's name of each planned serial, by host; `ignored` are complaints of Ceph's that do not count."""
    seen = info.summary(live)
    return [
        *_health(seen, frozenset(ignored)),
        _release(wanted["release"], seen),
        *_monitors(wanted["hosts"], seen),
        *_osds(wanted, disks, seen),
        *_pools(wanted, live),
        *_settings(wanted, live),
    ]


def trial_of(given: Mapping[str, Any], live: Mapping[str, Any]) -> dict[str, Any]:
    """What is to be tried, with each client's key: it may write and read what its capabilities name, and no other pool of the cluster."""
    cluster, keys = given["cluster"], clients.keys_of(list(given["cluster"]["clients"]), live)
    blocks = [one["name"] for one in cluster["pools"] if one["application"] == "rbd"]
    tried = {}
    for name, key in keys.items():
        writes = WRITES.findall(cluster["clients"][name]["osd"])
        reads = READS.findall(cluster["clients"][name]["osd"])
        tried[name] = {"key": key, "writes": writes, "reads": reads, "denied": [one for one in blocks if one not in writes]}
    return {"timeout": given["timeout"], "clients": tried, "filesystem": cluster["filesystem"], "gateways": given["gateways"]}


def _health(seen: Mapping[str, Any], ignored: frozenset[str]) -> Iterator[Check]:
    said = [f"{one['code']}: {one['message']}" for one in seen["complaints"] if one["code"] not in ignored]
    yield Check("health", CLUSTER, "no complaint", "; ".join(said) or "none", not said)
    states, unclean = seen["placement_groups"], _unclean(seen)
    words = ", ".join(f"{count} {state}" for state, count in sorted(unclean.items()))
    yield Check("placement groups", CLUSTER, "all active and clean", words or f"all {sum(states.values())}", not unclean)
    versions = sorted(seen["versions"])
    yield Check("versions", CLUSTER, "one", "; ".join(versions), len(versions) == 1)


def _release(wanted: str, seen: Mapping[str, Any]) -> Check:
    """frontier.vitro.ceph_upgrade brings the planned one."""
    others = sorted(one for one in seen["versions"] if f" {wanted} " not in f" {one} ")
    return Check("release", CLUSTER, wanted, "; ".join(others) or wanted, not others)


def _unclean(seen: Mapping[str, Any]) -> dict[str, int]:
    return {state: count for state, count in seen["placement_groups"].items() if "active+clean" not in state}


def _monitors(hosts: Sequence[Mapping[str, Any]], seen: Mapping[str, Any]) -> Iterator[Check]:
    planned = sorted(one["hostname"] for one in hosts if "mon" in one["labels"])
    yield _same("monitors", CLUSTER, planned, seen["monitors"])
    yield _same("quorum", CLUSTER, planned, seen["quorum"])


def _osds(wanted: Mapping[str, Any], disks: Mapping[str, Mapping[str, str]], seen: Mapping[str, Any]) -> Iterator[Check]:
    """Each planned disk is under one OSD of its host, up and in, at its place in the tree; and nothing else is."""
    places = {one["hostname"]: {"host": one["hostname"], **one.get("location", {})} for one in wanted["hosts"]}
    by_device = {(one["places"].get("host"), device): one for one in seen["osds"] for device in one["devices"]}
    used = set()
    for service in (one for one in wanted["services"] if one["service_type"] == "osd"):
        host = service["placement"]["hosts"][0]
        for serial in service["spec"]["data_devices"]["serials"]:
            one = by_device.get((host, disks.get(host, {}).get(serial, "")))
            if one is None:
                yield Check("osd", f"{host} {serial}", "up and in", "no OSD is on this disk", ok=False)
                continue
            used.add(one["id"])
            state = " and ".join(name for name, good in (("down", not one["up"]), ("out", not one["in"])) if good) or "up and in"
            astray = {key: one["places"].get(key) for key, value in places[host].items() if one["places"].get(key) != value}
            words = f"osd.{one['id']} {state}" + (f", at {astray}" if astray else "")
            yield Check("osd", f"{host} {serial}", "up and in", words, state == "up and in" and not astray)
    left = [f"osd.{one['id']} on {one['places'].get('host', 'no host')}" for one in seen["osds"] if one["id"] not in used]
    yield Check("osds beside the plan", CLUSTER, "none", ", ".join(left) or "none", not left)


def _pools(wanted: Mapping[str, Any], live: Mapping[str, Any]) -> Iterator[Check]:
    try:
        plan = pools.plan_pools(pools.wanted_of(wanted), live)
        differs = [one.what for one in plan.steps]
    except pools.PoolsRefused as exc:
        differs = [exc.text]
    yield Check("pools", CLUSTER, f"{len(wanted['pools'])} as planned", "; ".join(differs) or "as planned", not differs)
    changed = [one.name for one in clients.plan_clients(wanted["clients"], live)]
    yield Check(
        "clients",
        CLUSTER,
        f"{len(wanted['clients'])} as planned",
        f"differ: {', '.join(changed)}" if changed else "as planned",
        not changed,
    )


def _settings(wanted: Mapping[str, Any], live: Mapping[str, Any]) -> Iterator[Check]:
    differ = [one.line for one in config.plan_settings([config.Setting(**one) for one in wanted["config"]], live)]
    yield Check(
        "settings", CLUSTER, f"{len(wanted['config'])} as planned", f"to set: {'; '.join(differ)}" if differ else "as planned", not differ
    )


def _same(check: str, target: str, wanted: Sequence[str], seen: Sequence[str]) -> Check:
    return Check(check, target, ", ".join(wanted), ", ".join(seen) or "none", list(wanted) == list(seen))
