# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ceph for lab hosts. `build` makes its image and cephadm, `up` serves the image from a registry with TLS, `down` ends that."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.lab.registry import lab_registry

from .image import program, wheels
from .push import layer, push

SECONDS = 120


def serve(folder: Path, address: str, port: int, image: str) -> None:
    # So that the registry ends too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with lab_registry(folder, address, port) as registry:
        for one in (image, f"{image}-next"):
            push(registry, one)
        (folder / "ready").write_text(registry.url)
        signal.pause()


def up(folder: Path, arguments: list[str]) -> None:
    """Serve in the background, and come back when the image is there."""
    layer()
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(program(), folder / "cephadm")
    shutil.copytree(wheels(), folder / "wheels", dirs_exist_ok=True)
    down(folder)
    with (folder / "serve.log").open("w") as log:
        command = [sys.executable, "-m", "tests.lab.ceph", "serve", *arguments]
        started = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    (folder / "serve.pid").write_text(str(started.pid))
    deadline = time.monotonic() + SECONDS
    while not (folder / "ready").exists():
        if started.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"The registry did not get ready:\n{(folder / 'serve.log').read_text()[-800:]}")
        time.sleep(0.2)


def down(folder: Path) -> None:
    pid = folder / "serve.pid"
    if pid.exists():
        number = int(pid.read_text())
        with contextlib.suppress(OSError):
            if b"tests.lab.ceph" in Path(f"/proc/{number}/cmdline").read_bytes():
                os.kill(number, signal.SIGTERM)
        pid.unlink()
    (folder / "ready").unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.ceph", description=__doc__)
    parser.add_argument("what", choices=["build", "up", "serve", "down"])
    parser.add_argument("folder", type=Path, nargs="?", help="of the registry: its CA, its password, its image; and cephadm and wheels")
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=5000)
    parser.add_argument("--image", default="ceph/ceph:v20", help="what the image is called in the registry")
    given = parser.parse_args()
    if given.what == "build":
        print(layer().path, program(), wheels(), sep="\n")
    elif given.what == "up":
        up(given.folder, sys.argv[2:])
    elif given.what == "serve":
        serve(given.folder, given.address, given.port, given.image)
    else:
        down(given.folder)


if __name__ == "__main__":
    main()
