# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A cloud to try things on. `up` starts what does not run, `status` tells what does, `down` stops it, with --wipe for good."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from . import Lab, LabError
from .words import SERVICES


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.openstack", description=__doc__)
    parser.add_argument("what", choices=["up", "down", "status"])
    parser.add_argument("folder", type=Path, help="where everything lives: databases, configuration, logs, clouds.yaml")
    parser.add_argument("--hosts", default="lab-01,lab-02,lab-03", help="the compute hosts, by name")
    parser.add_argument("--port-offset", type=int, default=20000, help="what is added to the ports that OpenStack has by default")
    parser.add_argument("--services", default=",".join(SERVICES), help="which of them to start; without nova there are no compute hosts")
    parser.add_argument("--outside", type=json.loads, help="another OVN than the lab's own, as JSON: its nb and sb, and the folder tls")
    parser.add_argument("--wipe", action="store_true", help="remove the databases too")
    given = parser.parse_args()
    lab = Lab(given.folder)
    try:
        if given.what == "up":
            lab.up(given.hosts.split(","), given.port_offset, given.services.split(","), given.outside)
            print(lab.clouds)
        elif given.what == "down":
            lab.down(wipe=given.wipe)
        else:
            alive = lab.status()
            print("\n".join(f"{name:24} {'runs' if runs else 'dead'}" for name, runs in alive.items()))
            sys.exit(0 if alive and all(alive.values()) else 1)
    except LabError as exc:
        sys.exit(f"lab: {exc}")


if __name__ == "__main__":
    main()
