# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Another image for a running cluster, stage by stage: managers, monitors, the OSDs of one host after the other, and the rest.

cephadm restarts a daemon only when the cluster can do without it. What is added here is the gate between stages: the next one begins only
when the cluster is as well as before the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..errors import VitroError, counted, numbered
from . import info
from .hosts import MAINTENANCE, Step
from .session import Command, Session

ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    "fsid": {"type": "str", "required": True},
    "cephadm": {"type": "str", "default": "cephadm"},
    "timeout": {"type": "int", "default": 60},
    "image": {"type": "str", "required": True},
    "ignored": {"type": "list", "elements": "str", "default": []},
    "begun": {"type": "bool", "default": False},
    "pause": {"type": "int", "default": 15},
    "patience": {"type": "int", "default": 1800},
}
# cephadm gives daemons new keys, and lets monitors take old ones beside them, for clients that have no others; Ceph complains of both.
ALLOWED: Final = frozenset({"AUTH_INSECURE_KEYS_ALLOWED", "AUTH_INSECURE_KEYS_CREATABLE"})
IN_USE: Final = frozenset(
    f"AUTH_INSECURE_{one}" for one in ("SERVICE_TICKETS", "CLIENT_KEY_TYPE", "SERVICE_KEY_TYPE", "ROTATING_SERVICE_KEY_TYPE")
)
SECURE: Final = "aes256k"
# What an upgrade itself brings about.
OWN: Final = frozenset({"DAEMON_OLD_VERSION", "OSD_UPGRADE_FINISHED"}) | ALLOWED | IN_USE
STOPPED: Final = "UPGRADE_"
# A daemon of the new image does not run.
BROKEN: Final = "CEPHADM_FAILED_DAEMON"
FEWEST_MANAGERS: Final = 2
OF_HOSTS: Final = ("crash", "osd")


class UpgradeRefused(VitroError):
    code = "ceph_upgrade"
    cure = "Nothing was changed"


class UpgradePaused(VitroError):
    code = "ceph_upgrade_paused"
    cure = "Cure that and run it again: it goes on where it stopped. `ceph orch upgrade stop` gives it up, and leaves both versions running"


@dataclass(frozen=True, slots=True)
class Stage:
    """`chosen` are cephadm's words for the daemons that it restarts; none for all that are left."""

    what: str
    daemons: tuple[str, ...]
    chosen: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class UpgradePlan:
    """`stages` are those that are left, `steps` what to do now, and `failure` why nothing more may be done after that."""

    stages: tuple[Stage, ...] = ()
    steps: tuple[Step, ...] = ()
    awaited: tuple[str, ...] = ()
    failure: str = ""


def questions(image: str) -> dict[str, Command]:
    return {
        **info.QUESTIONS,
        "hosts": Command("orch host ls", manager=True),
        "daemons": Command("orch ps", manager=True),
        "upgrade": Command("orch upgrade status", manager=True),
        "check": Command("orch upgrade check", {"image": image}, manager=True),
        "manager": Command("mgr dump"),
        "settings": Command("config dump"),
    }


def read_state(session: Session, image: str) -> dict[str, Any]:
    live = session.read(**questions(image))
    if live["check"] is None:
        # cephadm says in a sentence, and with the code of success, why the image will not do.
        (said,) = session.ask([questions(image)["check"]])
        raise UpgradeRefused(f"Cannot bring the cluster to {image}: {said.out.strip()}")
    return live


def plan_upgrade(image: str, live: Mapping[str, Any], ignored: Iterable[str] = (), *, begun: bool = False) -> UpgradePlan:
    """`begun` says that this run has begun or resumed the upgrade already, so it waits where it would refuse."""
    stages = tuple(_stages(live))
    status = live["upgrade"] or {"in_progress": False}
    complaints = [one for one in info.summary(live)["complaints"] if one["code"] not in OWN | set(ignored)]
    if status["in_progress"]:
        return _under_way(image, live, stages, complaints, begun=begun)
    if not stages:
        return UpgradePlan(steps=tuple(_closing(live)))
    if mistakes := [*_not_well(live, complaints), *_unseen(live)]:
        if begun:
            return UpgradePlan(stages, awaited=tuple(mistakes))
        raise UpgradeRefused(f"Cannot upgrade the cluster now: {numbered(mistakes)}")
    first = stages[0]
    return UpgradePlan(stages, (_start(image, first),), awaited=(first.what, *(one.what for one in stages[1:])))


def progress(plan: UpgradePlan, live: Mapping[str, Any]) -> str:
    status = live["upgrade"] or {"in_progress": False}
    left = counted(sum(len(one.daemons) for one in plan.stages), "daemon")
    if status["in_progress"]:
        return (
            f"upgrade: {plan.stages[0].what if plan.stages else 'the end'}, {left} left. {status['message'] or status['progress']}".strip()
        )
    return f"upgrade: {left} left, waits for: {'; '.join(plan.awaited)}"


