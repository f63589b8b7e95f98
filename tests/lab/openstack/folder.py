# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lab's folder: where its parts lie, what they are called, and how programs are run in it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .words import HOST, PORTS, TLS_ABOVE


class LabError(Exception):
    """What went wrong, and which log tells more."""


class Folder:
    """Everything of one lab. `state` is what an `up` after a `down` needs to know."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.run, self.log, self.etc, self.data = (self.path / name for name in ("run", "log", "etc", "data"))
        self.venv = self.path / "venv"
        self._state_file = self.path / "lab.json"
        self.state: dict[str, Any] = json.loads(self._state_file.read_text()) if self._state_file.exists() else {}

    def save(self, **more: Any) -> None:
        self.state.update(more)
        self._state_file.touch(mode=0o600)
        self._state_file.write_text(json.dumps(self.state, indent=1))

    def forget(self) -> None:
        self._state_file.unlink(missing_ok=True)
        self.state = {}

    @property
    def hosts(self) -> list[str]:
        return list(self.state["hosts"])

    @property
    def services(self) -> list[str]:
        return list(self.state["services"])

    @property
    def outside(self) -> dict[str, str]:
        """The OVN that is not the lab's own, if there is one: `nb`, `sb`, and the folder `tls`."""
        return dict(self.state.get("outside") or {})

    def bin(self, name: str) -> str:
        return str(self.venv / "bin" / name)

    def port(self, name: str) -> int:
        return PORTS[name] + int(self.state["port_offset"])

    def url(self, name: str, *, tls: bool = False) -> str:
        return f"https://{HOST}:{self.port(name) + TLS_ABOVE}" if tls else f"http://{HOST}:{self.port(name)}"

    def password(self, name: str) -> str:
        return str(self.state["passwords"][name])

    def database(self, name: str) -> str:
        return f"mysql+pymysql://lab:{self.password('db')}@{HOST}:{self.port('mariadb')}/{name}?charset=utf8"

    def write(self, name: str, text: str) -> Path:
        path = self.etc / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(text)
        return path

    def environment(self, **more: str) -> dict[str, str]:
        # PYTHONDONTWRITEBYTECODE would cost seconds of compiling at each start.
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("OS_", "PYTHON"))}
        path = f"{self.venv}/bin:/usr/sbin:{os.environ['PATH']}"
        return {**kept, "PYTHONUNBUFFERED": "1", "PATH": path, "OVS_RUNDIR": str(self.run), "OVN_RUNDIR": str(self.run), **more}

    def call(self, *command: object, **variables: str) -> None:
        """Run a program to its end; its output goes to a log of its own."""
        words = [str(one) for one in command]
        names = [word for word in words[1:3] if word[:1].isalpha() and "/" not in word]
        log = self.log / f"run.{'-'.join([Path(words[0]).name, *names])}.log"
        with log.open("ab") as file:
            done = subprocess.run(words, stdout=file, stderr=file, env=self.environment(**variables), check=False)
        if done.returncode:
            tail = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
            raise LabError(f"{' '.join(words)} ended with {done.returncode}; end of {log}:\n{tail}")

    def pid_of(self, name: str) -> int | None:
        """The living process that this lab started under the name. Its start time is kept too, for pids are used again."""
        entry = self.run / f"{name}.pid"
        if not entry.exists():
            return None
        pid, born = entry.read_text().split()
        return int(pid) if _born(int(pid)) == born else None

    def names(self) -> list[str]:
        return sorted(path.stem for path in self.run.glob("*.pid"))

    def spawn(self, name: str, command: Sequence[object], **variables: str) -> None:
        if self.pid_of(name):
            return
        with (self.log / f"{name}.log").open("ab") as file:
            child = subprocess.Popen(
                [str(one) for one in command],
                stdout=file,
                stderr=file,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                cwd=self.run,
                env=self.environment(**variables),
            )
        (self.run / f"{name}.pid").write_text(f"{child.pid} {_born(child.pid)}")

    def stop(self, name: str, patience: float = 20) -> None:
        pid = self.pid_of(name)
        if pid:
            for sign, seconds in ((signal.SIGTERM, patience), (signal.SIGKILL, 5)):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, sign)
                if until(lambda: not _group_lives(pid), seconds):
                    break
        (self.run / f"{name}.pid").unlink(missing_ok=True)

    def listens(self, name: str) -> bool:
        with contextlib.suppress(OSError), socket.create_connection((HOST, self.port(name)), timeout=1):
            return True
        return False

    def await_port(self, name: str, seconds: float = 90) -> None:
        if not until(lambda: self.listens(name), seconds):
            raise LabError(f"{name} does not listen on {self.port(name)}; see {self.log}/{name}.log")


def until(check: Callable[[], object], seconds: float, pause: float = 0.3) -> bool:
    end = time.monotonic() + seconds
    while not check():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True


def _stat(pid: int | str) -> list[str] | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return text.rsplit(")", 1)[1].split()


def _born(pid: int) -> str | None:
    """When the process started, in ticks; a zombie is dead."""
    stat = _stat(pid)
    return stat[19] if stat and stat[0] != "Z" else None


def _group_lives(group: int) -> bool:
    stats = (_stat(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return any(stat and stat[2] == str(group) and stat[0] != "Z" for stat in stats)
