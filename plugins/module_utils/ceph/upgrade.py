# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Another image for a running cluster, by cephadm: one kind of daemon after the other, each daemon when the cluster can do without it.

What is added here is the watch: it begins only on a cluster that is well, and stops at the first thing that is not. It is begun once for
all kinds, not once for each: with every beginning cephadm gives managers and monitors new keys, and restarts them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
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
LOOKS: Final = 4
PAUSE: Final = 15
# In cephadm's order.
KINDS: Final = ("mgr", "mon", "crash", "osd", "mds", "rgw")


class UpgradeRefused(VitroError):
    code = "ceph_upgrade"
    cure = "Nothing was changed"


class UpgradePaused(VitroError):
    code = "ceph_upgrade_paused"
    cure = "Cure that and run it again: it goes on where it stopped. `ceph orch upgrade stop` gives it up, and leaves both versions running"


@dataclass(frozen=True, slots=True)
class UpgradePlan:
    """`left` are the daemons that have another image, `steps` what to do now, and `failure` why nothing more may be done after that."""

    left: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    awaited: tuple[str, ...] = ()
    failure: str = ""


def questions(image: str) -> dict[str, Command]:
    return {
        **info.QUESTIONS,
        "hosts": Command("orch host ls", manager=True),
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


def look(
    session: Session, image: str, ignored: Iterable[str] = (), *, begun: bool, pause: float = PAUSE
) -> tuple[dict[str, Any], UpgradePlan]:
    """What the cluster says, and what follows. What is wrong for a moment, as while a metadata server takes over, is no reason to stop."""
    for left in range(LOOKS, 0, -1):
        live = read_state(session, image)
        plan = plan_upgrade(image, live, ignored, begun=begun)
        if left == 1 or not plan.failure:
            break
        time.sleep(pause)
    return live, plan


def plan_upgrade(image: str, live: Mapping[str, Any], ignored: Iterable[str] = (), *, begun: bool = False) -> UpgradePlan:
    """`begun` says that this run has begun or resumed the upgrade already, so what cephadm stopped meanwhile stays so."""
    left = tuple(sorted(live["check"]["needs_update"], key=_place))
    complaints = [one for one in info.summary(live)["complaints"] if one["code"] not in OWN | set(ignored)]
    if (live["upgrade"] or {}).get("in_progress"):
        return _under_way(image, live, left, complaints, begun=begun)
    if not left and _settled(live):
        return UpgradePlan(steps=tuple(_closing(live)))
    if mistakes := [*_not_well(live, complaints), *_unseen(live)]:
        raise UpgradeRefused(f"Cannot upgrade the cluster now: {numbered(mistakes)}")
    start = Step(f"the upgrade of {counted(len(left), 'daemon')} begins", Command("orch upgrade start", {"image": image}, manager=True))
    return UpgradePlan(left, (start,), awaited=left or ("the end of the upgrade",))


def progress(plan: UpgradePlan, live: Mapping[str, Any]) -> str:
    status = live["upgrade"] or {}
    words = status.get("message") or status.get("progress")
    return f"upgrade: {counted(len(plan.left), 'daemon')} left{f'. {words}' if words else ''}"


def _under_way(
    image: str, live: Mapping[str, Any], left: tuple[str, ...], complaints: Sequence[Mapping[str, str]], *, begun: bool
) -> UpgradePlan:
    status = live["upgrade"]
    if status["target_image"] not in (image, live["check"]["target_name"], live["check"].get("target_digest")):
        raise UpgradeRefused(
            f"An upgrade to {status['target_image']} is under way, and {image} is wanted; "
            "let it end, or end it with `ceph orch upgrade stop`"
        )
    awaited = left or ("the end of the upgrade",)
    if status["is_paused"]:
        others = [f"{one['code']}: {one['message']}" for one in complaints if not one["code"].startswith(STOPPED)]
        if begun:
            return UpgradePlan(left, failure=f"cephadm stopped the upgrade: {status['message']}")
        if others:
            return UpgradePlan(left, failure=f"The upgrade stands, and may not go on: {numbered(others)}")
        return UpgradePlan(left, (Step("the upgrade goes on", Command("orch upgrade resume", manager=True)),), awaited)
    if ill := [f"{one['code']}: {one['message']}" for one in complaints if one["severity"] == "HEALTH_ERR" or one["code"] == BROKEN]:
        pause = Step("the upgrade is paused", Command("orch upgrade pause", manager=True))
        return UpgradePlan(left, (pause,), failure=f"The upgrade has to pause, for the cluster is not well: {numbered(ill)}")
    return UpgradePlan(left, awaited=awaited)


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


def changes(plan: UpgradePlan, *, all_of_it: bool) -> list[str]:
    """What is done now, or the daemons that would be restarted in the end, by their kinds."""
    if not all_of_it or not plan.left:
        return [one.what for one in plan.steps]
    return [f"{kind}: {', '.join(daemons)}" for kind, daemons in groupby(plan.left, _kind)]


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


def _place(daemon: str) -> tuple[int, str]:
    kind = _kind(daemon)
    return (KINDS.index(kind) if kind in KINDS else len(KINDS), daemon)
