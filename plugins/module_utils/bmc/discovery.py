# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From options to a hardware document: what the module and the inventory plugin have in common."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import advice, counted
from .arguments import ARGUMENTS
from .changes import changes
from .client import Limits
from .document import DOCUMENT
from .errors import OptionsRefused
from .hardware import Hardware, Note
from .rack import Progress, read_rack, run
from .table import table
from .targets import as_entries, parse_targets, read_address_files

MOST_SAID = 5


def site_options(config: Mapping[str, Any], base: Path) -> dict[str, Any]:
    """The options in a site's bmc.yml that say what to read and how; paths in it are relative to its folder."""
    options = {key: config[key] for key in (*ARGUMENTS, "username", "password") if config.get(key) is not None}
    targets = read_address_files(as_entries(options.get("targets")), base)
    options["targets"] = [_with_path(entry, base) if isinstance(entry, Mapping) else entry for entry in targets]
    return _with_path(options, base)


def _with_path(options: Mapping[str, Any], base: Path) -> dict[str, Any]:
    ca_path = options.get("ca_path")
    return {**options, "ca_path": str(base / Path(ca_path).expanduser())} if ca_path else dict(options)


def read_hardware(options: Mapping[str, Any], progress: Callable[[Progress], None], before: Hardware | None = None) -> Hardware:
    """Read the BMCs that the options name. Where a server was before, its BMC is missed, also in a network that is searched."""
    mistakes = [f"{key}: `{options[key]}` is not above 0" for key in ("timeout", "deadline", "concurrency") if options[key] <= 0]
    targets = []
    try:
        targets = parse_targets(options)
    except OptionsRefused as exc:
        mistakes += exc.mistakes
    if mistakes:
        raise OptionsRefused(mistakes)
    known = {(server.bmc.address, server.bmc.port) for server in before.servers} if before else set()
    targets = [dataclasses.replace(one, searched=False) if (one.address, one.port) in known else one for one in targets]
    limits = Limits(
        timeout=options["timeout"], deadline=options["deadline"], concurrency=options["concurrency"], keep_alive=options["keep_alive"]
    )
    return run(read_rack(targets, limits, progress))


@contextlib.contextmanager
def _progress(path: str | None) -> Iterator[Callable[[Progress], None]]:
    """A reporter that appends lines to a file, where one is wanted."""
    if not path:
        yield lambda _: None
        return
    try:
        Path(path).touch()
    except OSError as exc:
        raise OptionsRefused([f"progress: `{path}` cannot be written: {exc.strerror}"]) from exc
    with Path(path).open("a", encoding="utf-8", buffering=1) as file:
        yield lambda progress: print(progress, file=file)


def ensure_hardware(options: Mapping[str, Any], *, check_mode: bool) -> tuple[dict[str, Any], list[str]]:
    """Bring the document up to date with the rack; say what that changed, and what the operator should hear."""
    dest = Path(options["dest"]) if options["dest"] else None
    before = DOCUMENT.read(dest) if dest and dest.exists() else None
    with _progress(options["progress"]) as report:
        hardware = with_old_records(before, read_hardware(options, report, before))
    result: dict[str, Any] = {"changed": False, "servers": len(hardware.servers), "table": table(hardware)}
    result["unread"] = DOCUMENT.to_data(hardware)["unread"]
    if not dest:
        return {**result, "hardware": DOCUMENT.to_data(hardware)}, spoken(hardware)
    found = changes(before, hardware)
    if (found or before is None) and not check_mode:
        DOCUMENT.write(hardware, dest)
    result |= {"changed": bool(found) or before is None, "changes": found, "first": before is None, "dest": str(dest)}
    result["diff"] = {"prepared": "".join(f"{sentence}\n" for sentence in found)}
    return result, spoken(hardware)


def with_old_records(before: Hardware | None, now: Hardware) -> Hardware:
    """Keep the last record of a server whose BMC tells nothing now, or little, and mark it: one bad minute must not lose it."""
    reasons = {(one.address, one.port): f"could not be read ({one.code})" for one in now.unread}
    thin = {(one.bmc.address, one.bmc.port) for one in now.servers if one.bmc.protocol == "ipmi"}
    reasons |= dict.fromkeys(thin, "answers by IPMI only")
    kept = {}
    for server in before.servers if before else ():
        reason = reasons.get((server.bmc.address, server.bmc.port))
        if reason and server.bmc.protocol == "redfish":
            old = [note for note in server.warnings if note.code != "not_read_now"]
            note = Note(code="not_read_now", text=f"this was read at {server.read.at}: now the BMC {reason}")
            kept[server.id] = dataclasses.replace(server, warnings=(*old, note))
    replaced = {(one.bmc.address, one.bmc.port) for one in kept.values()} & thin
    fresh = [one for one in now.servers if one.id not in kept and (one.bmc.address, one.bmc.port) not in replaced]
    return dataclasses.replace(now, servers=(*fresh, *kept.values()))


def spoken(hardware: Hardware) -> list[str]:
    """What is worth a warning on the terminal, each kind once: BMCs that were not read, and findings."""
    cures: dict[str, list[str]] = {}
    for one in hardware.unread:
        cures.setdefault(one.cure, []).append(one.text)
    said = [advice(_some(texts, "; "), cure) for cure, texts in cures.items()]
    kinds: dict[str, list[str]] = {}
    for server in hardware.servers:
        for finding in server.findings:
            kinds.setdefault(finding.text, []).append(server.bmc.address)
    return said + [f"{text} ({counted(len(where), 'BMC')}: {_some(where, ', ')})" for text, where in kinds.items()]


def _some(texts: list[str], separator: str) -> str:
    """The first few, and how many more there are."""
    more = f"{separator}and {len(texts) - MOST_SAID} more" if len(texts) > MOST_SAID else ""
    return separator.join(texts[:MOST_SAID]) + more
