# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a host can take Ceph's daemons: cephadm is of the planned release, their ports are free, and the registry has the image."""

from __future__ import annotations

import base64
import json
import re
import ssl
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPSHandler, OpenerDirector, Request, build_opener

from ..errors import VitroError, numbered

SECONDS: Final = 30
# Where container engines keep the CA of a registry.
CAS: Final = (Path("/etc/containers/certs.d"), Path("/etc/docker/certs.d"))
LISTENING: Final = re.compile(r"^LISTEN\s+\d+\s+\d+\s+(\S+):(\d+)\s+\S+\s*(.*)$")
PROGRAM: Final = re.compile(r'"([^"]+)"')
ANYWHERE: Final = frozenset({"0.0.0.0", "*", "[::]"})  # noqa: S104 - what a system prints
OURS: Final = ("ceph", "radosgw")
# A registry gives a manifest only to those who can read its kind.
KINDS: Final = ", ".join(
    f"application/vnd.{one}+json"
    for one in ("oci.image.index.v1", "oci.image.manifest.v1", "docker.distribution.manifest.list.v2", "docker.distribution.manifest.v2")
)
CHALLENGE: Final = re.compile(r'(\w+)="([^"]*)"')


class HostNotReady(VitroError):
    code = "ceph_host_not_ready"
    cure = "Nothing was changed in the cluster"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(f"This host is not ready for Ceph: {numbered(list(problems))}")


@dataclass(frozen=True, slots=True)
class Port:
    """Without an address the daemon listens on all."""

    port: int
    service: str
    address: str | None = None


def wrong_ports(wanted: Sequence[Port], listening: str) -> Iterator[str]:
    """`listening` is what `ss -ltnpH` prints."""
    for line in listening.splitlines():
        if not (found := LISTENING.match(line.strip())):
            continue
        address, number, users = found[1], int(found[2]), PROGRAM.findall(found[3])
        if any(user.startswith(OURS) for user in users):
            continue
        for one in wanted:
            if one.port == number and (one.address is None or address in ANYWHERE or address == one.address):
                yield f"port {number} is taken by {', '.join(users) or 'another program'} on {address}, and Ceph wants it for {one.service}"


def wrong_release(program: str, release: str, said: str | None) -> Iterator[str]:
    """`said` is what `cephadm version` prints."""
    if said is not None and f" {release} " not in f" {said} ":
        yield f"{program} is `{said.strip()}`, and {release} is planned; bring the program of that release (ceph_cephadm)"


def wrong_image(image: str, login: Mapping[str, str]) -> Iterator[str]:
    """Asks the registry as the host's engine does, with the CA that the host has for it."""
    registry, _, rest = image.partition("/")
    if "@" in rest:
        repository, _, tag = rest.partition("@")
    else:
        repository, _, tag = rest.rpartition(":")
    if not repository:
        repository, tag = rest, "latest"
    asked = Request(f"https://{registry}/v2/{repository}/manifests/{tag}", method="HEAD", headers={"Accept": KINDS})
    opener = build_opener(HTTPSHandler(context=_trust(registry)))
    try:
        _open(opener, asked, login)
    except HTTPError as exc:
        match exc.code:
            case 404:
                yield f"the registry {registry} has no {repository}:{tag}; bring the image there"
            case 401 | 403:
                yield f"the registry {registry} does not let this login read {repository}; correct ceph_registry"
            case _:
                yield f"the registry {registry} answered {exc.code} when asked for {repository}:{tag}"
    except (URLError, OSError) as exc:
        reason = exc.reason if isinstance(exc, URLError) else exc
        yield f"the registry {registry} does not answer as it should: {reason}; host_base_registry_ca is its CA on the hosts"


def _trust(registry: str) -> ssl.SSLContext:
    context = ssl.create_default_context()
    for folder in CAS:
        for ca in sorted((folder / registry).glob("*.crt")):
            context.load_verify_locations(ca)
    return context


def _open(opener: OpenerDirector, asked: Request, login: Mapping[str, str]) -> None:
    """Registries want the login with the question, or a token for it from a place that they name."""
    plain = f"{login.get('username', '')}:{login.get('password', '')}".encode()
    basic = {"Authorization": f"Basic {base64.b64encode(plain).decode()}"} if login.get("username") else {}
    try:
        opener.open(asked, timeout=SECONDS).close()
    except HTTPError as exc:
        wanted = exc.headers.get("WWW-Authenticate", "")
        if exc.code != 401:
            raise
        for name, value in (basic if wanted.lower().startswith("basic") else _token(opener, wanted, basic)).items():
            asked.add_header(name, value)
        opener.open(asked, timeout=SECONDS).close()


def _token(opener: OpenerDirector, challenge: str, basic: Mapping[str, str]) -> dict[str, str]:
    parts = dict(CHALLENGE.findall(challenge))
    realm = parts.pop("realm", "")
    if not realm.startswith("https://"):
        return {}
    asked = Request(f"{realm}?{urlencode(parts)}", headers=dict(basic))  # noqa: S310 - https above
    with opener.open(asked, timeout=SECONDS) as answer:
        told = json.load(answer)
    return {"Authorization": f"Bearer {told.get('token') or told.get('access_token')}"}


def read_listening() -> str:
    return _said(["ss", "-ltnpH"]) or ""


def read_version(program: str) -> str | None:
    """None if it is not there yet, as in check mode before the first run."""
    return _said([program, "version"])


def _said(command: Sequence[str]) -> str | None:
    try:
        done: subprocess.CompletedProcess[str] = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout
