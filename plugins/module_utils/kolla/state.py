# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What kolla-ansible has done to a site, so that a run goes on where the last one stopped and nothing is upgraded twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from ..documents import Document
from ..errors import VitroError
from ..records import record
from .needs import PATH as NEEDS
from .tree import Tree

SCHEMA: Final = "vitro/kolla-state/1"
# What brings the site to a release.
DEPLOYING: Final = ("deploy", "upgrade")
# What belongs to the release that runs.
BOUND: Final = (*DEPLOYING, "prechecks", "pull", "reconfigure", "post-deploy")


class ReleaseRefused(VitroError):
    code = "kolla_release"


@record
class Phase:
    """A command that ended well; `digest` is that of the configuration that it ran with."""

    digest: str
    ended: str
    seconds: float
    release: str


@record
class State:
    """`release` is None as long as nothing is deployed. `upgrading` is the release that an upgrade was started to and has not reached."""

    release: str | None = None
    upgrading: str | None = None
    phases: Mapping[str, Phase]
    schema: Literal["vitro/kolla-state/1"] = SCHEMA


DOCUMENT = Document(
    "state of Kolla",
    State,
    SCHEMA,
    cure="Bring it back from your backup. Without it a run starts from its first phase, which does no harm to a cloud of the same release",
)


def read_state(path: Path) -> State:
    return DOCUMENT.read(path) if path.exists() else State(phases={})


def digest_of(tree: Tree) -> str:
    """A number for what Kolla reads. It is of the contents, so that another vault password changes nothing."""
    read = {path: file.text for path, file in tree.items() if path != NEEDS}
    return hashlib.sha256(json.dumps(read, sort_keys=True).encode()).hexdigest()


def done(state: State, command: str, digest: str) -> Phase | None:
    """The run of the command that need not be repeated: it ended well with the same files."""
    phase = state.phases.get(command)
    return phase if phase and phase.digest == digest else None


def refuse(state: State, command: str, release: str) -> None:
    """Stop what does not fit the release that runs."""
    if command == "upgrade":
        if state.release is None:
            raise ReleaseRefused("Cannot upgrade: nothing is deployed here yet", cure="Run frontier.vitro.openstack to deploy it")
        if state.release == release:
            raise ReleaseRefused(
                f"Cannot upgrade: the cloud is at {release} already",
                cure="Put the release that you want into versions.openstack, plan and render again; or reconfigure, if only files changed",
            )
    elif command in BOUND and state.release not in (None, release):
        going = f", and an upgrade to {state.upgrading} was begun" if state.upgrading else ""
        raise ReleaseRefused(
            f"Cannot run {command} with the files of {release}: the cloud is at {state.release}{going}",
            cure="Run frontier.vitro.openstack_upgrade, or put the old release back into versions.openstack, plan and render again",
        )


def begun(state: State, command: str, release: str) -> State:
    return replace(state, upgrading=release) if command == "upgrade" else state


def ended(state: State, command: str, phase: Phase) -> State:
    """The state after a command that ended well."""
    phases = {**state.phases, command: phase}
    if command in DEPLOYING:
        return State(release=phase.release, phases=phases)
    return replace(state, phases=phases)
