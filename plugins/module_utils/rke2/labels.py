# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels and taints of nodes that live: RKE2 sets those of its configuration only when a node registers for the first time.

Which of them are the role's stands in annotations of the node, so that others' are left alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from . import layout
from .cluster import MANAGED, Node, read_nodes
from .errors import Rke2Refused

LABELS, TAINTS = f"{MANAGED}labels", f"{MANAGED}taints"
PATCH: Final = "application/merge-patch+json"


@dataclass(frozen=True, slots=True)
class Change:
    """What to set, and what to take away with None; `taints` are all of the node's, or None where they stay."""

    node: str
    labels: dict[str, str | None] = field(default_factory=dict)
    taints: list[str] | None = None
    annotations: dict[str, str | None] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.labels or self.taints is not None or self.annotations)

    def lines(self) -> list[str]:
        said = [f"{self.node}: {key} is {'taken away' if value is None else f'`{value}`'}" for key, value in self.labels.items()]
        return said + ([f"{self.node}: taints are {', '.join(self.taints) or 'none'}"] if self.taints is not None else [])


def plan_node(node: Node, labels: Mapping[str, str], taints: Iterable[str]) -> Change:
    """The smallest change. What the node has from its configuration and nobody wants any more, is the role's as soon as it was noted."""
    ours, our_taints = _noted(node, LABELS), _noted(node, TAINTS)
    wanted = [normal(one) for one in taints]
    changed: dict[str, str | None] = {key: value for key, value in labels.items() if node.labels.get(key) != value}
    changed |= {key: None for key in ours if key not in labels and key in node.labels}
    kept = [one for one in node.taints if normal(one) not in {normal(other) for other in our_taints} or normal(one) in wanted]
    all_taints = kept + [one for one in wanted if one not in {normal(other) for other in kept}]
    notes: dict[str, str | None] = {}
    for key, now, before in ((LABELS, sorted(labels), ours), (TAINTS, sorted(wanted), our_taints)):
        if now != before:
            notes[key] = json.dumps(now) if now else None
    return Change(node.name, changed, None if all_taints == list(node.taints) else all_taints, notes)


def _noted(node: Node, key: str) -> list[str]:
    told = json.loads(node.annotations.get(key) or "[]")
    return [str(one) for one in told]


def normal(taint: str) -> str:
    """A taint without a value is written in two ways."""
    return taint.replace("=:", ":")


def write_node(data: Path, change: Change, *, timeout: float) -> None:
    body: dict[str, Any] = {"metadata": {"labels": change.labels, "annotations": change.annotations}}
    if change.taints is not None:
        body["spec"] = {"taints": [_taint(one) for one in change.taints]}
    layout.api(data, timeout).json("PATCH", f"/api/v1/nodes/{change.node}", body, PATCH)


def _taint(text: str) -> dict[str, str]:
    key, _, effect = text.rpartition(":")
    name, _, value = key.partition("=")
    return {"key": name, "effect": effect, **({"value": value} if value else {})}


def ensure_nodes(data: Path, wanted: Mapping[str, Mapping[str, Any]], *, timeout: float, check_mode: bool) -> list[Change]:
    """`wanted` has labels and taints by node; nodes that are not there yet are nobody's business here."""
    there = {one.name: one for one in read_nodes(data, timeout=timeout)}
    plans = [plan_node(there[name], one.get("labels") or {}, one.get("taints") or ()) for name, one in wanted.items() if name in there]
    if not check_mode and (missing := sorted(set(wanted) - set(there))):
        raise Rke2Refused(
            f"Cannot label {', '.join(missing)}: the cluster has no such node", cure="Start it first with frontier.vitro.rke2"
        )
    changes = [one for one in plans if one]
    for one in changes:
        if not check_mode:
            write_node(data, one, timeout=timeout)
    return changes
