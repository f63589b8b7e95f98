# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A site with nothing wrong: planned, rendered by the real renderer, and with all that it must bring."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from ansible_collections.frontier.vitro.plugins.module_utils.kolla.inputs import Inputs
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.package import Package, read_package
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.passwords import complete
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.topology import render
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.tree import File
from ansible_collections.frontier.vitro.plugins.module_utils.plan.planner import plan_site
from ansible_collections.frontier.vitro.plugins.module_utils.plan.types import Plan
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from tests.unit.plugins.module_utils.plan.racks import hardware, intent, rack_of, server
from tests.unit.tree import ROOT

VENV = ROOT / "build/venv-kolla"
NOW = datetime(2026, 11, 18, tzinfo=UTC)
FSID = "2c5a1c2e-0000-4000-8000-00000000abcd"
NETWORKS = {
    "management": {"cidr": "10.20.0.0/24", "gateway": "10.20.0.1", "ranges": ["10.20.0.11-10.20.0.250"]},
    "api": {"cidr": "10.20.3.0/24", "vlan": 23},
    "storage": {"cidr": "10.20.1.0/24", "vlan": 21, "mtu": 9000},
    "tunnel": {"cidr": "10.20.2.0/24", "vlan": 22, "mtu": 9000},
    "external": {"vlan": 30},
}
SSH_KEYS = ("kolla", "nova", "keystone", "bifrost", "octavia_amp", "neutron", "haproxy")


@cache
def package() -> Package:
    return read_package(VENV)


def plan(servers: int = 3, **changes: Any) -> Plan:
    made = plan_site(rack_of(servers), intent(**{"networks": NETWORKS, **changes}), None)
    assert made.applicable, made.objections
    return made


@cache
def pair() -> dict[str, str]:
    """One pair of keys for all: making seven of Kolla's size takes half a minute."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return {
        "private_key": key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode(),
        "public_key": key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode(),
    }


@cache
def passwords() -> str:
    """By Kolla's own tools."""
    return complete(None, package(), {f"{name}_ssh_key": pair() for name in SSH_KEYS})


class Authority:
    """A CA and what it signs; `days` count from NOW."""

    def __init__(self, name: str = "site CA") -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = self._sign(name, self.key, name, x509.BasicConstraints(ca=True, path_length=None), [], (-1, 3650))
        self.pem = self.certificate.public_bytes(Encoding.PEM).decode()

    def signed(self, names: list[str], days: tuple[int, int] = (-1, 365), *, key: ec.EllipticCurvePrivateKey | None = None) -> str:
        """A certificate, and a key, which is another's if one is given."""
        own = ec.generate_private_key(ec.SECP256R1())
        made = self._sign(names[0], own, self.certificate.subject.rfc4514_string().removeprefix("CN="), None, names, days)
        private = (key or own).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return made.public_bytes(Encoding.PEM).decode() + private.decode()

    def _sign(self, name: str, key: Any, issuer: str, constraints: Any, names: list[str], days: tuple[int, int]) -> x509.Certificate:
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name.from_rfc4514_string(f"CN={name}"))
            .issuer_name(x509.Name.from_rfc4514_string(f"CN={issuer}"))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(NOW + timedelta(days=days[0]))
            .not_valid_after(NOW + timedelta(days=days[1]))
        )
        if constraints:
            builder = builder.add_extension(constraints, critical=True)
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName([_general(one) for one in names]), critical=False)
        return builder.sign(self.key, hashes.SHA256())


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


@cache
def authority() -> Authority:
    return Authority()


def names(planned: Plan, side: str) -> list[str]:
    vip = next(one for one in planned.vips if one.name == side)
    return [vip.fqdn, vip.address]


def certificates(planned: Plan) -> dict[str, File]:
    made = {"certificates/ca/root.crt": File(authority().pem)}
    for side, path in (("external", "haproxy.pem"), ("internal", "haproxy-internal.pem")):
        made[f"certificates/{path}"] = File(authority().signed(names(planned, side)), secret=True)
    return made


def ceph(planned: Plan) -> dict[str, File]:
    """As cephadm prints them: indented."""
    monitors = " ".join(f"[v2:{_storage(planned, name)}:3300/0,v1:{_storage(planned, name)}:6789/0]" for name in planned.ceph.monitors)
    made = {"ceph.conf": File(f"[global]\n\tfsid = {FSID}\n\tmon_host = {monitors}\n")}
    for user in ("glance", "cinder", "cinder-backup"):
        made[f"ceph.client.{user}.keyring"] = File(f"[client.{user}]\n\tkey = AQD{user}0000000000000000000000000==\n", secret=True)
    return made


def _storage(planned: Plan, name: str) -> str:
    found = next(one for one in planned.servers if one.name == name)
    return next(at.cidr.partition("/")[0] for face in found.interfaces for at in face.addresses if at.network == "storage")


def rendered(planned: Plan, **keys: Any) -> dict[str, File]:
    """Everything that Kolla would read."""
    inputs = Inputs(globals=keys, files=certificates(planned), ceph=ceph(planned))
    return {**render(planned, package(), inputs), "passwords.yml": File(passwords(), secret=True)}


def split_plan() -> Plan:
    """Three servers that control, three that compute and store."""
    racks = [{"rack": f"R{n % 3 + 1}", "unit": n // 3 + 1} for n in range(6)]
    machines = hardware(server(n, **place) for n, place in enumerate(racks))
    made = plan_site(machines, intent(networks=NETWORKS, layout="split"), None)
    assert made.applicable, made.objections
    return made


def read(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}
