# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts to try roles on. `up` starts them and plans their site, `break` plans it wrongly, `down` removes them."""

from __future__ import annotations

import argparse
from pathlib import Path

from .containers import Lab, down, up
from .image import build
from .site import write_broken, write_site


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.hosts", description=__doc__)
    parser.add_argument("what", choices=["up", "break", "down"])
    parser.add_argument("folder", type=Path, help="where the keys, the site and its documents go")
    parser.add_argument("--name", default="vitro", help="what hosts, networks and the site are called after")
    parser.add_argument("--subnet", default="10.89.91", help="the first three octets of the management network")
    parser.add_argument("--hosts", type=int, default=3)
    parser.add_argument("--nics", type=int, default=3)
    parser.add_argument("--suite", default="bookworm", help="the Debian suite")
    given = parser.parse_args()
    lab = Lab(folder=given.folder.resolve(), name=given.name, subnet=given.subnet, hosts=given.hosts, nics=given.nics)
    if given.what == "down":
        down(lab)
        return
    if given.what == "break":
        print(write_broken(lab))
        return
    up(lab, build(given.suite))
    print(write_site(lab))


if __name__ == "__main__":
    main()
