# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks a registry whether it holds every image that a site needs."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import aiohttp
from yarl import URL

from ..errors import VitroError
from .findings import Finding, Kind

# A registry gives a manifest only to those who can read its kind.
ACCEPT: Final = ", ".join(
    (
        "application/vnd.oci.image.index.v1+json",
        "application/vnd.oci.image.manifest.v1+json",
        "application/vnd.docker.distribution.manifest.list.v2+json",
        "application/vnd.docker.distribution.manifest.v2+json",
    )
)
CHALLENGE = re.compile(r'(\w+)="([^"]*)"')
AT_ONCE: Final = 8
ATTEMPTS: Final = 3
KEY: Final = "docker_registry"
FILE: Final = "globals.yml"

REGISTRY_UNREACHABLE = Kind(
    "registry_unreachable",
    "The registry does not answer, or not with TLS that can be trusted",
    "Check its address and port, give its CA, and look whether it runs",
    "Fails at the first pull, on each host, after several tries",
)
REGISTRY_LOGIN = Kind(
    "registry_login",
    "The registry refuses the user name or password",
    "Correct docker_registry_username and docker_registry_password; a registry without accounts needs neither",
    "Fails at the first pull, on each host, after several tries",
)
IMAGE_MISSING = Kind(
    "image_missing",
    "The registry does not hold an image that the site needs",
    "Mirror it there: images.txt, which frontier.vitro.kolla_images writes, lists them all",
    "Fails at the pull of this image, on each host, after several tries",
)
IMAGE_ELSEWHERE = Kind(
    "image_elsewhere",
    "An image comes from another registry than the one that was asked",
    "Look for it yourself, or take the key out that moves it",
    "Pulls it from there",
    "warning",
)


class RegistryRefused(VitroError):
    code = "kolla_registry"
    cure = "Correct the option `registry`"


@dataclass(frozen=True, slots=True)
class Registry:
    """`url` without a path; without a CA the system's are trusted."""

    url: str
    ca: Path | None = None
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    timeout: float = 30.0

    @property
    def host(self) -> str:
        return URL(self.url).authority


@dataclass
class _Asked:
    """A session with the tokens that it was given, by repository."""

    registry: Registry
    session: aiohttp.ClientSession
    tokens: dict[str, str] = field(default_factory=dict)

    async def status(self, method: str, path: str, repository: str = "") -> int:
        """What the registry answers, after a login if it wants one."""
        for _ in range(ATTEMPTS):
            headers = {"Accept": ACCEPT, **self._login(repository)}
            async with self.session.request(method, f"{self.registry.url}{path}", headers=headers, allow_redirects=False) as answer:
                challenge = answer.headers.get("WWW-Authenticate", "")
                if answer.status == 401 and challenge.startswith("Bearer ") and repository not in self.tokens:
                    self.tokens[repository] = await self._token(dict(CHALLENGE.findall(challenge)), repository)
                elif answer.status < 500 and answer.status != 429:
                    return answer.status
                else:
                    await asyncio.sleep(0.2)
        return answer.status

    async def _token(self, challenge: dict[str, str], repository: str) -> str:
        """From the service that the registry names. The password does not go where it could be read on the way."""
        realm = URL(challenge.get("realm", ""))
        if realm.scheme != URL(self.registry.url).scheme:
            return ""
        scope = {"scope": f"repository:{repository}:pull"} if repository else {}
        wanted = {"service": challenge.get("service", ""), **scope}
        async with self.session.get(realm.update_query(wanted), headers=self._basic()) as answer:
            content = await answer.json(content_type=None) if answer.status == 200 else {}
        return str(content.get("token") or content.get("access_token") or "") if isinstance(content, dict) else ""

    def _login(self, repository: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[repository]}"} if repository in self.tokens else self._basic()

    def _basic(self) -> dict[str, str]:
        user = self.registry.username
        return {"Authorization": aiohttp.encode_basic_auth(user, self.registry.password or "")} if user else {}


def check_registry(images: Sequence[str], registry: Registry) -> list[Finding]:
    """Everything that is missing there, at once."""
    return asyncio.run(_check(images, registry))


async def _check(images: Sequence[str], registry: Registry) -> list[Finding]:
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=registry.timeout, sock_read=registry.timeout)
    connector = aiohttp.TCPConnector(limit=AT_ONCE, ssl=_tls(registry))
    async with aiohttp.ClientSession(timeout=timeout, connector=connector) as session:
        asked = _Asked(registry, session)
        try:
            status = await asked.status("GET", "/v2/")
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as exc:
            return [_unreachable(registry, _reason(exc))]
        if status in (401, 403):
            return [
                REGISTRY_LOGIN.of(
                    FILE, f"{registry.host} refuses the login of {registry.username or 'nobody'}", key=KEY, value=registry.host
                )
            ]
        if status != 200:
            return [_unreachable(registry, f"GET /v2/ gave {status}")]
        gate = asyncio.Semaphore(AT_ONCE)
        found = await asyncio.gather(*(_image(asked, image, gate) for image in images))
    return [finding for finding in found if finding]


async def _image(asked: _Asked, image: str, gate: asyncio.Semaphore) -> Finding | None:
    host, repository, tag = split_image(image)
    if host != asked.registry.host:
        return IMAGE_ELSEWHERE.of(FILE, f"{image} is not at {asked.registry.host}", key=KEY, value=image)
    async with gate:
        try:
            status = await asked.status("HEAD", f"/v2/{repository}/manifests/{tag}", repository)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as exc:
            return _unreachable(asked.registry, f"{image}: {_reason(exc)}")
    if status == 200:
        return None
    said = (
        "is not there"
        if status == 404
        else "may not be read by this account"
        if status in (401, 403)
        else f"cannot be asked for ({status})"
    )
    return IMAGE_MISSING.of(FILE, f"{image} {said}", key=KEY, value=image)


def split_image(image: str) -> tuple[str, str, str]:
    """Registry, repository, and tag or digest. A first part without dot or colon is no host, as engines take it."""
    first, slash, rest = image.partition("/")
    has_host = bool(slash) and (any(mark in first for mark in ".:") or first == "localhost")
    host, name = (first, rest) if has_host else ("", image)
    if "@" in name:
        repository, _, reference = name.partition("@")
        return host, repository.partition(":")[0], reference
    repository, colon, tag = name.rpartition(":")
    return (host, repository, tag) if colon else (host, name, "latest")


def _unreachable(registry: Registry, reason: str) -> Finding:
    return REGISTRY_UNREACHABLE.of(FILE, f"{registry.host} does not answer: {reason}", key=KEY, value=registry.host)


def _reason(exc: BaseException) -> str:
    if isinstance(exc, aiohttp.ClientConnectorCertificateError):
        return f"its certificate is not trusted ({exc.certificate_error})"
    return f"{type(exc).__name__}" if not str(exc) else str(exc)


def _tls(registry: Registry) -> ssl.SSLContext | bool:
    if not registry.url.startswith("https://"):
        return True
    try:
        return ssl.create_default_context(cafile=str(registry.ca) if registry.ca else None)
    except (OSError, ssl.SSLError) as exc:
        raise RegistryRefused(f"Cannot read the registry's CA {registry.ca}: {exc}") from None
