# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Images for the real kolla-ansible. `build` makes them, `up` serves them from a registry with TLS and one account, `down` ends it."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.lab.registry import LabRegistry, lab_registry

from .catalogue import IMAGES
from .layers import Blob, image, shared_layer
from .rootfs import build

SECONDS = 120


def push(registry: LabRegistry, namespace: str, tag: str) -> None:
    base, first = shared_layer(build()), ""
    for name in IMAGES:
        repository = f"{namespace}/{name}"
        manifest, blobs = image(name, base)
        for blob in blobs:
            _push_blob(registry, repository, blob, first if blob is base else "")
        registry.put_manifest(repository, tag, manifest)
        first = first or repository


def _push_blob(registry: LabRegistry, repository: str, blob: Blob, elsewhere: str) -> None:
    with blob.path.open("rb") as file:
        registry.put_blob(repository, blob.digest, file, blob.size, elsewhere)


def serve(folder: Path, address: str, port: int, namespace: str, tag: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    # So that the registry ends too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with lab_registry(folder, address, port) as registry:
        push(registry, namespace, tag)
        (folder / "ready").write_text(registry.url)
        signal.pause()


def up(folder: Path, arguments: list[str]) -> None:
    """Serve in the background, and come back when every image is there."""
    shared_layer(build())
    folder.mkdir(parents=True, exist_ok=True)
    down(folder)
    with (folder / "serve.log").open("w") as log:
        command = [sys.executable, "-m", "tests.lab.images", "serve", *arguments]
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
            if b"tests.lab.images" in Path(f"/proc/{number}/cmdline").read_bytes():
                os.kill(number, signal.SIGTERM)
                _wait_for_the_end(number)
        pid.unlink()
    (folder / "ready").unlink(missing_ok=True)


def _wait_for_the_end(number: int) -> None:
    """Its port is free only then. Reading the command line of a process that ended, but was not collected, gives nothing."""
    deadline = time.monotonic() + SECONDS
    while Path(f"/proc/{number}/cmdline").read_bytes() and time.monotonic() < deadline:
        time.sleep(0.1)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.images", description=__doc__)
    parser.add_argument("what", choices=["build", "up", "serve", "down"])
    parser.add_argument("folder", type=Path, nargs="?", help="where the registry has its keys, its password and its images")
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=5000)
    parser.add_argument("--namespace", default="kolla")
    parser.add_argument("--tag", default="2026.1-debian-trixie")
    given = parser.parse_args()
    if given.what == "build":
        print(shared_layer(build()).path, *IMAGES, sep="\n")
    elif given.what == "up":
        up(given.folder, sys.argv[2:])
    elif given.what == "serve":
        serve(given.folder, given.address, given.port, given.namespace, given.tag)
    else:
        down(given.folder)


if __name__ == "__main__":
    main()
