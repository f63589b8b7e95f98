# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From options to a hardware document: what the module and the inventory plugin have in common."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .arguments import ARGUMENTS
from .changes import changes
from .client import Limits
from .document import read_document, to_data, write_document
from .errors import OptionsRefused, advice
from .hardware import Hardware
from .rack import Progress, read_rack, run
from .table import table
from .targets import parse_targets, read_address_files


def site_options(config: Mapping[str, Any], base: Path) -> dict[str, Any]:
    """The options in a site's bmc.yml that say what to read and how; paths in it are relative to its folder."""
    options = {key: config[key] for key in (*ARGUMENTS, "username", "password") if config.get(key) is not None}
    targets = read_address_files(options.get("targets") or [], base)
    options["targets"] = [_with_path(entry, base) if isinstance(entry, Mapping) else entry for entry in targets]
    return _with_path(options, base)


def _with_path(options: Mapping[str, Any], base: Path) -> dict[str, Any]:
    ca_path = options.get("ca_path")
    return {**options, "ca_path": str(base / Path(ca_path).expanduser())} if ca_path else dict(options)


def read_hardware(options: Mapping[str, Any], progress: Callable[[Progress], None]) -> Hardware:
    """Read the BMCs that the options name."""
    mistakes = [f"{key}: `{options[key]}` is not above 0" for key in ("timeout", "deadline", "concurrency") if options[key] <= 0]
    if mistakes:
        raise OptionsRefused(mistakes)
    targets = parse_targets(options)
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
    with Path(path).open("a", encoding="utf-8", buffering=1) as file:
        yield lambda progress: print(progress, file=file)


def ensure_hardware(options: Mapping[str, Any], *, check_mode: bool) -> tuple[dict[str, Any], list[str]]:
    """Bring the document up to date with the rack; say what that changed, and what the operator should hear."""
    dest = Path(options["dest"]) if options["dest"] else None
    before = read_document(dest) if dest and dest.exists() else None
    with _progress(options["progress"]) as report:
        hardware = read_hardware(options, report)
    result: dict[str, Any] = {"changed": False, "servers": len(hardware.servers), "table": table(hardware)}
    result["unread"] = to_data(hardware)["unread"]
    if not dest:
        return {**result, "hardware": to_data(hardware)}, spoken(hardware)
    found = changes(before, hardware)
    if (found or before is None) and not check_mode:
        write_document(hardware, dest)
    result |= {"changed": bool(found) or before is None, "changes": found, "first": before is None, "dest": str(dest)}
    result["diff"] = {"prepared": "".join(f"{sentence}\n" for sentence in found)}
    return result, spoken(hardware)


def spoken(hardware: Hardware) -> list[str]:
    """What is worth a warning on the terminal: BMCs that were not read, and findings, each kind once."""
    said = [advice(one.text, one.cure) for one in hardware.unread]
    kinds: dict[str, list[str]] = {}
    for server in hardware.servers:
        for finding in server.findings:
            kinds.setdefault(finding.text, []).append(server.bmc.address)
    said += [f"{text} ({len(where)} BMCs: {', '.join(where[:3])}{' …' if len(where) > 3 else ''})" for text, where in kinds.items()]
    return said
