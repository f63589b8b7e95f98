# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pools, their CRUSH rules, erasure codes and the file system: what is wanted against what the cluster has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from ..errors import VitroError, numbered
from .session import Command

# The manager's own, and what an object gateway makes by itself.
OWN: Final = (".mgr", ".nfs", "default.rgw.", ".rgw.")
REPLICATED: Final = 1
QUESTIONS: Final = {
    "osds": Command("osd dump"),
    "rules": Command("osd crush rule dump"),
    "filesystems": Command("fs ls"),
}

EMPTY: Final[Mapping[str, Any]] = {"osds": {"pools": [], "erasure_code_profiles": {}}, "rules": [], "filesystems": []}


class PoolsRefused(VitroError):
    code = "ceph_pools"
    cure = "Nothing was changed"


@dataclass(frozen=True, slots=True)
class Pool:
    name: str
    application: Literal["rbd", "rgw", "cephfs"]
    copies: int | None = None
    minimum: int | None = None
    data_chunks: int | None = None
    coding_chunks: int | None = None
    placement_groups: int = 8
    share: int = 0
    quota_bytes: int | None = None

    @property
    def erasure(self) -> bool:
        return self.copies is None


@dataclass(frozen=True, slots=True)
class Wanted:
    """`domain` is the CRUSH type over which copies are spread. `fewer_copies` and `deleted` are pools for which the operator said so."""

    pools: tuple[Pool, ...]
    domain: Literal["host", "rack"]
    filesystem: str | None = None
    fewer_copies: frozenset[str] = frozenset()
    deleted: frozenset[str] = frozenset()

    @property
    def rule(self) -> str:
        return f"vitro-{self.domain}"

    def profile(self, pool: Pool) -> str:
        return f"vitro-{pool.data_chunks}-{pool.coding_chunks}-{self.domain}"


@dataclass(frozen=True, slots=True)
class Step:
    """A change: `what` for people, and the commands that make it."""

    what: str
    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """`unplanned` are pools that nobody asked for; they stay."""

    steps: tuple[Step, ...]
    unplanned: tuple[str, ...]


def wanted_of(cluster: Mapping[str, Any], fewer_copies: Iterable[str] = (), deleted: Iterable[str] = ()) -> Wanted:
    """What the document of the wanted cluster says of pools."""
    made = tuple(Pool(**one) for one in cluster["pools"])
    return Wanted(made, cluster["domain"], cluster["filesystem"], frozenset(fewer_copies), frozenset(deleted))


def plan_pools(wanted: Wanted, live: Mapping[str, Any]) -> Plan:
    """What must change, or every reason why it may not."""
    pools = {one["pool_name"]: one for one in live["osds"]["pools"]}
    rules = {one["rule_id"]: one["rule_name"] for one in live["rules"]}
    refused = [words for one in wanted.pools if one.name in pools for words in _refusals(one, pools[one.name], wanted, live)]
    refused += [
        f"the pool {name} shall be deleted, and the plan has it" for name in sorted(wanted.deleted & {one.name for one in wanted.pools})
    ]
    if refused:
        raise PoolsRefused(f"Cannot bring the pools to the plan: {numbered(refused)}")
    steps = [*_foundations(wanted, live, set(rules.values()))]
    for pool in wanted.pools:
        steps += [_create(pool, wanted)] if pool.name not in pools else _adjust(pool, pools[pool.name], wanted, rules)
    steps += _filesystem(wanted, live["filesystems"])
    steps += [_delete(name) for name in sorted(wanted.deleted & set(pools))]
    planned = {one.name for one in wanted.pools} | wanted.deleted
    return Plan(tuple(steps), tuple(sorted(name for name in pools if name not in planned and not name.startswith(OWN))))


def _refusals(pool: Pool, there: Mapping[str, Any], wanted: Wanted, live: Mapping[str, Any]) -> Iterator[str]:
    name = pool.name
    if (there["type"] != REPLICATED) is not pool.erasure:
        forms = ("copied", "erasure-coded")
        was, shall = forms[not pool.erasure], forms[pool.erasure]
        yield f"{name} is {was} and shall be {shall}: that cannot be changed; make a new pool and move its data"
        return
    applications = set(there.get("application_metadata", {}))
    if applications and pool.application not in applications:
        yield f"{name} is used by {', '.join(sorted(applications))}, not by {pool.application}: is it another pool of that name?"
    if pool.copies and there["size"] > pool.copies and name not in wanted.fewer_copies:
        yield (
            f"{name} has {there['size']} copies and shall have {pool.copies}: it would survive less, with all its data; "
            "name it in fewer_copies if that is meant"
        )
    if pool.erasure:
        profile = live["osds"]["erasure_code_profiles"].get(there["erasure_code_profile"], {})
        chunks = (profile.get("k"), profile.get("m"))
        if chunks != (str(pool.data_chunks), str(pool.coding_chunks)):
            yield (
                f"{name} has the erasure code {chunks[0]}+{chunks[1]} and shall have {pool.data_chunks}+{pool.coding_chunks}: "
                "that cannot be changed; make a new pool and move its data"
            )


