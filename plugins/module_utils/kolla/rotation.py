# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of Kolla's passwords can be made anew by reconfiguring, which services hold each, and what is kept until that is done.

What can be rotated is Kolla's own word (doc/source/admin/password-rotation.rst); who holds a password is read from the installed package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, Literal

import yaml

from ..errors import VitroError, numbered
from ..records import record
from .package import Package
from .passwords import complete, read_passwords
from .tree import nearest
from .words import yaml_text

ALL: Final = "all"
WORD: Final = re.compile(r"[A-Za-z_]\w*")
BLOCK: Final = re.compile(r"^([a-z]\w*):(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
# What a play hands to its role, on one line.
HANDED: Final = re.compile(r"^ +([a-z]\w*): (.+)$", re.MULTILINE)
PARTS: Final = ("defaults", "handlers", "tasks", "templates", "vars")
# Roles that serve others, or that no play of a deployment has.
NO_SERVICE: Final = frozenset({
    "bifrost", "certificates", "container-engine-migration", "destroy", "haproxy-config", "loadbalancer-config", "octavia-certificates",
    "prechecks", "proxysql-config", "prune-images", "service-ks-register", "service-rabbitmq",
})  # fmt: skip


class RotationRefused(VitroError):
    code = "kolla_rotation"
    cure = "Nothing was changed"


@record
class Rule:
    """What becomes of the passwords that a pattern names; the first rule that fits counts."""

    pattern: str
    what: str
    way: Literal["reconfigure", "refused"] = "reconfigure"
    why: str = ""


def _no(pattern: str, what: str, why: str) -> Rule:
    return Rule(pattern=pattern, what=what, way="refused", why=why)


STORED: Final = "what is stored with it could not be read any more"
BY_HAND: Final = "Kolla sets it once, when it is deployed"
RULES: Final = (
    _no("*rbd_secret_uuid", "the secret of libvirt for Ceph", "it is a name, no password; guests that run know their disks by it"),
    _no("gnocchi_*_id", "ids in Gnocchi", "they are names, no passwords"),
    _no("designate_pool_id", "the pool in Designate", "it is a name, no password"),
    _no("barbican_crypto_key", "Barbican's master key", STORED),
    _no("barbican_p11_password", "the PIN of Barbican's HSM", "it is the HSM's; change it there, then in kolla_topology_passwords"),
    _no(
        "docker_registry_password", "the account at the registry", "it is the registry's; change it there, then in kolla_topology_passwords"
    ),
    _no("hnas_nfs_password", "a storage system", "it is the system's; change it there, then in kolla_topology_passwords"),
    _no("infoblox_admin_password", "Infoblox", "it is Infoblox's; change it there, then in kolla_topology_passwords"),
    _no("octavia*ca_password", "the key of Octavia's CA", "the key is encrypted with it; make new certificates by octavia-certificates"),
    _no("kolla_ssh_key", "the key by which Kolla reaches hosts", "Kolla has no means for it; put a new key on the hosts by host_base"),
    _no("database_password", "MariaDB's root", f"{BY_HAND}; every step of it would have to use the old one. See Kolla's guide to rotation"),
    _no("mariadb_monitor_password", "MariaDB's monitor", f"{BY_HAND}. See Kolla's guide to rotation"),
    _no(
        "nova_database_password",
        "Nova's database user",
        "the connection of cell0 in Nova's own database holds it. See Kolla's guide to rotation",
    ),
    _no("heat_domain_admin_password", "Heat's domain admin", f"{BY_HAND}. Use openstack user set, then kolla_topology_passwords"),
    _no("grafana_admin_password", "Grafana's admin", f"{BY_HAND}. Use grafana-cli in the container, then kolla_topology_passwords"),
    _no(
        "rabbitmq_cluster_cookie",
        "the cookie of RabbitMQ's members",
        "members with two cookies do not speak; the cluster would have to stop",
    ),
    _no("prometheus_bcrypt_salt", "the salt of Prometheus' passwords", "it is no password, and changes nothing"),
    _no("etcd_cluster_token", "the token of etcd", "only the first start of etcd reads it"),
    _no("keystone_federation_openid_crypto_password", "what OpenID sessions are sealed with", "all members must change at once"),
    _no("telemetry_secret_key", "the signature of samples", "agents and collectors with two keys drop each other's samples"),
    _no("horizon_secret_key", "the signature of Horizon's sessions", "two keys must overlap for a while. See Kolla's guide to rotation"),
    Rule(pattern="keystone_admin_password", what="the cloud's admin"),
    Rule(pattern="*_keystone_password", what="a service's user in Keystone"),
    Rule(pattern="*database_password", what="a service's user in MariaDB"),
    Rule(pattern="rabbitmq_password", what="the services' user in RabbitMQ"),
    Rule(pattern="rabbitmq_monitoring_password", what="the monitoring user in RabbitMQ"),
    Rule(pattern="*_ssh_key", what="a pair of keys between hosts"),
    Rule(pattern="haproxy_password", what="HAProxy's statistics page"),
    Rule(pattern="keepalived_password", what="the members of a VIP among themselves"),
    Rule(pattern="libvirt_sasl_password", what="Nova at libvirt"),
    Rule(pattern="metadata_secret", what="Neutron's metadata agent at Nova"),
    Rule(pattern="memcache_secret_key", what="what services put into Memcached"),
    Rule(pattern="osprofiler_secret", what="OSProfiler"),
    Rule(pattern="designate_rndc_key", what="Designate at its DNS servers"),
    Rule(pattern="opensearch_dashboards_password", what="OpenSearch Dashboards"),
    Rule(pattern="prometheus_*_password", what="a user of Prometheus"),
    Rule(pattern="prometheus_password", what="a user of Prometheus"),
    Rule(pattern="valkey_master_password", what="Valkey"),
    Rule(pattern="redis_master_password", what="Redis"),
)
UNKNOWN: Final = _no("*", "unknown", "nobody has said yet how it is rotated")


def rule_of(name: str) -> Rule:
    return next((one for one in RULES if fnmatchcase(name, one.pattern)), UNKNOWN)


def wanted_names(asked: Sequence[str], package: Package, chosen: Sequence[str]) -> list[str]:
    """The names to rotate; `all` is all that can be. Every name that cannot be is refused at once, and those that the operator chooses."""
    known = sorted(package.passwords)
    if list(asked) == [ALL]:
        return [name for name in known if rule_of(name).way == "reconfigure" and name not in chosen]
    mistakes = []
    for name in asked:
        if name not in package.passwords:
            near = nearest(name, known)
            mistakes.append(f"{name} is no password of Kolla" + (f"; did you mean {near}?" if near else ""))
        elif name in chosen:
            mistakes.append(f"{name} is chosen in kolla_topology_passwords; change it there and reconfigure")
        elif rule_of(name).way == "refused":
            mistakes.append(f"{name} ({rule_of(name).what}) is not rotated: {rule_of(name).why}")
    if mistakes or not asked:
        raise RotationRefused(f"Cannot rotate: {numbered(mistakes) or 'no password is named; say which, or `all`'}")
    return sorted(set(asked))


def holders(names: Sequence[str], package: Package) -> list[str]:
    """The services, as tags of Kolla's playbooks, whose files mention one of the passwords, also by another variable's name."""
    tainted = _tainted(frozenset(names), package)
    roles = {path.relative_to(package.data / "ansible/roles").parts[0] for path, words in _role_files(package) if words & tainted}
    return sorted(roles - NO_SERVICE)


def _tainted(names: frozenset[str], package: Package) -> frozenset[str]:
    """The names, and all variables that are made of them; such as the URL that has RabbitMQ's password in it."""
    blocks = [(name, frozenset(WORD.findall(text))) for name, text in _variables(package)]
    found = set(names)
    while True:
        # What names a service's whole set-up (`nova_services`) is known to its own role only, and would taint every role that lists it.
        more = {name for name, words in blocks if words & found and not name.endswith("_services")} - found
        if not more:
            return frozenset(found)
        found |= more


def _variables(package: Package) -> Iterator[tuple[str, str]]:
    """Every variable of the package with its text: those of groups, the defaults of roles, and what plays hand to roles."""
    ansible = package.data / "ansible"
    for path in (*sorted((ansible / "group_vars").rglob("*.yml")), *sorted((ansible / "roles").glob("*/defaults/*.yml"))):
        yield from BLOCK.findall(path.read_text())
    for path in sorted(ansible.glob("*.yml")):
        yield from HANDED.findall(path.read_text())


def _role_files(package: Package) -> Iterator[tuple[Path, frozenset[str]]]:
    roles = package.data / "ansible/roles"
    for path in sorted(path for part in PARTS for path in roles.glob(f"*/{part}/**/*")):
        if path.is_file() and path.name != "precheck.yml":
            yield path, frozenset(WORD.findall(path.read_text(errors="replace")))


@record
class Kept:
    """A rotation that is under way: the names, and the values before it."""

    names: tuple[str, ...]
    began: str
    before: Mapping[str, Any]


def refuse_another(kept: Kept, asked: Sequence[str]) -> None:
    """One rotation at a time: the values before the first would be lost."""
    if list(asked) != [ALL] and set(asked) != set(kept.names):
        raise RotationRefused(
            f"Cannot begin another rotation: that of {', '.join(kept.names)}, begun {kept.began}, has not ended",
            cure="Run it again with the same names to go on, or with -e back=true to return to the old ones",
        )


def renewed(text: str, names: Sequence[str], package: Package) -> str:
    """The passwords with new values for the names, by Kolla's own generator."""
    kept = {key: value for key, value in read_passwords(text).items() if key not in names}
    made = complete(yaml_text(kept), package, {})
    return yaml_text(dict(sorted(read_passwords(made).items())))


def restored(text: str, kept: Kept) -> str:
    return yaml_text(dict(sorted({**read_passwords(text), **kept.before}.items())))


def kept_text(kept: Kept) -> str:
    return yaml_text({"names": list(kept.names), "began": kept.began, "before": dict(kept.before)})


def read_kept(text: str) -> Kept:
    try:
        content = yaml.safe_load(text)
        return Kept(names=tuple(content["names"]), began=str(content["began"]), before=dict(content["before"]))
    except (yaml.YAMLError, KeyError, TypeError, ValueError):
        raise RotationRefused(
            "Cannot go on with a rotation: what was kept of it is damaged", cure="Take passwords.yml as it was before from your backup"
        ) from None
