# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a client is told to read, and what it says it found: a file each way."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Job:
    addresses: list[str]
    port: int
    ca: str
    username: str
    password: str
    # BMCs that are read at once.
    concurrency: int = 64
    # For the yardstick: what to fetch from each BMC.
    gets: list[list[str]] = field(default_factory=list)

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)))


def given() -> Job:
    """The job that the client's command line names."""
    return Job(**json.loads(Path(sys.argv[1]).read_text()))


def say(found: Mapping[str, int]) -> None:
    """The client's answer: how many BMCs it read whole, and how many things of each kind it saw there."""
    print(json.dumps(found))
