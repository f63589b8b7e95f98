# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenStack's services: their schemas, and how each is started."""

from __future__ import annotations

import os
import urllib.error
import urllib.request

from .folder import Folder, LabError, until
from .words import HOST, REGION

WITHOUT_TOKEN = (300, 401)


def sync(lab: Folder, name: str) -> None:
    {"keystone": _sync_keystone, "nova": _sync_nova}.get(name, _sync)(lab, name)


def _sync(lab: Folder, name: str) -> None:
    program, conf, words = {
        "glance": ("glance-manage", "glance/glance-api.conf", ["db_sync"]),
        "placement": ("placement-manage", "placement/placement.conf", ["db", "sync"]),
        "neutron": ("neutron-db-manage", "neutron/neutron.conf", ["upgrade", "heads"]),
        "cinder": ("cinder-manage", "cinder/cinder.conf", ["db", "sync"]),
    }[name]
    lab.call(lab.bin(program), f"--config-file={lab.etc}/{conf}", *words)


def _sync_keystone(lab: Folder, name: str) -> None:
    manage = (lab.bin("keystone-manage"), f"--config-file={lab.etc}/keystone/keystone.conf")
    for store in ("fernet", "credential"):
        (lab.etc / "keystone" / store).mkdir(mode=0o700, exist_ok=True)
    me = ("--keystone-user", str(os.geteuid()), "--keystone-group", str(os.getegid()))
    lab.call(*manage, "fernet_setup", *me)
    lab.call(*manage, "credential_setup", *me)
    lab.call(*manage, "db_sync")
    urls = [("public", True), ("internal", False), ("admin", False)]
    given = [word for side, tls in urls for word in (f"--bootstrap-{side}-url", f"{lab.url('keystone', tls=tls)}/v3")]
    lab.call(*manage, "bootstrap", "--bootstrap-password", lab.password("admin"), "--bootstrap-region-id", REGION, *given)


def _sync_nova(lab: Folder, name: str) -> None:
    manage = (lab.bin("nova-manage"), *_nova_files(lab))
    lab.call(*manage, "api_db", "sync")
    lab.call(*manage, "cell_v2", "map_cell0", f"--database_connection={lab.database('nova_cell0')}")
    lab.call(*manage, "db", "sync")
    if not lab.state.get("cell"):
        lab.call(*manage, "cell_v2", "create_cell", "--name=cell1")
        lab.save(cell=True)


def _nova_files(lab: Folder, *names: str) -> list[str]:
    return [f"--config-file={lab.etc}/nova/{name}.conf" for name in ("nova", *(names or ("nova-db",)))]


def start_keystone(lab: Folder) -> None:
    settings = {"OS_KEYSTONE_CONFIG_DIR": str(lab.etc / "keystone"), "OS_KEYSTONE_CONFIG_FILES": "keystone.conf"}
    _api(lab, "keystone", "keystone.wsgi.api", **settings)


def start_apis(lab: Folder) -> None:
    for name, start in {"placement": _placement, "glance": _glance, "neutron": _neutron, "nova": _nova, "cinder": _cinder}.items():
        if name in lab.services:
            start(lab)


def _placement(lab: Folder) -> None:
    _api(lab, "placement", "placement.wsgi.api", OS_PLACEMENT_CONFIG_DIR=str(lab.etc / "placement"))


def _glance(lab: Folder) -> None:
    _api(lab, "glance", "glance.wsgi.api", OS_GLANCE_CONFIG_DIR=str(lab.etc / "glance"))


def _neutron(lab: Folder) -> None:
    settings = {"OS_NEUTRON_CONFIG_DIR": str(lab.etc / "neutron"), "OS_NEUTRON_CONFIG_FILES": "neutron.conf", "TMPDIR": str(lab.run)}
    _api(lab, "neutron", "neutron.wsgi.api", **settings)


def _nova(lab: Folder) -> None:
    # Nova takes the first of the files for its paste file.
    files = f"{lab.venv}/etc/nova/api-paste.ini;nova.conf;nova-db.conf"
    _api(lab, "nova", "nova.wsgi.osapi_compute", OS_NOVA_CONFIG_DIR=str(lab.etc / "nova"), OS_NOVA_CONFIG_FILES=files)
    for part in ("conductor", "scheduler"):
        lab.spawn(f"nova-{part}", [lab.bin(f"nova-{part}"), *_nova_files(lab)])


def _cinder(lab: Folder) -> None:
    conf = f"--config-file={lab.etc}/cinder/cinder.conf"
    _api(lab, "cinder", "cinder.wsgi.api", arguments=conf)
    for part in ("scheduler", "volume"):
        lab.spawn(f"cinder-{part}", [lab.bin(f"cinder-{part}"), conf])


def start_compute(lab: Folder, host: str) -> None:
    """After the APIs answer: a compute host that finds no conductor waits long."""
    lab.spawn(f"nova-compute.{host}", [lab.bin("nova-compute"), *_nova_files(lab, host)])


def start_front(lab: Folder) -> None:
    lab.spawn("front", ["haproxy", "-db", "-f", lab.etc / "haproxy.cfg"])


def _api(lab: Folder, name: str, module: str, *, arguments: str = "", **variables: str) -> None:
    lab.spawn(name, [
        lab.bin("uwsgi"), "--http-socket", f"{HOST}:{lab.port(name)}", "--master", "--processes", "1", "--threads", "4",
        "--enable-threads", "--lazy-apps", "--die-on-term", "--need-app", "--single-interpreter", "--thunder-lock",
        "--buffer-size", "65535", "--add-header", "Connection: close", "--disable-logging", "--virtualenv", lab.venv,
        "--module", f"{module}:application", "--pyargv", arguments,
    ], **variables)  # fmt: skip


def await_api(lab: Folder, name: str, seconds: float = 180) -> None:
    def answers() -> bool:
        try:
            with urllib.request.urlopen(lab.url(name) + ("/v3" if name == "keystone" else "/"), timeout=20):
                return True
        except urllib.error.HTTPError as exc:
            return exc.code in WITHOUT_TOKEN
        except OSError:
            if not lab.pid_of(name):
                raise LabError(f"{name} died; see {lab.log}/{name}.log") from None
            return False

    if not until(answers, seconds):
        raise LabError(f"{name} gives no answer; see {lab.log}/{name}.log")
