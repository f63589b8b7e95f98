# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which certificates Kolla wants, and those that follow from others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ..plan.types import Plan
from ..records import record
from .hosts import address, named
from .tree import File, Tree

FOLDER: Final = "certificates/"
CA_FOLDER: Final = "certificates/ca/"
# All CAs of certificates/ca/ in one file: for ProxySQL, which else looks for ca/root.crt only, and for clients of the cloud.
PROXYSQL_CA: Final = "certificates/proxysql-ca.pem"
CA_BUNDLE: Final = "certificates/ca-bundle.pem"
INTERNAL: Final = "certificates/haproxy-internal.pem"
EXTERNAL: Final = "certificates/haproxy.pem"
PROXYSQL_CERTIFICATE, PROXYSQL_KEY = "certificates/proxysql-cert.pem", "certificates/proxysql-key.pem"
BLOCK: Final = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \1-----\n?", re.DOTALL)
TRUE: Final = ("true", "yes", "on", "1", "y", "t")
CHAIN: Final = "the certificate, its chain, and the private key, in this order"


@record
class Certificate:
    """A file that somebody must bring, and what stands in it."""

    file: str
    holds: str
    names: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()


def truth(value: object) -> bool:
    """As Ansible's filter `bool` has it; Kolla's switches may be written so."""
    return str(value).lower() in TRUE


def wanted_certificates(plan: Plan, values: Mapping[str, Any]) -> Iterator[Certificate]:
    """`values` are Kolla's globals as they will be, the operator's own keys included."""
    vips = {one.name: one for one in plan.vips}
    for key, path, vip in (("external", EXTERNAL, vips["external"]), ("internal", INTERNAL, vips["internal"])):
        if truth(values.get(f"kolla_enable_tls_{key}")):
            yield Certificate(file=path, holds=CHAIN, names=(vip.fqdn,), addresses=(vip.address,))
    if truth(values.get("kolla_copy_ca_into_containers")):
        yield Certificate(file=f"{CA_FOLDER}root.crt", holds="the certificate of the CA that signed the others; more may stand beside it")
    if truth(values.get("kolla_enable_tls_backend")):
        servers = named(plan, [one.name for one in plan.servers if {"control", "network"} & set(one.roles)])
        names = tuple(name for one in servers for name in (one.name, one.fqdn))
        addresses = tuple(address(plan, one, "api") for one in servers)
        yield Certificate(file=f"{FOLDER}backend-cert.pem", holds="the certificate and its chain", names=names, addresses=addresses)
        yield Certificate(file=f"{FOLDER}backend-key.pem", holds="its private key")


def derived_certificates(files: Tree, values: Mapping[str, Any]) -> dict[str, File]:
    """What follows from the operator's certificates, where the operator brings it not."""
    made: dict[str, File] = {}
    bundle = "".join(file.text.rstrip("\n") + "\n" for path, file in sorted(files.items()) if path.startswith(CA_FOLDER))
    if bundle:
        made[CA_BUNDLE] = File(bundle)
    if truth(values.get("kolla_enable_tls_internal")):
        # With TLS inside, ProxySQL speaks it too, under the same name as HAProxy.
        made |= {PROXYSQL_CA: File(bundle)} if bundle else {}
        made |= _split(files[INTERNAL].text) if INTERNAL in files else {}
    return {path: file for path, file in made.items() if path not in files}


def is_there(path: str, files: Tree) -> bool:
    """Any CA will do; everything else by its name."""
    return any(one.startswith(CA_FOLDER) for one in files) if path.startswith(CA_FOLDER) else path in files


def _split(text: str) -> dict[str, File]:
    blocks = [(found[1], found[0].rstrip("\n") + "\n") for found in BLOCK.finditer(text)]
    keys = [block for kind, block in blocks if kind.endswith("PRIVATE KEY")]
    chain = [block for kind, block in blocks if kind == "CERTIFICATE"]
    if not keys or not chain:
        return {}
    return {PROXYSQL_CERTIFICATE: File("".join(chain)), PROXYSQL_KEY: File("".join(keys), secret=True)}
