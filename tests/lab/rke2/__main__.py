# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Releases of a stand-in for RKE2. `build` makes them once, and prints the folder that has one folder for each version."""

from __future__ import annotations

import argparse

from .release import VERSIONS, build


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.rke2", description=__doc__)
    parser.add_argument("what", choices=["build"])
    parser.add_argument("versions", nargs="*", default=VERSIONS, help="what the releases call themselves; their code is the same")
    print(build(tuple(parser.parse_args().versions)))


if __name__ == "__main__":
    main()