def _under_way(
    image: str, live: Mapping[str, Any], stages: tuple[Stage, ...], complaints: Sequence[Mapping[str, str]], *, begun: bool
) -> UpgradePlan:
    status = live["upgrade"]
    if status["target_image"] not in (image, live["check"]["target_name"], live["check"].get("target_digest")):
        raise UpgradeRefused(
            f"An upgrade to {status['target_image']} is under way, and {image} is wanted; "
            "let it end, or end it with `ceph orch upgrade stop`"
        )
    awaited = tuple(one.what for one in stages) or ("the end of the upgrade",)
    if status["is_paused"]:
        others = [f"{one['code']}: {one['message']}" for one in complaints if not one["code"].startswith(STOPPED)]
        if begun:
            return UpgradePlan(stages, failure=f"cephadm stopped the upgrade: {status['message']}")
        if others:
            return UpgradePlan(stages, failure=f"The upgrade stands, and may not go on: {numbered(others)}")
        return UpgradePlan(stages, (Step("the upgrade goes on", Command("orch upgrade resume", manager=True)),), awaited)
    if ill := [f"{one['code']}: {one['message']}" for one in complaints if one["severity"] == "HEALTH_ERR" or one["code"] == BROKEN]:
        pause = Step("the upgrade is paused", Command("orch upgrade pause", manager=True))
        return UpgradePlan(stages, (pause,), failure=f"The upgrade was paused, for the cluster is not well: {numbered(ill)}")
    return UpgradePlan(stages, awaited=awaited)


def _stages(live: Mapping[str, Any]) -> Iterator[Stage]:
    places = {f"{one['daemon_type']}.{one['daemon_id']}": one["hostname"] for one in live["daemons"]}
    left = sorted(live["check"]["needs_update"])
    for kind, what in (("mgr", "managers"), ("mon", "monitors")):
        if daemons := tuple(one for one in left if _kind(one) == kind):
            yield Stage(what, daemons, {"daemon_types": kind})
    of_hosts = [one for one in left if _kind(one) in OF_HOSTS]
    for host in sorted({places[one] for one in of_hosts}):
        daemons = tuple(one for one in of_hosts if places[one] == host)
        yield Stage(f"OSDs of {host}", daemons, {"daemon_types": ",".join(OF_HOSTS), "hosts": host})
    rest = tuple(one for one in left if _kind(one) not in ("mgr", "mon", *OF_HOSTS))
    if left or not _settled(live):
        yield Stage("gateways, metadata servers and the rest", rest, {})


def _closing(live: Mapping[str, Any]) -> Iterator[Step]:
    """Nobody uses an old kind of key any more, so none is taken any more."""
    codes = {one["code"] for one in info.summary(live)["complaints"]}
    if codes & ALLOWED and not codes & IN_USE:
        chosen = {"name": "auth_allowed_ciphers", "value": SECURE}
        yield Step("monitors take no insecure kind of key any more", Command("mon set", chosen))


def _settled(live: Mapping[str, Any]) -> bool:
    """Whether daemons to come will have the image too; cephadm sees to that when nothing is left."""
    ours = next((one["value"] for one in live["settings"] if (one["section"], one["name"]) == ("global", "container_image")), None)
    return ours in (live["check"].get("target_digest"), live["check"]["target_name"])


def _start(image: str, stage: Stage) -> Step:
    return Step(_words(stage), Command("orch upgrade start", {"image": image, **stage.chosen}, manager=True))


def _words(stage: Stage) -> str:
    return f"{stage.what}: {', '.join(stage.daemons) or 'no daemon'}"


def changes(plan: UpgradePlan, *, all_of_it: bool) -> list[str]:
    """What is done now, or all that would be done in the end."""
    return [_words(one) for one in plan.stages] if all_of_it and plan.stages else [one.what for one in plan.steps]


def _not_well(live: Mapping[str, Any], complaints: Sequence[Mapping[str, str]]) -> Iterator[str]:
    seen = info.summary(live)
    yield from (f"{one['code']}: {one['message']}" for one in complaints)
    if unclean := sum(count for state, count in seen["placement_groups"].items() if "active+clean" not in state):
        yield f"{unclean} placement groups are not active and clean"
    if absent := sorted(set(seen["monitors"]) - set(seen["quorum"])):
        yield f"{', '.join(absent)} is not in the quorum"
    if down := [f"osd.{one['id']}" for one in seen["osds"] if not one["up"]]:
        yield f"{', '.join(down)} is down"
    for one in live["hosts"]:
        if one["status"]:
            yield (
                f"{one['hostname']} is in maintenance" if one["status"].lower() == MAINTENANCE else f"{one['hostname']} is {one['status']}"
            )
    if 1 + len(live["manager"]["standbys"]) < FEWEST_MANAGERS:
        yield "there is no second manager that could take over"


def _unseen(live: Mapping[str, Any]) -> Iterator[str]:
    if unseen := sorted(name for name, one in live["check"]["needs_update"].items() if not one["current_id"]):
        yield f"cephadm does not know yet what {', '.join(unseen)} runs"


def _kind(daemon: str) -> str:
    return daemon.partition(".")[0]
