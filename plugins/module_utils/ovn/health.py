# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the running OVN is the planned one, and well. Each question is judged from values, so that no host is needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..checks import Check
from . import chassis as records
from . import gateways
from .database import Row
from .members import JOINED
from .raft import DATABASES, lag

# Entries that a follower may be behind while somebody writes.
BEHIND: Final = 50
NORTHBOUND: Final = gateways.TABLES
SOUTHBOUND: Final = records.RECORDS


def judge_members(wanted: Mapping[str, Any], found: Mapping[str, Mapping[str, Any]]) -> Iterator[Check]:
    """`found` is what each member said of its databases."""
    for kind, name in DATABASES.items():
        urls = wanted["raft"][kind]
        states = {host: found[host][kind].get("status") for host in urls if host in found}
        for host in urls:
            state = states.get(host) or {}
            seen = state.get("status") or found.get(host, {}).get(kind, {}).get("silence") or "not asked"
            yield Check("member", f"{name} {host}", JOINED, seen, seen == JOINED)
        live = {host: state for host, state in states.items() if state}
        yield from _together(name, urls, live)


def _together(name: str, urls: Mapping[str, str], live: Mapping[str, Mapping[str, Any]]) -> Iterator[Check]:
    """What the members say of one another."""
    planned = sorted(urls.values())
    for host, state in live.items():
        listed = sorted(one["address"] for one in state["members"])
        yield Check("members", f"{name} {host}", ", ".join(planned), ", ".join(listed), listed == planned)
    leaders = [host for host, state in live.items() if state["role"] == "leader"]
    agreed = {state["leader"] if state["leader"] != "self" else state["server"][:4] for state in live.values()}
    yield Check("leader", name, "one", ", ".join(leaders) or "none", len(leaders) == 1 and len(agreed) == 1)
    clusters = {state["cluster"] for state in live.values()}
    yield Check("cluster", name, "one", ", ".join(sorted(one[:8] for one in clusters)) or "none", len(clusters) == 1)
    last = max((int(state["entries"][1]) for state in live.values()), default=0)
    behind = {host: lag(state, last) for host, state in live.items()}
    words = ", ".join(f"{host} {count} behind" for host, count in behind.items() if count > BEHIND)
    yield Check("log", name, f"at most {BEHIND} entries behind", words or f"at most {max(behind.values(), default=0)} behind", not words)


def judge_timers(wanted: Mapping[str, Any], found: Mapping[str, Mapping[str, Any]]) -> Iterator[Check]:
    timer = wanted["timers"]["election_ms"]
    for kind, name in DATABASES.items():
        seen = {(one[kind].get("status") or {}).get("election_ms") for one in found.values()}
        yield Check("election timer", name, f"{timer} ms", ", ".join(f"{one} ms" for one in sorted(seen, key=str)), seen == {timer})


def judge_chassis(wanted: Mapping[str, Any], live: Mapping[str, Sequence[Row]]) -> Iterator[Check]:
    """Each planned one is there once, by its name, its host name and its address; others stand in nobody's way."""
    there = records.registered(live)
    names, hosts = Counter(one.name for one in there), Counter(one.hostname for one in there)
    addresses = Counter(address for one in there for address in one.addresses)
    for name, one in wanted["chassis"].items():
        found = next((chassis for chassis in there if chassis.name == name), None)
        if found is None:
            yield Check("chassis", name, "registered once", "not registered", ok=False)
            continue
        twice = [
            what
            for what, count in (("name", names[name]), ("host name", hosts[found.hostname]), ("address", addresses[one["encap_ip"]]))
            if count > 1
        ]
        where = found.addresses == (one["encap_ip"],)
        words = f"its {' and '.join(twice)} more than once" if twice else "registered once"
        yield Check(
            "chassis", name, "registered once", words if where else f"{words}, at {', '.join(found.addresses)}", where and not twice
        )
        kind = "gateway" if one["gateway"] else "no gateway"
        yield Check("gateway flag", name, kind, "gateway" if found.gateway else "no gateway", found.gateway == one["gateway"])
    stale = records.stale(there, {name: one["encap_ip"] for name, one in wanted["chassis"].items()})
    yield Check(
        "old records of chassis", "OVN_Southbound", "none", "; ".join(f"{name}: {why}" for name, why in stale.items()) or "none", not stale
    )


def judge_gateways(wanted: Mapping[str, Any], live: Mapping[str, Sequence[Row]]) -> Iterator[Check]:
    order = gateways.ring(wanted["gateways"])
    current, planned = gateways.plan_gateways(live, order)
    differ = [
        f"{name} has {', '.join(current[name])}, wanted {', '.join(planned[name])}" for name in planned if planned[name] != current[name]
    ]
    wanted_words = f"{len(gateways.rankings(live))} spread over {len(order)} chassis"
    yield Check("gateways", "routers", wanted_words, "; ".join(differ) or "as planned", not differ)


def judge_translation(counted: tuple[int, int]) -> Check:
    """northd has come as far as a change that was made for this question."""
    wanted, seen = counted
    words = "translates" if seen >= wanted else f"{wanted - seen} changes behind"
    return Check("northd", "OVN_Northbound", "translates", words, seen >= wanted)
