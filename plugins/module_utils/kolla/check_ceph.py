# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files by which services find Ceph, and the form of all override files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from typing import Final

from .check_read import Site
from .findings import Finding, Kind
from .tree import File

ADDRESS = re.compile(r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:]+\]|[0-9a-fA-F]{0,4}(?:::?[0-9a-fA-F]{1,4}){2,7})(?![\w.])")
OPTION = re.compile(r"^\s*(?P<key>[A-Za-z][\w. -]*?)\s*=\s*(?P<value>.*?)\s*$")
SECTION = re.compile(r"^\s*\[(?P<name>[^\]]+)\]\s*$")
MERGED: Final = (".conf", ".ini")
FROM_CEPH = "The Ceph stage writes it; lay it into ceph/ of the site's folder and run frontier.vitro.render"

CEPH_MISSING = Kind(
    "ceph_missing",
    "A file of Ceph that a service needs is not there",
    FROM_CEPH,
    "Takes no notice of a missing ceph.conf of Glance and Cinder, and writes an empty one",
    "awaited",
)
CEPH_EMPTY = Kind("ceph_empty", "A file of Ceph is empty", FROM_CEPH, "Passes; the service finds no monitor")
CEPH_FORM = Kind(
    "ceph_form",
    "A ceph.conf cannot be read by Kolla: blanks before a key, no section, or no fsid or monitors",
    f"Write each line from the first column, with fsid and mon_host. {FROM_CEPH}",
    "Stops at Glance with `unexpected continuation line`; takes a file without fsid",
)
CEPH_FSID = Kind("ceph_fsid", "Two services would use two Ceph clusters", f"Use one cluster's files everywhere. {FROM_CEPH}", "Passes")
CEPH_TEMPLATE = Kind(
    "ceph_template",
    "A file of Ceph has `{{` in it, which Kolla takes for a template",
    f"Write it without. {FROM_CEPH}",
    "Stops with a template error, or puts in what it finds",
)
CEPH_MONITORS = Kind(
    "ceph_monitors",
    "A monitor lies outside the storage network",
    f"Use the monitors' addresses in the storage network. {FROM_CEPH}",
    "Passes; traffic goes elsewhere or nowhere",
)
KEYRING = Kind(
    "keyring",
    "A keyring has no key of the client that its file is named after",
    f"Put the keyring of that client there. {FROM_CEPH}",
    "Copies it; the service is refused by Ceph later",
)
OVERRIDE_FORM = Kind(
    "override_form",
    "An override file is not what Kolla's parser reads",
    "Write sections and `key = value` from the first column",
    "Stops in the middle of the configuration with the parser's message",
)


def check_ceph(site: Site) -> Iterator[Finding]:
    confs, keyrings = _wanted(site)
    fsids: dict[str, str] = {}
    for path, hosts in confs.items():
        files = [one for one in (path, *hosts) if one in site.tree]
        if not files:
            yield CEPH_MISSING.of(path, f"there is no {path}")
        for one in files:
            yield from _conf(site, one, site.tree[one], fsids)
    for path, user in keyrings.items():
        if path not in site.tree:
            yield CEPH_MISSING.of(path, f"there is no {path}")
        else:
            yield from _keyring(path, site.tree[path], user)
    yield from _fsids(fsids)
    for path in sorted(site.tree):
        if path.startswith("config/") and path.endswith(MERGED) and path not in fsids and not path.endswith("/ceph.conf"):
            yield from _override(path, site.tree[path].text)


