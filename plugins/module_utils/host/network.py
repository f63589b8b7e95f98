# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The network of a host: what changes, and the change by way of a unit that can take it back. Runs on the host."""

from __future__ import annotations

import inspect
import json
import secrets
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import switch
from .errors import HostRefused, NetworkNotApplied
from .foreign import IFUPDOWN, NETWORKD, check_managers, plan_files
from .interfaces import interfaces_of, names_by_mac, wanted
from .live import Live, Run, by_mac, check_macs, check_ports, differences, obsolete, read_live
from .networkd import render

FOLDERS = (NETWORKD, "/etc/netplan", f"{IFUPDOWN}.d")
FILES = (IFUPDOWN, "/etc/cloud/cloud.cfg", "/etc/cloud/cloud.cfg.d/99-vitro-network.cfg")
ENDINGS = (".network", ".netdev", ".link", ".yaml", ".yml")
UNITS = ("NetworkManager.service", "systemd-networkd.service")
# Brings the old files back if the host restarts in the middle of a change.
GUARD_TEXT = f"""[Unit]
Description=Bring back the network configuration that nobody confirmed
DefaultDependencies=no
RequiresMountsFor={switch.STATE} /etc/systemd/network
After=systemd-remount-fs.service
Before=systemd-udev-trigger.service systemd-networkd.service network-pre.target networking.service
Wants=network-pre.target
[Service]
Type=oneshot
ExecStart={sys.executable} {switch.STATE}/switch.py files-back
[Install]
WantedBy=sysinit.target
"""


def read_files(root: Path = Path("/")) -> dict[str, str]:
    """Every file that configures the network, by its path."""
    names = list(FILES)
    for folder in FOLDERS:
        inside = sorted(one.name for one in (root / folder[1:]).glob("*"))
        names += [f"{folder}/{name}" for name in inside if name.endswith(ENDINGS if folder != FOLDERS[-1] else ("",))]
    paths = {name: root / name[1:] for name in names if not name.endswith(".vitro-old")}
    return {name: path.read_text(errors="replace") for name, path in paths.items() if path.is_file()}


def read_units(run: Run) -> tuple[set[str], set[str]]:
    """Which of the managers run, and which are installed."""
    listed = json.loads(run(["systemctl", "list-units", "--all", "--output=json", *UNITS]) or "[]")
    known = {line.split()[0] for line in run(["systemctl", "list-unit-files", "--no-legend", *UNITS]).splitlines() if line.strip()}
    return {one["unit"] for one in listed if one["active"] == "active"}, known


def plan_network(
    server: Mapping[str, Any], new: Mapping[str, str], found: Mapping[str, str], live: Live, keep: Sequence[str]
) -> dict[str, Any]:
    """Everything that changes: files, and what follows for the running interfaces."""
    want = wanted(server)
    check_macs(server["name"], want, live)
    check_ports(server["name"], want, live)
    have = by_mac(live)
    macs = [one["mac"] for one in want.values() if one["mac"]]
    names = [*want, *(have[mac] for mac in macs)]
    files = plan_files(new, found, names, macs)
    return {
        **files,
        "names": names_by_mac(interfaces_of(server)),
        "wanted": want,
        "keep": list(keep),
        "obsolete": obsolete(want, live),
        "live": [*(f"remove {name}" for name in obsolete(want, live)), *differences(want, live, keep)],
    }


def changes(plan: Mapping[str, Any]) -> bool:
    return any(plan[key] for key in ("files", "remove", "disable", "live"))


def diff(plan: Mapping[str, Any], found: Mapping[str, str]) -> list[dict[str, str]]:
    """The files, and then what follows, in words."""
    parts = []
    for path in [*plan["files"], *plan["remove"], *plan["disable"]]:
        after = plan["files"].get(path, "")
        parts.append({"before": found.get(path, ""), "after": after, "before_header": path, "after_header": path})
    return [*parts, {"prepared": "".join(f"{line}\n" for line in plan["live"])}]


def read_plan(run: Run, options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """What would change on this host now."""
    server = options["server"]
    check_managers(server["name"], *read_units(run))
    found = read_files()
    return plan_network(server, render(server, options["dns"], options["domain"]), found, read_live(run), options["keep"]), found


def start(run: Run, plan: Mapping[str, Any], seconds: int) -> str:
    """Hand the change to a unit of its own, and give its id."""
    status = outcome()
    if status["state"] in ("applying", "waiting") and run(["systemctl", "is-active", f"vitro-network-{status['id']}"]).strip() == "active":
        raise HostRefused("Cannot change the network: another change is under way", cure="Wait a minute and run again")
    shutil.rmtree(switch.STATE, ignore_errors=True)
    switch.STATE.mkdir(parents=True, mode=0o700)
    job = {**plan, "id": secrets.token_hex(4), "seconds": seconds}
    switch.write(switch.STATE / "job.json", json.dumps(job))
    switch.write(switch.STATE / "switch.py", inspect.getsource(switch))
    switch.write(switch.STATE / switch.GUARD.name, GUARD_TEXT)
    unit = f"vitro-network-{job['id']}"
    run(["systemd-run", "--quiet", "--collect", f"--unit={unit}", "--property=Type=exec", sys.executable, str(switch.STATE / "switch.py")])
    return str(job["id"])


def outcome() -> dict[str, str]:
    try:
        read: dict[str, str] = json.loads((switch.STATE / "status.json").read_text())
    except FileNotFoundError:
        return {"state": "none", "id": "", "reason": ""}
    return read


def confirm(run: Run, number: str, server: Mapping[str, Any], keep: Sequence[str], seconds: float) -> None:
    """Keep the change if the interfaces are as planned; they may need a moment."""
    until = time.monotonic() + seconds
    left = ["the change has not begun"]
    while time.monotonic() < until:
        status = outcome()
        if status["state"] == "rolled back":
            raise NetworkNotApplied(f"The change was taken back: {status['reason']}")
        left = differences(wanted(server), read_live(run), keep) if status["state"] == "waiting" and status["id"] == number else left
        if status["state"] == "waiting" and not left:
            break
        time.sleep(1)
    else:
        raise NetworkNotApplied(f"The interfaces are not as planned: {'; '.join(left)}")
    switch.write(switch.STATE / "confirmed", number)
    while outcome()["state"] != "kept":
        if time.monotonic() > until:
            raise NetworkNotApplied(f"The change could not be kept: it is {outcome()['state']}")
        time.sleep(0.2)