def _foundations(wanted: Wanted, live: Mapping[str, Any], rules: set[str]) -> Iterator[Step]:
    if wanted.rule not in rules and any(not one.erasure for one in wanted.pools):
        rule = {"name": wanted.rule, "root": "default", "type": wanted.domain}
        yield Step(f"rule {wanted.rule}: one copy in each {wanted.domain}", (Command("osd crush rule create-replicated", rule),))
    profiles = live["osds"]["erasure_code_profiles"]
    for name, pool in {wanted.profile(one): one for one in wanted.pools if one.erasure}.items():
        if name not in profiles:
            words = [f"k={pool.data_chunks}", f"m={pool.coding_chunks}", f"crush-failure-domain={wanted.domain}"]
            yield Step(f"erasure code {name}", (Command("osd erasure-code-profile set", {"name": name, "profile": words}),))


def _create(pool: Pool, wanted: Wanted) -> Step:
    made: dict[str, Any] = {"pool": pool.name, "pg_num": pool.placement_groups, "autoscale_mode": "on"}
    if pool.erasure:
        made |= {"pool_type": "erasure", "erasure_code_profile": wanted.profile(pool)}
    else:
        made |= {"pool_type": "replicated", "rule": wanted.rule, "size": pool.copies}
    if pool.name.startswith("."):
        # Ceph refuses such names with the code of success, but those of an object gateway begin so.
        made["yes_i_really_mean_it"] = True
    if pool.share:
        made["target_size_ratio"] = pool.share / 100
    commands = [Command("osd pool create", made), Command("osd pool application enable", {"pool": pool.name, "app": pool.application})]
    if pool.minimum:
        commands.append(_set(pool.name, "min_size", pool.minimum))
    if pool.erasure and pool.application != "rgw":
        commands.append(_set(pool.name, "allow_ec_overwrites", "true"))
    if pool.quota_bytes is not None:
        commands.append(_quota(pool))
    form = f"{pool.copies} copies" if not pool.erasure else f"erasure code {pool.data_chunks}+{pool.coding_chunks}"
    return Step(f"pool {pool.name}: made with {form} for {pool.application}", tuple(commands))


def _adjust(pool: Pool, there: Mapping[str, Any], wanted: Wanted, rules: Mapping[int, str]) -> Iterator[Step]:
    if pool.application not in there.get("application_metadata", {}):
        yield Step(
            f"pool {pool.name}: for {pool.application}",
            (Command("osd pool application enable", {"pool": pool.name, "app": pool.application}),),
        )
    for name, have, want in _settings(pool, there, wanted, rules):
        if have != want:
            yield Step(f"pool {pool.name}: {name} {have} becomes {want}", (_set(pool.name, name, want),))
    if pool.quota_bytes is not None and there["quota_max_bytes"] != pool.quota_bytes:
        yield Step(f"pool {pool.name}: quota {there['quota_max_bytes']} becomes {pool.quota_bytes} bytes", (_quota(pool),))


def _settings(pool: Pool, there: Mapping[str, Any], wanted: Wanted, rules: Mapping[int, str]) -> Iterator[tuple[str, object, object]]:
    if not pool.erasure:
        yield "crush_rule", rules.get(there["crush_rule"]), wanted.rule
        yield "size", there["size"], pool.copies
    if pool.minimum:
        yield "min_size", there["min_size"], pool.minimum
    yield "pg_autoscale_mode", there["pg_autoscale_mode"], "on"
    yield "target_size_ratio", round(there["options"].get("target_size_ratio", 0), 4), round(pool.share / 100, 4)


def _filesystem(wanted: Wanted, there: Iterable[Mapping[str, Any]]) -> Iterator[Step]:
    if wanted.filesystem and wanted.filesystem not in {one["name"] for one in there}:
        pools = [one.name for one in wanted.pools if one.application == "cephfs"]
        metadata = next(name for name in pools if name.endswith("metadata"))
        data = next(name for name in pools if name != metadata)
        made = {"fs_name": wanted.filesystem, "metadata": metadata, "data": data}
        yield Step(f"file system {wanted.filesystem} on {metadata} and {data}", (Command("fs new", made),))


def _delete(name: str) -> Step:
    """Deleting is switched on for this one command, and off again whatever it says."""
    allow = {"who": "mon", "name": "mon_allow_pool_delete"}
    sure = {"pool": name, "pool2": name, "yes_i_really_really_mean_it": True}
    return Step(
        f"pool {name}: deleted with all its data",
        (
            Command("config set", {**allow, "value": "true"}),
            Command("osd pool delete", sure, may_fail=True),
            Command("config rm", allow),
        ),
    )


def _set(pool: str, name: str, value: object) -> Command:
    return Command("osd pool set", {"pool": pool, "var": name, "val": str(value)})


def _quota(pool: Pool) -> Command:
    return Command("osd pool set-quota", {"pool": pool.name, "field": "max_bytes", "val": str(pool.quota_bytes)})
