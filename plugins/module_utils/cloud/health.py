# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a cloud says of itself, judged by what the plan wants. Answers are JSON as the services give it, so that judging needs no cloud."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..checks import Check
from .client import Endpoint

# An endpoint asked without a token says who it is (200, 300), or that it wants one (401, 403).
FAULT: Final = 500
NOT_THERE: Final = 404


def judge_endpoints(answers: Mapping[Endpoint, int | str]) -> Iterator[Check]:
    for one, seen in answers.items():
        ok = isinstance(seen, int) and seen < FAULT and seen != NOT_THERE
        yield Check("endpoint answers", f"{one.service} {one.interface} {one.url}", "an answer", str(seen), ok)


def judge_compute_services(services: Sequence[Mapping[str, Any]]) -> Iterator[Check]:
    yield from _services("Nova", services)


def judge_volume_services(services: Sequence[Mapping[str, Any]]) -> Iterator[Check]:
    yield from _services("Cinder", services)


def judge_agents(agents: Sequence[Mapping[str, Any]]) -> Iterator[Check]:
    for one in sorted(agents, key=lambda one: (one["host"], one["agent_type"])):
        seen = f"{'alive' if one['alive'] else 'dead'}, {'enabled' if one['admin_state_up'] else 'disabled'}"
        yield Check("Neutron agent works", f"{one['host']} {one['agent_type']}", "alive, enabled", seen, seen == "alive, enabled")
    if not agents:
        yield Check("Neutron agent works", "Neutron", "agents", "none", ok=False)


def judge_hypervisors(hypervisors: Sequence[Mapping[str, Any]], planned: Sequence[str]) -> Iterator[Check]:
    """Exactly those of the plan. Each is known by the host of its service, since its own name may have a domain."""
    found = {str(one["service"]["host"]): one for one in hypervisors}
    wanted = ", ".join(sorted(planned))
    yield Check(
        "hypervisors are the plan's compute hosts", "Nova", wanted or "none", ", ".join(sorted(found)) or "none", set(found) == set(planned)
    )
    for host in sorted(set(found) & set(planned)):
        state = str(found[host]["state"])
        yield Check("hypervisor is up", host, "up", state, state == "up")


def _services(name: str, services: Sequence[Mapping[str, Any]]) -> Iterator[Check]:
    for one in sorted(services, key=lambda one: (one["host"], one["binary"])):
        seen = f"{one['state']}, {one['status']}"
        reason = f" ({one['disabled_reason']})" if one.get("disabled_reason") else ""
        yield Check(f"{name} service works", f"{one['host']} {one['binary']}", "up, enabled", seen + reason, seen == "up, enabled")
    if not services:
        yield Check(f"{name} service works", name, "services", "none", ok=False)
