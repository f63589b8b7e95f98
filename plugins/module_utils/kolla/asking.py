# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the questions of health.py to a host on which Kolla's containers run."""

from __future__ import annotations

import base64
import http.client
import os
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from ..checks import Check
from ..errors import VitroError
from .health import UNIT, judge_containers, judge_galera, judge_haproxy, judge_logs, judge_rabbitmq, judge_raft

DATABASES: Final = {"ovn_nb_db": ("ovnnb_db", "OVN_Northbound"), "ovn_sb_db": ("ovnsb_db", "OVN_Southbound")}
LONGEST = 300


class Unanswered(VitroError):
    code = "kolla_health"
    cure = "See that the container engine and systemd run on the host, and that you are root there"


@dataclass(frozen=True, slots=True)
class Host:
    """The host that this runs on, and what the plan wants of it."""

    engine: Literal["docker", "podman"]
    control: Sequence[str]
    ovn: Sequence[str]
    address: str
    database_password: str | None
    haproxy_password: str | None
    haproxy_port: int
    timeout: int
    logs: bool = True

    def ask(self, *command: str, **variables: str) -> str:
        """What a program says. Secrets go as variables, which do not stand in the process list."""
        try:
            done = subprocess.run(  # noqa: S603 - a tuple, and no shell
                command, capture_output=True, text=True, check=False, timeout=self.timeout, env=os.environ | variables
            )
        except subprocess.TimeoutExpired:
            raise Unanswered(f"{command[0]} gave no answer within {self.timeout} seconds") from None
        except OSError as exc:
            raise Unanswered(f"Cannot run {command[0]}: {exc.strerror}") from None
        if done.returncode:
            said = (done.stderr or done.stdout).strip()[:LONGEST]
            raise Unanswered(f"{command[0]} {command[1]} ended with {done.returncode}: {said or 'it said nothing'}")
        return done.stdout

    def exec(self, container: str, *command: str, **variables: str) -> str:
        handed = [part for name in variables for part in ("--env", name)]
        return self.ask(self.engine, "exec", *handed, container, *command, **variables)

    def statistics(self) -> str:
        """HAProxy's page, which listens without TLS on the host's own address."""
        token = base64.b64encode(f"openstack:{self.haproxy_password}".encode()).decode()
        connection = http.client.HTTPConnection(self.address, self.haproxy_port, timeout=self.timeout)
        try:
            connection.request("GET", "/;csv", headers={"Authorization": f"Basic {token}"})
            answer = connection.getresponse()
            page = answer.read().decode()
        except (OSError, http.client.HTTPException) as exc:
            raise Unanswered(f"HAProxy's page at {self.address}:{self.haproxy_port} gave no answer: {exc}") from None
        finally:
            connection.close()
        if answer.status != http.client.OK:
            raise Unanswered(f"HAProxy's page at {self.address}:{self.haproxy_port} answered {answer.status} {answer.reason}")
        return page


def ask_host(host: Host) -> list[Check]:
    """All checks that fit what Kolla runs on the host."""
    names = containers_of(host)
    if not names:
        return [Check("containers are there", "host", "containers with a unit of Kolla", "none", ok=False)]
    there = set(host.ask(host.engine, "ps", "--all", "--format", "{{.Names}}").split())
    present = [name for name in names if name in there]
    inspected = host.ask(host.engine, "inspect", *present) if present else "[]"
    units = host.ask("systemctl", "show", "--property=Id,Restart", *(UNIT.format(name=name) for name in names))
    checks = [*judge_containers(names, inspected, units), *([judge_logs(inspected)] if host.logs else [])]
    return [*checks, *(check for service, ask in _questions(host, present) for check in _answered(service, ask))]


def containers_of(host: Host) -> list[str]:
    """The containers that Kolla gave a unit, also those that are gone since."""
    # Asked for Kolla's alone, systemctl fails where there are none.
    listed = host.ask("systemctl", "list-unit-files", "--no-legend", "--plain", "--type=service")
    prefix, suffix = UNIT.split("{name}")
    files = [line.split()[0] for line in listed.splitlines() if line.strip()]
    return sorted(one.removeprefix(prefix).removesuffix(suffix) for one in files if one.startswith(prefix) and one.endswith(suffix))


def _questions(host: Host, present: Sequence[str]) -> Iterable[tuple[str, Callable[[], Iterable[Check]]]]:
    if "mariadb" in present and host.database_password:
        yield "mariadb", lambda: judge_galera(_wsrep(host), len(host.control))
    if "rabbitmq" in present:
        question = ("rabbitmqctl", "cluster_status", "--formatter", "json")
        yield "rabbitmq", lambda: judge_rabbitmq(host.exec("rabbitmq", *question), host.control)
    for container in DATABASES:
        if container in present:
            yield container, lambda container=container: _raft(host, container)  # type: ignore[misc]
    if "haproxy" in present and host.haproxy_password:
        yield "haproxy", lambda: judge_haproxy(host.statistics())


def _wsrep(host: Host) -> str:
    query = ("mariadb", "-h", host.address, "-u", "root", "-N", "-B", "-e", "SHOW STATUS LIKE 'wsrep%'")
    return host.exec("mariadb", *query, MYSQL_PWD=host.database_password or "")


def _raft(host: Host, container: str) -> Iterable[Check]:
    socket, database = DATABASES[container]
    answer = host.exec(container, "ovs-appctl", "-t", f"/var/run/ovn/{socket}.ctl", "cluster/status", database)
    return judge_raft(answer, database, len(host.ovn))


def _answered(service: str, ask: Callable[[], Iterable[Check]]) -> list[Check]:
    try:
        return list(ask())
    except Unanswered as exc:
        return [Check("service answers", service, "an answer", exc.text, ok=False)]
