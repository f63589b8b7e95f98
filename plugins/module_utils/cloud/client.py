# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small client of a cloud: it logs in by what clouds.yaml says, asks in JSON, and puts what goes wrong into words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import openstack
import yaml
from keystoneauth1.exceptions import ClientException, DiscoveryFailure, Unauthorized
from keystoneauth1.exceptions import ConnectionError as NotConnected
from openstack.connection import Connection
from openstack.exceptions import SDKException

from .errors import CloudLogin, CloudRequest, CloudUnreachable

# Details of what went wrong with a guest (2.84), services by their ids (2.53), and flavors within guests (2.47).
MICROVERSIONS: Final = {"compute": "2.84", "placement": "1.36"}
OLD: Final = 400
MOST: Final = 500
LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class Endpoint:
    service: str
    interface: str
    url: str


def read_login(text: str, path: str, cloud: str) -> dict[str, Any]:
    """One cloud of a clouds.yaml. Nothing that stands there may get into a message."""
    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError:
        raise CloudLogin(f"Cannot log in: {path} is no YAML") from None
    clouds = content.get("clouds") if isinstance(content, dict) else None
    login = clouds.get(cloud) if isinstance(clouds, dict) else None
    if not isinstance(login, dict) or not isinstance(login.get("auth"), dict):
        known = ", ".join(sorted(clouds)) if isinstance(clouds, dict) and clouds else "none"
        raise CloudLogin(f"Cannot log in: there is no cloud `{cloud}` in {path}, only: {known}")
    return login


class Cloud:
    """Questions by service and path. The connection verifies certificates always."""

    def __init__(self, connection: Connection, where: str) -> None:
        self._connection, self._where = connection, where

    @property
    def ca(self) -> str | None:
        """The file of CAs that certificates are verified by; None means those of the system."""
        verify = self._connection.session.verify
        return verify if isinstance(verify, str) else None

    def get(self, service: str, path: str, **query: Any) -> Any:
        return self.send("GET", service, path, query=query)[0]

    def pages(self, service: str, path: str, key: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Everything of a long list; Nova gives no more than a thousand at once."""
        marker: dict[str, str] = {}
        while True:
            found = self.get(service, path, **query, **marker, limit=MOST)[key]
            yield from found
            if len(found) < MOST:
                return
            marker = {"marker": str(found[-1].get("uuid") or found[-1]["id"])}

    def send(
        self, method: str, service: str, path: str, body: object = None, query: Mapping[str, Any] | None = None, *, missing_ok: bool = False
    ) -> tuple[Any, str]:
        """The answer, and the number of the request by which the service knows it."""
        given = {"json": body} if body is not None else {}
        try:
            # The first use of a service logs in and looks for its version, so this too can fail.
            proxy = getattr(self._connection, service)
            answer = proxy.request(path, method, params=dict(query or {}), microversion=MICROVERSIONS.get(service), **given)
        except (ClientException, SDKException) as exc:
            raise self._translated(exc, f"{method} {service} {path}") from None
        if answer.status_code >= OLD and not (missing_ok and answer.status_code == 404):
            raise CloudRequest(f"{method} {service} {path} gave {answer.status_code}: {_said(answer)}", status=answer.status_code)
        number = str(answer.headers.get("x-openstack-request-id") or answer.headers.get("x-compute-request-id") or "")
        return (answer.json() if answer.content and answer.status_code < OLD else None), number

    def endpoints(self) -> list[Endpoint]:
        """The catalogue, as Keystone gives it with the token."""
        try:
            session = self._connection.session
            catalogue = session.auth.get_access(session).service_catalog.catalog
        except (ClientException, SDKException) as exc:
            raise self._translated(exc, "the catalogue") from None
        return [Endpoint(one["type"], each["interface"], each["url"]) for one in catalogue for each in one["endpoints"]]

    def knock(self, url: str) -> int | str:
        """The status that an address answers with, or why there is none; no token is shown to it."""
        try:
            answer = self._connection.session.request(url, "GET", authenticated=False, raise_exc=False, redirect=False, log=False)
        except (ClientException, SDKException) as exc:
            return _cause(exc)
        return int(answer.status_code)

    def _translated(self, exc: Exception, what: str) -> CloudLogin | CloudUnreachable | CloudRequest:
        if isinstance(exc, Unauthorized):
            return CloudLogin(f"Cannot log in to {self._where}: it refuses the account")
        if isinstance(exc, NotConnected | DiscoveryFailure):
            return CloudUnreachable(f"Cannot reach the cloud at {self._where}: {_cause(exc)}")
        return CloudRequest(f"{what} failed: {_cause(exc)}")


def connect(login: Mapping[str, Any], *, ca: str | None, timeout: int) -> Cloud:
    """Only what is given counts: no variable of the environment and no other file has a say."""
    where = str(login["auth"].get("auth_url", "nowhere"))
    given = {key: value for key, value in login.items() if key not in ("verify", "insecure")}
    if ca:
        given["cacert"] = ca
    try:
        connection = openstack.connect(load_yaml_config=False, load_envvars=False, api_timeout=timeout, app_name="frontier.vitro", **given)
    except (ClientException, SDKException, OSError) as exc:
        raise CloudLogin(f"Cannot use what clouds.yaml says of {where}: {_cause(exc)}") from None
    return Cloud(connection, where)


def _said(answer: Any) -> str:
    try:
        content = answer.json()
    except ValueError:
        return str(answer.reason)
    while isinstance(content, dict | list) and content:
        first = next(iter(content.values())) if isinstance(content, dict) else content[0]
        content = content.get("message") or content.get("detail") or first if isinstance(content, dict) else first
    return " ".join(str(content).split())[:LONGEST]


def _cause(exc: BaseException) -> str:
    """The innermost reason: the libraries wrap `connection refused` and `certificate verify failed` in several layers of their own."""
    here, said = exc, str(exc)
    while inner := here.__cause__ or here.__context__:
        here, said = inner, str(inner) or said
    return (said.splitlines() or [type(exc).__name__])[0][:LONGEST]
