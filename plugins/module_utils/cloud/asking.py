# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the questions of health.py to a cloud."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from ..checks import Check
from .client import Cloud, Endpoint
from .errors import CloudRequest, CloudUnreachable
from .health import judge_agents, judge_compute_services, judge_endpoints, judge_hypervisors, judge_volume_services

AT_ONCE: Final = 8
VOLUMES: Final = frozenset({"block-storage", "volumev3", "volume", "block-store"})


def ask_cloud(cloud: Cloud, planned: Sequence[str], interfaces: Sequence[str]) -> list[Check]:
    """All checks. That it cannot be logged in is an error; a service that then does not answer is a check that is not well."""
    endpoints = [one for one in cloud.endpoints() if one.interface in interfaces]
    checks = list(judge_endpoints(knock_all(cloud, endpoints)))
    if not endpoints:
        checks.append(Check("endpoint answers", "the catalogue", "endpoints", f"none for {' or '.join(interfaces)}", ok=False))
    return [*checks, *(check for service, ask in _questions(cloud, planned) for check in _answered(service, ask))]


def knock_all(cloud: Cloud, endpoints: Sequence[Endpoint]) -> dict[Endpoint, int | str]:
    ordered = sorted(set(endpoints), key=lambda one: (one.service, one.interface, one.url))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(ordered, pool.map(lambda one: cloud.knock(one.url), ordered), strict=True))


def _questions(cloud: Cloud, planned: Sequence[str]) -> Iterator[tuple[str, Callable[[], Iterable[Check]]]]:
    yield "compute", lambda: judge_compute_services(cloud.get("compute", "/os-services")["services"])
    yield "network", lambda: judge_agents(cloud.get("network", "/agents")["agents"])
    if any(one.service in VOLUMES for one in cloud.endpoints()):
        yield "block-storage", lambda: judge_volume_services(cloud.get("block_storage", "/os-services")["services"])
    yield "hypervisors", lambda: judge_hypervisors(cloud.get("compute", "/os-hypervisors/detail")["hypervisors"], planned)


def _answered(service: str, ask: Callable[[], Iterable[Check]]) -> list[Check]:
    try:
        return list(ask())
    except (CloudRequest, CloudUnreachable) as exc:
        return [Check("service answers", service, "an answer", exc.text, ok=False)]
