# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes a host's network with a way back. Runs on the host as a unit of its own, from a copy of this one file: standard library only.

It keeps what there is, applies the new files, and waits for a file that says that the host is still reached. If that does not come in
time, or anything fails, or the host restarts meanwhile, the old files, names, addresses and routes come back.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

STATE = Path("/var/lib/vitro/network")
UNITS = ["systemd-networkd.socket", "systemd-networkd.service"]
GUARD = Path("/etc/systemd/system/vitro-network-guard.service")


def run(*command: str, check: bool = True) -> str:
    environment = {**os.environ, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment, timeout=120)  # noqa: S603
    except subprocess.TimeoutExpired as exc:
        done = subprocess.CompletedProcess(command, 124, "", str(exc))
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(command)} gave {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}")
    return done.stdout


def write_status(state: str, reason: str = "") -> None:
    write(STATE / "status.json", json.dumps({"id": read_job()["id"], "state": state, "reason": reason}))


def read_job() -> dict[str, Any]:
    return dict(json.loads((STATE / "job.json").read_text()))


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    with temporary.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.chmod(0o644)
    temporary.replace(path)


def keep_files(job: dict[str, Any]) -> None:
    """Copies of everything that will be written or moved away; a file that is not there is noted as such."""
    shutil.rmtree(STATE / "old", ignore_errors=True)
    (STATE / "old").mkdir(parents=True)
    kept = {}
    for number, name in enumerate([*job["files"], *job["remove"], *job["disable"], *(f"{one}.vitro-old" for one in job["disable"])]):
        kept[name] = str(number) if Path(name).exists() else None
        if Path(name).exists():
            shutil.copy2(name, STATE / "old" / str(number))
    write(STATE / "old.json", json.dumps(kept))


def files_back() -> None:
    for name, copy in json.loads((STATE / "old.json").read_text()).items():
        if copy is None:
            Path(name).unlink(missing_ok=True)
        else:
            shutil.copy2(STATE / "old" / copy, name)


def files_forward(job: dict[str, Any]) -> None:
    for name in job["disable"]:
        Path(name).replace(f"{name}.vitro-old")
    for name in job["remove"]:
        Path(name).unlink(missing_ok=True)
    for name, text in job["files"].items():
        write(Path(name), text)


def links() -> list[dict[str, Any]]:
    found = json.loads(run("ip", "-json", "-details", "address", "show"))
    return [one for one in found if one and one.get("link_type") != "loopback"]


def mac(one: dict[str, Any]) -> str:
    return str(one.get("permaddr") or one.get("address")).lower()


def made(one: dict[str, Any]) -> bool:
    return one.get("linkinfo", {}).get("info_kind") in ("bond", "vlan")


def rename(names: dict[str, str]) -> None:
    """Give each port its name; by way of names that nobody has, since two may swap theirs."""
    now = {mac(one): one["ifname"] for one in links() if not made(one)}
    todo = {address: name for address, name in names.items() if now.get(address) not in (None, name)}
    free = (name for name in (f"vitro{number}" for number in range(1000)) if name not in now.values())
    between = {address: next(free) for address in todo}
    for address, name in between.items():
        run("ip", "link", "set", "dev", now[address], "down")
        run("ip", "link", "set", "dev", now[address], "name", name)
    # udev gives a port that lost its name that name back as a second one, and then nobody can have it.
    for one in links():
        for other in set(one.get("altnames", ())) & set(todo.values()):
            run("ip", "link", "property", "del", "dev", one["ifname"], "altname", other)
    for address, name in todo.items():
        run("ip", "link", "set", "dev", between[address], "name", name)
        run("ip", "link", "set", "dev", name, "up")


def addresses(one: dict[str, Any]) -> set[str]:
    return {f"{a['local']}/{a['prefixlen']}" for a in one.get("addr_info", ()) if a.get("scope") == "global"}


def strip(wanted: dict[str, Any], keep: list[str]) -> None:
    for one in links():
        if one["ifname"] in wanted:
            for address in addresses(one) - set(wanted[one["ifname"]]["addresses"]):
                if address.partition("/")[0] not in keep:
                    run("ip", "address", "del", address, "dev", one["ifname"], check=False)


