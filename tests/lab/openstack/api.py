# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Just enough of a REST client to fill the catalogue and to see when hosts are there; what is tested talks by openstacksdk."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from datetime import UTC, datetime
from typing import Any

from .folder import Folder, LabError, until
from .words import CATALOGUE, REGION


class Api:
    """The cloud's admin."""

    def __init__(self, lab: Folder) -> None:
        self.lab, self._token = lab, ""
        user = {"name": "admin", "domain": {"id": "default"}, "password": lab.password("admin")}
        scope = {"project": {"name": "admin", "domain": {"id": "default"}}}
        identity = {"methods": ["password"], "password": {"user": user}}
        headers, _ = self.send("POST", "keystone", "/v3/auth/tokens", {"auth": {"identity": identity, "scope": scope}})
        self._token = headers["X-Subject-Token"]

    def send(self, method: str, service: str, path: str, body: Any = None) -> tuple[Any, Any]:
        headers = {"Content-Type": "application/json", **({"X-Auth-Token": self._token} if self._token else {})}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.lab.url(service) + path, method=method, headers=headers, data=data)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
            return answer.headers, json.loads(text) if text else None

    def get(self, service: str, path: str) -> Any:
        return self.send("GET", service, path)[1]

    def ensure(self, kind: str, **body: Any) -> str:
        """Make it unless it is there."""
        query = f"?name={body['name']}" if "name" in body else ""
        compared = {key: value for key, value in body.items() if key not in ("password", "url")}
        for one in self.get("keystone", f"/v3/{kind}s{query}")[f"{kind}s"]:
            if all(one.get(key) == value for key, value in compared.items()):
                return str(one["id"])
        return str(self.send("POST", "keystone", f"/v3/{kind}s", {kind: body})[1][kind]["id"])


def fill_catalogue(lab: Folder) -> None:
    """Public endpoints have TLS, internal ones have none, as in a Kolla without TLS inside."""
    api = Api(lab)
    project = api.ensure("project", name="service", domain_id="default")
    user = api.ensure("user", name="service", domain_id="default", password=lab.password("service"))
    for name in ("admin", "service"):
        role = api.ensure("role", name=name)
        api.send("PUT", "keystone", f"/v3/projects/{project}/users/{user}/roles/{role}")
    for name, (kind, path) in CATALOGUE.items():
        if name not in lab.services:
            continue
        service = api.ensure("service", name=name, type=kind)
        for interface in ("public", "internal", "admin"):
            url = lab.url(name, tls=interface == "public") + path
            api.ensure("endpoint", service_id=service, region_id=REGION, interface=interface, url=url)


def await_hosts(lab: Folder, seconds: float = 240) -> None:
    """Until every part of Nova has reported since it was started, hosts are in a cell, and their chassis are alive."""
    api = Api(lab)
    parts = ["nova-conductor", "nova-scheduler", *(f"nova-compute.{host}" for host in lab.hosts)]
    born = {name: (lab.run / f"{name}.pid").stat().st_mtime for name in parts}

    def ready() -> bool:
        dead = [name for name in parts if not lab.pid_of(name)]
        if dead:
            raise LabError(f"died: {', '.join(dead)}; see {lab.log}")
        try:
            seen = {(one["binary"], one["host"]): one for one in api.get("nova", "/v2.1/os-services")["services"]}
            found = {one["hypervisor_hostname"] for one in api.get("nova", "/v2.1/os-hypervisors")["hypervisors"]}
            agents = {one["host"] for one in api.get("neutron", "/v2.0/agents")["agents"] if one["alive"]}
        except urllib.error.HTTPError:
            return False
        fresh = all(_reported(seen, name) > since for name, since in born.items())
        return fresh and found >= set(lab.hosts) and agents >= set(lab.hosts)

    if not until(ready, seconds, 1):
        raise LabError(f"the compute hosts are not ready; see {lab.log}/nova-*.log")


def _reported(seen: dict[tuple[str, str], Any], name: str) -> float:
    binary, _, host = name.partition(".")
    one = seen.get((binary, host or "lab-control"))
    if not one or one["state"] != "up" or not one["updated_at"]:
        return 0
    return datetime.fromisoformat(one["updated_at"].split(".")[0]).replace(tzinfo=UTC).timestamp()
