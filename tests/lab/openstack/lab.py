# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lab as a whole: up, down, and what a test does to it."""

from __future__ import annotations

import json
import secrets
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.lab.rack.tls import Authority

from .api import await_hosts, fill_catalogue
from .configuration import configure, configure_front
from .folder import Folder, LabError
from .install import install_debian, install_python
from .services import await_api, start_apis, start_compute, start_front, start_keystone, sync
from .stores import NAMES, start_mariadb, start_ovn, start_rabbit
from .words import HOST, PORTS, REGION, SERVICES


class Lab(Folder):
    @property
    def clouds(self) -> Path:
        return self.path / "clouds.yaml"

    @property
    def ca(self) -> Path:
        return self.path / "ca.pem"

    def up(
        self,
        hosts: Sequence[str],
        port_offset: int = 20000,
        services: Sequence[str] = SERVICES,
        outside: Mapping[str, str] | None = None,
    ) -> None:
        """Repeatable: starts what does not run, after a `down`, a crash, or an `up` that failed half-way.

        Without Nova there are no compute hosts; with an OVN from `outside` none of the lab's own."""
        self._prepare(list(hosts) if "nova" in services else [], port_offset)
        self.save(services=list(services), outside=dict(outside or {}))
        steps: list[tuple[str, Callable[[], object]]] = [
            ("programs are installed", lambda: (install_debian(self), install_python(self))),
            ("databases, broker and OVN are up", self._stores),
            ("schemas are in place", self._schemas),
            ("identity is up", self._identity),
            ("the APIs answer", self._apis),
            ("the compute hosts are ready", self._compute),
        ]
        for said, step in steps:
            start = time.monotonic()
            step()
            print(f"{time.monotonic() - start:6.1f} s  {said}", file=sys.stderr, flush=True)

    def down(self, *, wipe: bool = False) -> None:
        stores = [name for name in self.names() if name in NAMES or name.startswith("ovs-db.")]
        for group in ([name for name in self.names() if name not in stores], stores):
            with ThreadPoolExecutor(16) as pool:
                list(pool.map(self.stop, group))
        if wipe:
            for folder in (self.run, self.log, self.etc, self.data):
                shutil.rmtree(folder, ignore_errors=True)
            for file in (self.clouds, self.ca, self.venv):
                file.unlink(missing_ok=True)
            self.forget()

    def status(self) -> dict[str, bool]:
        return {name: self.pid_of(name) is not None for name in self.names()}

    def stop_host(self, host: str) -> None:
        """What `kolla-ansible stop` does to a compute host."""
        for name in (f"nova-compute.{host}", f"ovn-controller.{host}"):
            self.stop(name)

    def start_host(self, host: str) -> None:
        self.spawn(f"ovn-controller.{host}", ["ovn-controller", f"unix:{self.run}/{host}/db.sock"], **self.rundir(host))
        start_compute(self, host)
        await_hosts(self)

    def rundir(self, host: str) -> dict[str, str]:
        return {"OVS_RUNDIR": str(self.run / host), "OVN_RUNDIR": str(self.run / host)}

    def renew_certificate(self, *, days: int = 825) -> None:
        """A new certificate for the front, by a new authority; and the front serves it."""
        authority = Authority("Vitro lab CA")
        (self.etc / "front.pem").touch(mode=0o600)
        (self.etc / "front.pem").write_bytes(authority.issue(HOST, days=days)[0])
        self.ca.write_bytes(authority.pem)
        if self.pid_of("front"):
            self.stop("front")
            start_front(self)

    def _prepare(self, hosts: list[str], port_offset: int) -> None:
        folders = ["run/locks", "log", "etc", "data/nova", "data/neutron", "data/cinder"]
        for name in [*folders, *(f"data/glance/{part}" for part in ("images", "staging", "tasks"))]:
            (self.path / name).mkdir(parents=True, exist_ok=True)
        if not self.state:
            passwords = {name: secrets.token_hex(16) for name in ("db", "rabbit", "admin", "service")}
            self.save(port_offset=port_offset, passwords=passwords, synced=[])
        self.save(hosts=hosts)
        for name in PORTS:
            if not self.pid_of("rabbit" if name == "rabbit-dist" else name) and self.listens(name):
                raise LabError(f"port {self.port(name)} (for {name}) is taken by another program; see --port-offset")

    def _stores(self) -> None:
        configure(self)
        own = [] if self.outside else [lambda: start_ovn(self)]
        _together([lambda: start_mariadb(self), lambda: start_rabbit(self), *own])

    def _schemas(self) -> None:
        todo = [name for name in self.services if name not in self.state["synced"]]
        _together([lambda name=name: sync(self, name) for name in todo])
        self.save(synced=[*self.state["synced"], *todo])

    def _identity(self) -> None:
        if not self.ca.exists():
            self.renew_certificate()
        configure_front(self)
        self._write_clouds()
        start_keystone(self)
        await_api(self, "keystone")
        if self.state.get("catalogue") != self.services:
            fill_catalogue(self)
            self.save(catalogue=self.services)

    def _apis(self) -> None:
        start_apis(self)
        start_front(self)
        _together([lambda name=name: await_api(self, name) for name in self.services])

    def _compute(self) -> None:
        for host in self.hosts:
            start_compute(self, host)
        if self.hosts:
            await_hosts(self)
        dead = [name for name, alive in self.status().items() if not alive]
        if dead:
            raise LabError(f"died: {', '.join(dead)}; see {self.log}")

    def _write_clouds(self) -> None:
        """As Kolla writes it, under Kolla's name for it. JSON is YAML."""
        login = {
            "auth_url": self.url("keystone", tls=True), "username": "admin", "password": self.password("admin"),
            "project_name": "admin", "user_domain_name": "Default", "project_domain_name": "Default",
        }  # fmt: skip
        self.clouds.touch(mode=0o600)
        cloud = {"auth": login, "region_name": REGION, "cacert": str(self.ca)}
        self.clouds.write_text(json.dumps({"clouds": {"kolla-admin": cloud}}, indent=2) + "\n")


def _together(jobs: Sequence[Callable[[], object]]) -> None:
    with ThreadPoolExecutor() as pool:
        for job in [pool.submit(one) for one in jobs]:
            job.result()
