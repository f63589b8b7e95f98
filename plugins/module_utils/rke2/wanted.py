# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a node is to have: RKE2's configuration and every file, from what the role was given. Secrets stand in it as marks only.

A mark is a word that no file has by chance. Its secret travels beside the files, is put in on the host, and is in no result and no diff.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from .errors import Rke2Refused
from .keys import SECRET, SERVER_KEYS
from .marks import hide

DATA_DIR: Final = "/var/lib/rancher/rke2"
CONFIG: Final = "/etc/rancher/rke2"
TOKEN, AGENT_TOKEN = f"{CONFIG}/token", f"{CONFIG}/agent-token"
# Parts of the configuration that need no restart: who runs already has no use for them.
JOIN: Final = f"{CONFIG}/config.yaml.d/10-vitro-join.yaml"
REGISTER: Final = f"{CONFIG}/config.yaml.d/20-vitro-register.yaml"
AUDIT, PSA = f"{CONFIG}/audit-policy.yaml", f"{CONFIG}/pod-security.yaml"
# Keys of registries.yaml below `configs.HOST.auth`.
REGISTRY_SECRETS: Final = frozenset({"password", "token", "auth", "identity_token"})


@dataclass(frozen=True, slots=True)
class Registration:
    """Where nodes register. `mode` says who holds the address: keepalived, kube-vip, external, or none, when it is the first server's."""

    mode: str = "none"
    address: str = ""
    prefix: int | None = None
    name: str = ""
    vrid: int | None = None
    interface: str = ""
    image: str = ""

    @property
    def url(self) -> str:
        host = self.address or self.name
        return f"https://{f'[{host}]' if ':' in host else host}:9345" if host else ""


@dataclass(frozen=True, slots=True)
class Planned:
    """What the plan decides. Empty values leave RKE2's own."""

    cni: str = ""
    pods: str = ""
    services: str = ""
    ingress: str = ""
    http_port: int | None = None
    https_port: int | None = None
    cis: bool = False
    reserved_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Wish:
    """One node, as the role's variables have it. `peers` are the addresses of all servers by name."""

    name: str
    role: str
    version: str
    servers: tuple[str, ...]
    data_dir: str = DATA_DIR
    address: str = ""
    config: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[str, ...] = ()
    registration: Registration = field(default_factory=Registration)
    planned: Planned = field(default_factory=Planned)
    registries: Mapping[str, Any] = field(default_factory=dict)
    manifests: Mapping[str, Any] = field(default_factory=dict)
    kubelet: Mapping[str, Any] = field(default_factory=dict)
    audit_rules: tuple[Mapping[str, Any], ...] = ()
    exempt_namespaces: tuple[str, ...] = ()
    fips: bool = False
    peers: Mapping[str, str] = field(default_factory=dict)

    @property
    def server(self) -> bool:
        return self.role == "server"

    @property
    def minor(self) -> int:
        """0 where the version is none, which the preflight tells."""
        part = self.version.split(".")[1:2]
        return int(part[0]) if part and part[0].isdigit() else 0


def registration_of(given: Mapping[str, Any]) -> Registration:
    """From plain data; numbers may be texts, as templates give them."""
    told = {key: value for key, value in given.items() if value is not None}
    known = [one.name for one in fields(Registration)]
    if unknown := sorted(set(told) - set(known)):
        raise Rke2Refused(f"rke2_registration has `{'`, `'.join(unknown)}`", cure=f"There are {', '.join(known)}")
    numbers = {key: int(told[key]) for key in ("prefix", "vrid") if str(told.get(key, "")).isdigit()}
    return Registration(**{**told, **numbers})


def wish_of(given: Mapping[str, Any]) -> Wish:
    """From plain data, as the role's variables give it. Texts of templates are of a kind of their own, which YAML does not write."""
    given = json.loads(json.dumps(given))
    planned = {key: value for key, value in (given.get("planned") or {}).items() if value is not None}
    lists = {key: tuple(given.get(key) or ()) for key in ("servers", "taints", "audit_rules", "exempt_namespaces")}
    registration = registration_of(given.get("registration") or {})
    return Wish(**{**given, **lists, "planned": Planned(**planned), "registration": registration})


def config_of(wish: Wish) -> dict[str, Any]:
    """config.yaml: what the role needs, and the operator's own keys over it. Without tokens and without `server`, which have files of
    their own: the one so that nothing secret is here, the other since the founder gets it only when there is something to join."""
    base: dict[str, Any] = {"node-name": wish.name, "token-file": TOKEN}
    if wish.address:
        base["node-ip"] = wish.address
    if wish.data_dir != DATA_DIR:
        base["data-dir"] = wish.data_dir
    if wish.planned.cis:
        base["profile"] = "cis"
    if wish.server:
        base |= _server(wish)
    # What is set for all nodes may be about servers alone.
    left_out = frozenset() if wish.server else SERVER_KEYS
    return {**base, **{key: value for key, value in wish.config.items() if key.removesuffix("+") not in left_out}}


def register_of(wish: Wish) -> dict[str, Any]:
    """What RKE2 reads only when the node registers for the first time."""
    labels = [f"{key}={value}" for key, value in sorted(wish.labels.items())]
    return {**({"node-label": labels} if labels else {}), **({"node-taint": list(wish.taints)} if wish.taints else {})}


def _server(wish: Wish) -> dict[str, Any]:
    planned, registration = wish.planned, wish.registration
    names = [one for one in (registration.address, registration.name) if one]
    given = {
        "tls-san": names,
        "cni": planned.cni,
        "cluster-cidr": planned.pods,
        "service-cidr": planned.services,
        "ingress-controller": planned.ingress,
    }
    base: dict[str, Any] = {key: value for key, value in given.items() if value}
    base |= {"agent-token-file": AGENT_TOKEN, "write-kubeconfig-mode": "0600", "audit-policy-file": AUDIT}
    if is_cis(wish):
        base["pod-security-admission-config-file"] = PSA
        # The benchmark from 1.11 on.
        base["kube-apiserver-arg"] = ["service-account-extend-token-expiration=false"]
    return base


def is_cis(wish: Wish) -> bool:
    profile = wish.config.get("profile", "cis" if wish.planned.cis else "")
    return str(profile).startswith("cis")


def networks_of(config: Mapping[str, Any], key: str) -> list[str]:
    """cluster-cidr and service-cidr are a text with commas, or a list."""
    value = config.get(key) or []
    parts: Sequence[str] = value.split(",") if isinstance(value, str) else [str(one) for one in value]
    return [one.strip() for one in parts if one.strip()]


def words_of(value: Any) -> list[str]:
    """What RKE2 takes as a list: a text with commas, or a list of such."""
    return [part.strip() for one in (value if isinstance(value, list) else [value]) for part in str(one).split(",") if part.strip()]


def hidden_config(wish: Wish, secrets: dict[str, str]) -> dict[str, Any]:
    hidden: dict[str, Any] = hide(config_of(wish), SECRET, secrets, "config")
    return hidden
