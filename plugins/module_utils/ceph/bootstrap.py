# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The first monitor and manager of a cluster, made once.

The cluster's id is chosen before cephadm runs, and a note on the host says how far it came. So whoever comes again finds the same cluster:
it is never made twice, and one that was cut off in the making, when nothing can be stored in it yet, is made anew under the same id.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from ..errors import VitroError
from .session import Command, Session

UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
DAEMON: Final = re.compile(r"(mon|mgr|osd|mds|rgw)\.")
CONF: Final = "etc/ceph/ceph.conf"

Stage = Literal["absent", "begun", "unknown", "done"]


class BootstrapFailed(VitroError):
    code = "ceph_bootstrap"
    cure = (
        "Cure that and run it again: what is half made is made anew under the same id. /var/log/vitro/ceph.log on that host has all of it"
    )


class ForeignCluster(VitroError):
    code = "ceph_foreign_cluster"
    cure = (
        "Nothing was changed. If it is the site's cluster, set ceph_fsid to its id; if it may be lost, remove it: "
        "cephadm rm-cluster --force --zap-osds --fsid ID"
    )


class NotRemoved(VitroError):
    code = "ceph_half_made"
    cure = "Nothing was changed. Look at it with `cephadm ls`; if it holds nothing, remove it: cephadm rm-cluster --force --fsid ID"


@dataclass(frozen=True, slots=True)
class Host:
    """`root` is where the host's files begin."""

    fsid: str
    root: Path = Path("/")

    @property
    def folder(self) -> Path:
        return self.root / "var/lib/ceph" / self.fsid

    @property
    def note(self) -> Path:
        return self.root / "var/lib/vitro" / f"ceph-{self.fsid}"

    def daemons(self) -> list[str]:
        return sorted(one.name for one in self.folder.iterdir() if DAEMON.match(one.name)) if self.folder.is_dir() else []

    def foreign(self) -> list[str]:
        """The ids of other clusters that have daemons or a configuration here."""
        folders = (self.root / "var/lib/ceph").glob("*-*-*-*-*")
        found = {one.name for one in folders if UUID.fullmatch(one.name) and any(DAEMON.match(inside.name) for inside in one.iterdir())}
        conf = self.root / CONF
        said = re.search(r"^\s*fsid\s*=\s*(\S+)", conf.read_text(), re.MULTILINE) if conf.is_file() else None
        return sorted((found | ({said[1]} if said else set())) - {self.fsid})

    def stage(self) -> Stage:
        noted = self.note.read_text().strip() if self.note.is_file() else ""
        if not any(name.startswith("mon.") for name in self.daemons()):
            return "absent"
        return "done" if noted == "done" else "begun" if noted == "begun" else "unknown"

    def write_note(self, stage: Literal["begun", "done"]) -> None:
        self.note.parent.mkdir(parents=True, exist_ok=True)
        self.note.write_text(f"{stage}\n")

    def refuse_foreign(self) -> None:
        if others := self.foreign():
            raise ForeignCluster(f"This host belongs to another Ceph cluster already: {', '.join(others)}; planned is {self.fsid}")

    def public_key(self, session: Session) -> str | None:
        """It is in a file only where the cluster was made."""
        path = self.root / "etc/ceph/ceph.pub"
        if path.is_file():
            return path.read_text().strip()
        return session.ask([Command("cephadm get-pub-key", manager=True)])[0].out.strip() if self.stage() != "absent" else None


@contextmanager
def login_file(registry: Mapping[str, str] | None) -> Iterator[Path | None]:
    """The login in a file that nobody else reads, and that is gone afterwards: arguments stand in the process list."""
    if not registry:
        yield None
        return
    with tempfile.NamedTemporaryFile("w", prefix="vitro-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as file:  # noqa: S108
        json.dump(dict(registry), file)
        file.flush()
        yield Path(file.name)


def bootstrap_command(given: Mapping[str, Any], login: Path | None) -> list[str]:
    conf = Path("/var/lib/vitro/ceph-initial.conf")
    conf.parent.mkdir(parents=True, exist_ok=True)
    conf.write_text(given["conf"])
    command = [given["cephadm"], "--image", given["image"], "bootstrap", "--fsid", given["fsid"], "--mon-ip", given["address"]]
    command += ["--config", str(conf), "--ssh-user", given["ssh_user"]]
    command += ["--skip-monitoring-stack", "--skip-dashboard", "--skip-firewalld"]
    return [*command, *(["--registry-json", str(login)] if login else []), *given["options"]]


def adopt(host: Host, session: Session, *, check_mode: bool = False) -> None:
    """Take a cluster that runs under the planned id, and was made by other means or on another host."""
    live = session.read(status=Command("status"), orchestrator=Command("orch status", manager=True))
    if live["status"]["fsid"] != host.fsid or not live["orchestrator"]["available"]:
        raise NotRemoved(f"The cluster {host.fsid} is there, and its orchestrator does not answer: {live['orchestrator']}")
    if not check_mode:
        host.write_note("done")


def make_cluster(host: Host, command: Sequence[str], cephadm: str, log: Path) -> None:
    """Run cephadm's bootstrap; what an earlier one left half made goes first, if it holds nothing."""
    if host.stage() == "begun":
        if held := [name for name in host.daemons() if name.startswith("osd.")]:
            raise NotRemoved(f"The cluster {host.fsid} is half made, yet has {', '.join(held)} on this host")
        _run([cephadm, "rm-cluster", "--force", "--fsid", host.fsid], log)
    host.write_note("begun")
    _run(command, log)
    host.write_note("done")


def _run(command: Sequence[str], log: Path) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    log.touch(mode=0o600)
    with log.open("a") as file:
        file.write(f"# {' '.join(command)}\n")
        file.flush()
        done = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=False)  # noqa: S603 - a list, and no shell
    if done.returncode:
        ending = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()][-4:]
        what = next(word for word in ("bootstrap", "rm-cluster") if word in command)
        raise BootstrapFailed(f"`cephadm {what}` gave {done.returncode}: {' / '.join(ending)}")
