# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the preflight judges: every host with what it is to have and what it was found to have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .versions import LINES
from .wanted import Registration, words_of


@dataclass(frozen=True, slots=True)
class Host:
    """`wanted` is what frontier.vitro.rke2_render told of it, `found` what frontier.vitro.rke2_node_info did."""

    name: str
    wanted: Mapping[str, Any]
    found: Mapping[str, Any]

    @property
    def server(self) -> bool:
        return bool(self.wanted["role"] == "server")

    @property
    def config(self) -> Mapping[str, Any]:
        config: Mapping[str, Any] = self.wanted["config"]
        return config

    @property
    def addresses(self) -> list[str]:
        return [one for one in str(self.wanted["address"]).split(",") if one]

    @property
    def running(self) -> bool:
        return bool(self.found["units"][f"rke2-{self.wanted['role']}"]["running"])

    @property
    def joined(self) -> bool:
        """Whether it has data of a cluster, in the part that it is to have."""
        return bool(self.found["server_data"] if self.server else self.found["agent_data"])


@dataclass(frozen=True, slots=True)
class Site:
    """`servers` and `agents` are all that are meant, `hosts` those of them that this run reaches. `known` is what the site kept: the
    hash of its cluster's CA, and its nodes with their roles."""

    version: str
    servers: Sequence[str]
    agents: Sequence[str]
    hosts: Sequence[Host]
    registration: Registration = field(default_factory=Registration)
    method: str = "tarball"
    fips: bool = False
    upgrade: bool = False
    secrets: bool = True
    known: Mapping[str, Any] = field(default_factory=dict)

    @property
    def minor(self) -> int:
        part = self.version.split(".")[1:2]
        return int(part[0]) if part and part[0].isdigit() else LINES[-1]

    @property
    def home(self) -> str:
        """The hash of the CA of this site's cluster, if that is beyond doubt: the one that it had before, or the only one."""
        found = {one.found["ca"] for one in self.hosts if one.joined and one.found["ca"]}
        return str(self.known.get("ca") or (next(iter(found)) if len(found) == 1 else ""))

    @property
    def cnis(self) -> list[str]:
        config = next((one.config for one in self.hosts if one.server), {})
        return words_of(config.get("cni", "canal"))

    @property
    def ingresses(self) -> list[str]:
        config = next((one.config for one in self.hosts if one.server), {})
        # What RKE2 would choose by itself.
        return words_of(config.get("ingress-controller", "traefik" if self.minor >= 36 else "ingress-nginx"))
