# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts docker-registry, and pushes to it."""

from __future__ import annotations

import base64
import http.client
import io
import os
import secrets
import shutil
import socket
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import BinaryIO
from urllib.error import HTTPError, URLError

import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from .image import MANIFEST, tiny_image

ADDRESS = "127.0.0.1"
USERNAME = "lab"
SECONDS = 20


def program() -> Path:
    """Of the Debian package, which is fetched and unpacked once."""
    cache = Path(os.environ.get("VITRO_CACHE") or Path.home() / ".cache/vitro") / "registry"
    found = cache / "root/usr/bin/docker-registry"
    if not found.exists() and shutil.which("apt-get") and shutil.which("dpkg"):
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "-qq", "docker-registry"], cwd=cache, check=False, capture_output=True)
        for package in sorted(cache.glob("docker-registry_*.deb"))[:1]:
            subprocess.run(["dpkg", "-x", str(package), str(cache / "root")], check=True)
    return found


def missing_program() -> str:
    """What to tell a user whose machine cannot run this lab; empty if it can."""
    return "" if program().exists() else "needs the Debian package docker-registry, which apt-get download could not fetch"


@dataclass
class LabRegistry:
    url: str
    ca: Path
    password: str = field(repr=False)
    username: str = USERNAME

    @property
    def host(self) -> str:
        return self.url.removeprefix("https://")

    def push(self, image: str) -> None:
        """A tiny image under `repository:tag`, by the registry's own API."""
        repository, _, tag = image.rpartition(":")
        made = tiny_image(repository)
        for name, blob in made.blobs.items():
            self.put_blob(repository, name, io.BytesIO(blob), len(blob))
        self.put_manifest(repository, tag, made.manifest)

    def put_manifest(self, repository: str, tag: str, manifest: bytes) -> None:
        self.request("PUT", f"/v2/{repository}/manifests/{tag}", manifest, MANIFEST)

    def put_blob(self, repository: str, name: str, source: BinaryIO, size: int, elsewhere: str = "") -> None:
        """By its digest, unless it is there; a large one that another repository has is only linked."""
        with suppress(HTTPError):
            self.request("HEAD", f"/v2/{repository}/blobs/{name}")
            return
        linked = f"?mount={name}&from={elsewhere}" if elsewhere else ""
        answer = self.request("POST", f"/v2/{repository}/blobs/uploads/{linked}")
        if answer.status == http.client.CREATED:
            return
        place = answer.headers["Location"]
        joint = "&" if "?" in place else "?"
        path = f"{place.removeprefix(self.url)}{joint}digest={name}"
        self.request("PUT", path, source, "application/octet-stream", **{"Content-Length": str(size)})

    def request(
        self, method: str, path: str, data: bytes | BinaryIO | None = None, kind: str = "", **more: str
    ) -> urllib.request.addinfourl:
        token = base64.b64encode(f"{self.username}:{self.password}".encode()).decode()
        headers = {"Authorization": f"Basic {token}", **({"Content-Type": kind} if kind else {}), **more}
        asked = urllib.request.Request(f"{self.url}{path}", data=data, method=method, headers=headers)
        answer: urllib.request.addinfourl = urllib.request.urlopen(
            asked, timeout=SECONDS, context=ssl.create_default_context(cafile=str(self.ca))
        )
        return answer


@contextmanager
def lab_registry(folder: Path, address: str = ADDRESS, port: int = 0) -> Iterator[LabRegistry]:
    """Without a port it takes a free one."""
    registry = _written(folder, address, port)
    log = (folder / "log").open("wb")
    process = subprocess.Popen([str(program()), "serve", str(folder / "config.yml")], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        _wait(registry, process, folder)
        yield registry
    finally:
        process.terminate()
        process.wait(SECONDS)
        log.close()


def _written(folder: Path, address: str, port: int) -> LabRegistry:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((address, port))
        host = f"{address}:{probe.getsockname()[1]}"
    ca = _certificates(folder, address)
    password = secrets.token_hex(16)
    for name, text in {
        "htpasswd": f"{USERNAME}:{_bcrypt(password)}\n",
        "password": f"{password}\n",
    }.items():
        (folder / name).touch(mode=0o600)
        (folder / name).write_text(text)
    config = {
        "version": 0.1,
        "storage": {"filesystem": {"rootdirectory": str(folder / "data")}, "delete": {"enabled": True}},
        "http": {"addr": host, "tls": {"certificate": str(folder / "tls.crt"), "key": str(folder / "tls.key")}},
        "auth": {"htpasswd": {"realm": "lab", "path": str(folder / "htpasswd")}},
    }
    (folder / "config.yml").write_text(yaml.safe_dump(config))
    return LabRegistry(f"https://{host}", ca, password)


def _bcrypt(password: str) -> str:
    """The registry knows no other kind of hash. Perl is on every Debian, and Python has no crypt from 3.13 on."""
    salt = f"$2b$04${secrets.token_hex(10)}0u"
    script = "chomp(my $password = <STDIN>); print crypt($password, $ARGV[0])"
    return subprocess.run(["perl", "-e", script, salt], input=password, check=True, capture_output=True, text=True).stdout


def _certificates(folder: Path, address: str) -> Path:
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    names = [x509.Name.from_rfc4514_string(f"CN={name}") for name in ("lab registry CA", address)]
    constraints = x509.BasicConstraints(ca=True, path_length=None)
    own = x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))])
    now = datetime.now(UTC)
    for number, (path, extension) in enumerate((("ca.crt", constraints), ("tls.crt", own))):
        builder = x509.CertificateBuilder().subject_name(names[number]).issuer_name(names[0]).public_key(keys[number].public_key())
        builder = builder.serial_number(x509.random_serial_number()).add_extension(extension, critical=number == 0)
        made = builder.not_valid_before(now - timedelta(hours=1)).not_valid_after(now + timedelta(days=30)).sign(keys[0], hashes.SHA256())
        (folder / path).write_bytes(made.public_bytes(Encoding.PEM))
    (folder / "tls.key").touch(mode=0o600)
    (folder / "tls.key").write_bytes(keys[1].private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return folder / "ca.crt"


def _wait(registry: LabRegistry, process: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            registry.request("GET", "/v2/")
            return
        except (URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"the registry did not start: {(folder / 'log').read_text()[-400:]}")