def _wanted(site: Site) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The ceph.conf of each service with its more exact places, and the keyrings with their users."""
    variables = site.variables
    cluster = variables.text("ceph_cluster") or "ceph"
    users = {key: variables.text(f"ceph_{key}_user") or key for key in ("glance", "cinder", "cinder_backup", "nova")}
    confs: dict[str, list[str]] = {}
    places: list[tuple[str, str]] = []
    if variables.true("enable_glance") and variables.true("glance_backend_ceph"):
        confs[f"config/glance/{cluster}.conf"] = [f"config/glance/glance-api/{cluster}.conf"]
        places.append(("glance", users["glance"]))
    if variables.true("enable_cinder") and variables.true("cinder_backend_ceph"):
        confs[f"config/cinder/{cluster}.conf"] = [f"config/cinder/{part}/{cluster}.conf" for part in ("cinder-volume", "cinder-backup")]
        places.append(("cinder/cinder-volume", users["cinder"]))
        if variables.true("enable_cinder_backup") and variables.text("cinder_backup_driver") == "ceph":
            places += [("cinder/cinder-backup", users["cinder"]), ("cinder/cinder-backup", users["cinder_backup"])]
    if variables.true("enable_nova") and variables.true("nova_backend_ceph"):
        confs[f"config/nova/{cluster}.conf"] = [f"config/nova/{host}/{cluster}.conf" for host in site.servers]
        places += [("nova", users["nova"]), ("nova", users["cinder"])]
    cephx = variables.true("external_ceph_cephx_enabled")
    return confs, {f"config/{place}/{cluster}.client.{user}.keyring": user for place, user in places if cephx}


def _conf(site: Site, path: str, file: File, fsids: dict[str, str]) -> Iterator[Finding]:
    if not file.text.strip():
        fsids[path] = ""
        yield CEPH_EMPTY.of(path, f"{path} is empty")
        return
    lines = file.text.splitlines()
    options = {found["key"].replace(" ", "_"): found["value"] for line in lines if (found := OPTION.match(line))}
    fsids[path] = options.get("fsid", "")
    if "{{" in file.text or "{%" in file.text:
        fsids[path] = ""
        yield CEPH_TEMPLATE.of(path, f"{path} has a template in it")
        return
    blank = next((number for number, line in enumerate(lines, 1) if line[:1].isspace() and line.strip()), None)
    section = any(SECTION.match(line) for line in lines)
    absent = [key for key in ("fsid", "mon_host") if not options.get(key)]
    if blank or not section or absent:
        said = (
            f"line {blank} begins with a blank" if blank else "it has no section" if not section else f"it has no {' and no '.join(absent)}"
        )
        yield CEPH_FORM.of(path, f"{path}: {said}", key=absent[0] if absent else None)
    yield from _monitors(site, path, options.get("mon_host", ""))


def _monitors(site: Site, path: str, text: str) -> Iterator[Finding]:
    cidr = next((one.cidr for one in site.plan.networks if one.name == "storage"), None)
    for word in dict.fromkeys(found[0].strip("[]") for found in ADDRESS.finditer(text)):
        try:
            outside = cidr and ip_address(word) not in ip_network(cidr)
        except ValueError:
            continue
        if outside:
            yield CEPH_MONITORS.of(path, f"the monitor {word} lies outside the storage network {cidr}", key="mon_host", value=word)


def _fsids(fsids: dict[str, str]) -> Iterator[Finding]:
    known = [fsid for fsid in fsids.values() if fsid]
    usual = max(known, key=known.count, default="")
    for path, fsid in sorted(fsids.items()):
        if fsid and fsid != usual:
            yield CEPH_FSID.of(path, f"{path} is of the cluster {fsid}, the others are of {usual}", key="fsid", value=fsid)


def _keyring(path: str, file: File, user: str) -> Iterator[Finding]:
    if not file.text.strip():
        yield CEPH_EMPTY.of(path, f"{path} is empty")
        return
    names = [found["name"] for line in file.text.splitlines() if (found := SECTION.match(line))]
    if "{{" in file.text:
        yield CEPH_TEMPLATE.of(path, f"{path} has a template in it")
    elif f"client.{user}" not in names:
        yield KEYRING.of(path, f"it is of {', '.join(names) or 'no client'} and not of client.{user}", key=f"client.{user}")
    elif not re.search(r"^\s*key\s*=\s*\S+", file.text, re.MULTILINE):
        yield KEYRING.of(path, f"client.{user} has no key in it", key=f"client.{user}")


def _override(path: str, text: str) -> Iterator[Finding]:
    """As oslo.config's parser reads: a line that begins with a blank goes on with the value above it."""
    above = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip()[0] in "#;":
            above = above and bool(line.strip())
        elif line[0].isspace():
            if not above:
                yield OVERRIDE_FORM.of(path, f"line {number} begins with a blank and goes on with nothing", value=f"line {number}")
                return
        elif line.startswith("["):
            above = False
            if not SECTION.match(line):
                yield OVERRIDE_FORM.of(path, f"line {number} is no whole section", value=f"line {number}")
                return
        elif re.match(r"[^=:]+[=:]", line) or line.startswith(("{{", "{%")):
            above = True
        else:
            yield OVERRIDE_FORM.of(path, f"line {number} is neither a section nor `key = value`", value=f"line {number}")
            return
