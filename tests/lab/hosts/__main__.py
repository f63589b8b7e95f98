# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts to try roles on. `up` starts them and plans their site, `break` plans it wrongly, `down` removes them.

`add-host` starts one more, `add-disk HOST` gives a running host one more disk, `swap-disk HOST DISK` an empty one for the one that it has,
`replace HOST` puts an empty server in its place; all plan the site again.
`kill HOST` is a power cut, and `start HOST` its end.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from .containers import add_disk, down, podman, pull_disk, remove, up, wait_for
from .disks import detach
from .image import build
from .lab import Lab, load
from .site import write_again, write_broken, write_site


def main() -> None:
    given = _arguments()
    folder = given.folder.resolve()
    lab = Lab(folder=folder, name=given.name, subnet=given.subnet, hosts=given.hosts, nics=given.nics)
    if given.what == "down":
        down(load(folder) if (folder / "lab.json").exists() else lab)
    elif given.what == "break":
        print(write_broken(lab))
    elif given.what == "up":
        told = {key: getattr(given, key) for key in ("disks", "disk_gib", "racks", "kubelet", "intent", "suite")}
        lab = replace(lab, **told)
        lab.save()
        up(lab, build(lab.suite))
        print(folder if given.unplanned else write_site(lab))
    elif given.what == "add-host":
        _add_host(load(folder))
    else:
        _change(load(folder), given.what, given.host, given.disk, keep_disks=given.keep_disks)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.hosts", description=__doc__)
    kinds = ["up", "break", "down", "add-host", "add-disk", "swap-disk", "replace", "kill", "start"]
    parser.add_argument("what", choices=kinds)
    parser.add_argument("folder", type=Path, help="where the keys, the site and its documents go")
    parser.add_argument("host", type=int, nargs="?", help="the number of a host, from 1 on")
    parser.add_argument("disk", type=int, nargs="?", help="the number of its disk, from 1 on")
    parser.add_argument("--name", default="vitro", help="what hosts, networks and the site are called after")
    parser.add_argument("--subnet", default="10.89.91", help="the first three octets of the management network")
    parser.add_argument("--hosts", type=int, default=3)
    parser.add_argument("--nics", type=int, default=3)
    parser.add_argument("--disks", type=int, default=0, help="for each host; without any, disks are only told of in the hardware document")
    parser.add_argument("--disk-gib", type=int, default=8, help="of each disk; the files are sparse")
    parser.add_argument("--racks", type=int, default=0, help="in how many the hosts stand; 0: nobody knows")
    parser.add_argument("--kubelet", action="store_true", help="let a kubelet live on each host")
    parser.add_argument("--unplanned", action="store_true", help="plan no site: for fewer hosts than one has")
    parser.add_argument("--suite", default="bookworm", help="the Debian suite")
    parser.add_argument("--intent", type=json.loads, default={}, help="keys of the intent as JSON, laid over the lab's own")
    parser.add_argument("--keep-disks", action="store_true", help="the new server gets the disks of the old one")
    return parser.parse_args()


def _add_host(lab: Lab) -> None:
    lab = replace(lab, hosts=lab.hosts + 1)
    # Before it is started: `down` removes what stands there.
    lab.save()
    up(lab, build(lab.suite))
    print(write_again(lab))


def _change(lab: Lab, what: str, host: int, disk: int, *, keep_disks: bool) -> None:
    name = lab.names[host - 1]
    if what == "kill":
        podman("kill", name)
        return
    if what == "start":
        podman("start", name)
        wait_for(name)
        return
    if what == "add-disk":
        lab = replace(lab, added=(*lab.added, host))
        add_disk(lab, host)
    elif what == "swap-disk":
        pull_disk(lab, host, disk)
        lab = replace(lab, swapped=(*lab.swapped, (host, disk)))
        add_disk(lab, host)
    else:
        remove(name)
        if not keep_disks:
            detach(lab.folder, [one.serial for one in lab.disks_of(host)])
            lab = replace(lab, emptied=(*lab.emptied, host))
        lab = replace(lab, replaced=(*lab.replaced, host))
        up(lab, build(lab.suite))
    lab.save()
    print(write_again(lab))


if __name__ == "__main__":
    main()