def forward(job: dict[str, Any]) -> None:
    run("systemctl", "stop", *UNITS)
    if job["ifupdown"]:
        run("ifdown", "--force", "--all", "--exclude=lo", check=False)
    files_forward(job)
    for name in job["obsolete"]:
        run("ip", "link", "del", "dev", name, check=False)
    rename(job["names"])
    strip(job["wanted"], job["keep"])
    run("udevadm", "control", "--reload", check=False)  # a container has no udev
    run("systemctl", "enable", "systemd-networkd.service")
    run("systemctl", "start", "systemd-networkd.service")


def back(job: dict[str, Any], before: dict[str, Any]) -> str:
    """Every step is tried, whatever became of the one before; gives what could not be done."""
    steps: list[Callable[[], object]] = [
        lambda: run("systemctl", "stop", *UNITS),
        files_back,
        lambda: drop_made(job, before),
        lambda: rename({mac(one): one["ifname"] for one in before["links"] if not made(one)}),
        lambda: managers_back(job, before),
        lambda: addresses_back(before),
    ]
    failed = []
    for step in steps:
        try:
            step()
        except (RuntimeError, OSError, ValueError) as exc:
            failed.append(str(exc))
    return "".join(f"; on the way back: {text}" for text in failed)


def drop_made(job: dict[str, Any], before: dict[str, Any]) -> None:
    new = set(job["wanted"]) - {one["ifname"] for one in before["links"]}
    for name in new & {one["ifname"] for one in links() if made(one)}:
        run("ip", "link", "del", "dev", name, check=False)


def managers_back(job: dict[str, Any], before: dict[str, Any]) -> None:
    run("udevadm", "control", "--reload", check=False)
    if before["enabled"] not in ("enabled", "enabled-runtime"):
        run("systemctl", "disable", "systemd-networkd.service", check=False)
    if before["active"]:
        run("systemctl", "start", "systemd-networkd.service", check=False)
    if job["ifupdown"]:
        run("ifup", "--all", check=False)
    time.sleep(2)


def addresses_back(before: dict[str, Any]) -> None:
    """What no file describes, such as what an installer or a hypervisor set, comes back by hand."""
    now = {one["ifname"]: one for one in links()}
    for one in before["links"]:
        name = one["ifname"]
        if name in now:
            old, new = addresses(one), addresses(now[name])
            for address in new - old:
                run("ip", "address", "del", address, "dev", name, check=False)
            run("ip", "link", "set", "dev", name, "mtu", str(one["mtu"]), "up" if "UP" in one["flags"] else "down", check=False)
            for address in old - new:
                run("ip", "address", "add", address, "dev", name, check=False)
    for route in sorted(before["routes"], key=lambda one: "via" in one):
        run("ip", "route", "replace", *route.split(), check=False)


def snapshot() -> dict[str, Any]:
    routes = run("ip", "route", "show", "table", "main").splitlines()
    return {
        "links": links(),
        "routes": [line.replace("linkdown", "").strip() for line in routes if "nexthop" not in line],
        "active": run("systemctl", "is-active", "systemd-networkd.service", check=False).strip() == "active",
        "enabled": run("systemctl", "is-enabled", "systemd-networkd.service", check=False).strip(),
    }


def guard(*, on: bool) -> None:
    if on:
        shutil.copy(STATE / GUARD.name, GUARD)
        run("systemctl", "enable", GUARD.name)
    elif GUARD.exists():
        run("systemctl", "disable", GUARD.name, check=False)
        GUARD.unlink(missing_ok=True)
        run("systemctl", "daemon-reload", check=False)


def change() -> None:
    """The whole way: forward, wait, and back unless somebody confirmed."""
    job = read_job()
    before = snapshot()
    keep_files(job)
    guard(on=True)
    reason = f"nobody confirmed it within {job['seconds']} s"
    try:
        write_status("applying")
        forward(job)
        write_status("waiting")
        until = time.monotonic() + job["seconds"]
        while time.monotonic() < until:
            if (STATE / "confirmed").exists() and (STATE / "confirmed").read_text() == job["id"]:
                guard(on=False)
                write_status("kept")
                return
            time.sleep(0.5)
    except (RuntimeError, OSError, ValueError) as exc:
        reason = str(exc)
    lines = run("ip", "-brief", "address", check=False).splitlines()
    reason += f"; its interfaces were then: {'; '.join(' '.join(line.split()) for line in lines)}" + back(job, before)
    guard(on=False)
    write_status("rolled back", reason)


def main() -> None:
    if sys.argv[1:] == ["files-back"]:
        files_back()
        guard(on=False)
        write_status("rolled back", "the host restarted before anybody confirmed it")
    else:
        change()


if __name__ == "__main__":
    main()
