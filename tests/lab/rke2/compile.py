# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs of a release, compiled from the Go module proxy. The first time takes long; Go keeps what it compiled."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
K3S = "github.com/k3s-io/k3s"
TAGS = "no_stage no_cri_dockerd netgo osusergo static_build sqlite_omit_load_extension"
STATIC = "-w -s -linkmode=external -extldflags=-static"
CONTAINERD = "github.com/containerd/containerd/v2"
# In a module graph of its own: K3s pins an ebpf library that is too old for it.
RUNC = "github.com/opencontainers/runc@v1.3.1"
EVERY = 100


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def prepare(source: Path) -> None:
    """A module that pins K3s and takes over its replacements, which count in a main module only. K3s itself is held against sums.txt, since
    the public database of sums does not know that version, and all else against the sums that K3s brings."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(HERE / "standin", source)
    sums = (source / "sums.txt").read_text()
    version = sums.split()[1]
    (source / "go.sum").write_text(sums)
    (source / "go.mod").write_text(f"module lab/standin\n\ngo 1.24.6\n\nrequire {K3S} {version}\n")
    _go("mod", "download", K3S, at=source)
    theirs = Path(_go("list", "-m", "-f", "{{.Dir}}", K3S, at=source).strip())
    module = json.loads(_go("mod", "edit", "-json", str(theirs / "go.mod"), at=source))
    (source / "go.mod").write_text(_module(module, version))
    (source / "go.sum").write_text("".join(sorted({*sums.splitlines(True), *(theirs / "go.sum").read_text().splitlines(True)})))


def _module(theirs: dict[str, Any], version: str) -> str:
    replaced = [(_named(one["Old"]), _named(one["New"])) for one in theirs["Replace"]]
    required = [f"{one['Path']} {one['Version']}{' // indirect' if one.get('Indirect') else ''}" for one in theirs["Require"]]
    lines = [f"module lab/standin\n\ngo {theirs['Go']}\n\nreplace ("]
    lines += [f"\t{old} => {new}" for old, new in replaced]
    lines += [")\n\nrequire (", f"\t{K3S} {version}", *(f"\t{one}" for one in required), ")\n"]
    return "\n".join(lines)


def _named(one: dict[str, str]) -> str:
    return f"{one['Path']} {one['Version']}" if one.get("Version") else one["Path"]


def compile_program(source: Path, version: str, made: Path) -> None:
    """The program itself, which says that it is of that version."""
    minor = version.split(".")[1]
    stamped = {
        f"{K3S}/pkg/version.Program": "rke2", f"{K3S}/pkg/version.Version": version, f"{K3S}/pkg/version.GitCommit": "standin",
        f"{K3S}/pkg/version.UpstreamGolang": _go("env", "GOVERSION", at=source).strip(),
        "k8s.io/component-base/version.gitVersion": version, "k8s.io/component-base/version.gitMajor": "1",
        "k8s.io/component-base/version.gitMinor": minor, "k8s.io/client-go/pkg/version.gitVersion": version,
    }  # fmt: skip
    _build(source, made, ".", stamped, {"CGO_CFLAGS": "-DSQLITE_ENABLE_DBSTAT_VTAB=1 -DSQLITE_USE_ALLOCA=1"})


def compile_runtime(source: Path, version: str, folder: Path) -> None:
    """What the runtime image has in its bin."""
    folder.mkdir(parents=True, exist_ok=True)
    _build(source, folder / "kubectl", "k8s.io/kubernetes/cmd/kubectl", {"k8s.io/component-base/version.gitVersion": version})
    _build(source, folder / "crictl", "./crictl", {})
    for name in ("containerd", "ctr", "containerd-shim-runc-v2"):
        _build(source, folder / name, f"{CONTAINERD}/cmd/{name}", {f"{CONTAINERD}/version.Version": "2.1.4-lab"})
    options = ["-trimpath", "-tags", "netgo osusergo seccomp", "-ldflags", f"{STATIC} -X main.version=1.3.1"]
    say("runc")
    _go("install", *options, RUNC, at=source, GOBIN=str(folder), CGO_ENABLED="1")


def compile_pause(made: Path) -> None:
    made.parent.mkdir(parents=True, exist_ok=True)
    _run(["gcc", "-static", "-Os", "-s", "-o", str(made), str(HERE / "standin/pause/pause.c")], HERE)


def _build(source: Path, made: Path, package: str, stamped: dict[str, str], environment: dict[str, str] | None = None) -> None:
    flags = " ".join([STATIC, *(f"-X {name}={value}" for name, value in stamped.items())])
    command = ["go", "build", "-v", "-mod=mod", "-trimpath", "-tags", TAGS, "-ldflags", flags, "-o", str(made), package]
    say(f"{made.name}: compiling")
    process = subprocess.Popen(
        command, cwd=source, env={**os.environ, "CGO_ENABLED": "1", **(environment or {})}, stderr=subprocess.PIPE, text=True
    )
    said: list[str] = []
    for line in process.stderr or ():
        said.append(line)
        if len(said) % EVERY == 0:
            say(f"{made.name}: {len(said)} packages")
    if process.wait():
        raise SystemExit(f"Cannot compile {package}:\n{''.join(said[-20:])}")


def _go(*arguments: str, at: Path, **environment: str) -> str:
    return _run(["go", *arguments], at, environment)


def _run(command: Sequence[str], at: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=at, env={**os.environ, **(environment or {})}, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:3])} failed:\n{done.stderr[-1500:]}")
    return done.stdout
