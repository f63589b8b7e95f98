# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the services of a deployed host say of themselves, judged by what the plan wants. Each question has an answer that is text, so that
the judgement needs no host."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ..checks import Check

# Kolla starts containers by units of this name, and the unit restarts them, not the engine.
UNIT = "kolla-{name}-container.service"
LOG_VOLUME = "kolla_logs"
RESTARTING = ("always", "on-failure")


def judge_containers(names: Sequence[str], inspected: str, units: str) -> Iterator[Check]:
    """State, health and restarts of each container that Kolla made; `units` is what `systemctl show` says of their units."""
    restarts = dict(_restarts(units))
    found = {_name(one): one["State"] for one in json.loads(inspected)}
    for name in names:
        state = found.get(name, {"Status": "there is no such container"})
        yield Check("container runs", name, "running", state["Status"], state["Status"] == "running")
        # Docker leaves the key out where there is no health check, podman has it empty.
        health = (state.get("Health") or state.get("Healthcheck") or {}).get("Status") or ""
        if health:
            yield Check("container is healthy", name, "healthy", health, health == "healthy")
        policy = restarts.get(name, "no unit")
        yield Check("container restarts", name, " or ".join(RESTARTING), policy, policy in RESTARTING)


def judge_logs(inspected: str) -> Check:
    """Logs reach the central place by fluentd, which reads the volume that all services write to."""
    fluentd = next((one for one in json.loads(inspected) if _name(one) == "fluentd"), None)
    if fluentd is None:
        return Check("logs are forwarded", "fluentd", "runs and reads kolla_logs", "there is no such container", ok=False)
    reads = any(mount.get("Name") == LOG_VOLUME for mount in fluentd.get("Mounts") or ())
    seen = f"{fluentd['State']['Status']}, {'reads' if reads else 'does not read'} kolla_logs"
    return Check("logs are forwarded", "fluentd", "runs and reads kolla_logs", seen, ok=reads and fluentd["State"]["Status"] == "running")


def judge_galera(answer: str, members: int) -> Iterator[Check]:
    """The tab-separated answer to SHOW STATUS LIKE 'wsrep%'."""
    said = dict(line.split("\t", 1) for line in answer.splitlines() if "\t" in line)
    for check, key, wanted in (
        ("Galera has its members", "wsrep_cluster_size", str(members)),
        ("Galera has a quorum", "wsrep_cluster_status", "Primary"),
        ("Galera member is in step", "wsrep_local_state_comment", "Synced"),
        ("Galera member takes queries", "wsrep_ready", "ON"),
    ):
        seen = said.get(key, "not said")
        yield Check(check, "mariadb", wanted, seen, seen == wanted)


def judge_rabbitmq(answer: str, members: Sequence[str]) -> Iterator[Check]:
    """The JSON of `rabbitmqctl cluster_status`; nodes are called rabbit@ and the name of their host."""
    said = json.loads(answer)
    wanted = sorted(f"rabbit@{name}" for name in members)
    running = sorted(said["running_nodes"])
    yield Check("RabbitMQ has its members", "rabbitmq", ", ".join(wanted), ", ".join(running), running == wanted)
    partitions = said.get("partitions") or {}
    yield Check("RabbitMQ is in one part", "rabbitmq", "no partition", str(partitions or "no partition"), not partitions)
    alarms = said.get("alarms") or []
    yield Check("RabbitMQ has room", "rabbitmq", "no alarm", str(alarms or "no alarm"), not alarms)


def judge_raft(answer: str, database: str, members: int) -> Iterator[Check]:
    """The text of `cluster/status`."""
    said = dict(re.findall(r"^(Status|Role|Leader): (.+)$", answer, re.MULTILINE))
    servers = len(re.findall(r"^\s+[0-9a-f]{4} \([0-9a-f]{4} at ", answer, re.MULTILINE))
    yield Check(f"{database} has its members", database, str(members), str(servers), servers == members)
    status = said.get("Status", "not said")
    yield Check(f"{database} is in its cluster", database, "cluster member", status, status == "cluster member")
    leader = said.get("Leader", "not said")
    yield Check(f"{database} has a leader", database, "known", leader, leader not in ("unknown", "not said"))


def judge_haproxy(answer: str) -> Iterator[Check]:
    """The CSV of the statistics page: every server of every backend answers. `no check` is a server that nobody asks."""
    rows = csv.DictReader(io.StringIO(answer.removeprefix("# ")))
    servers: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        if row["svname"] not in ("FRONTEND", "BACKEND"):
            servers.setdefault(row["pxname"], []).append(row)
    for backend, members in sorted(servers.items()):
        down = [f"{row['svname']} {row['status']}" for row in members if not row["status"].startswith(("UP", "no check"))]
        wanted = f"{len(members)} servers up"
        yield Check("HAProxy backend is whole", backend, wanted, ", ".join(down) or wanted, not down)


def _name(container: dict[str, Any]) -> str:
    return str(container["Name"]).lstrip("/")


def _restarts(units: str) -> Iterator[tuple[str, str]]:
    """Container and policy of each unit; `systemctl show` gives a block of lines for each."""
    for block in units.split("\n\n"):
        values = dict(line.split("=", 1) for line in block.splitlines() if "=" in line)
        named = re.fullmatch(r"kolla-(.+)-container\.service", values.get("Id", ""))
        if named:
            yield named[1], values.get("Restart", "no")
