# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""passwords.yml: all there, none empty, each of its kind. No value of it gets into a finding."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from uuid import UUID

import yaml
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from .check_read import FAST, PASSWORDS, Site
from .effective import UNKNOWN, is_template
from .findings import Finding, Kind
from .tree import nearest

MAY_BE_EMPTY: Final = frozenset({"docker_registry_password"})
SALT: Final = "prometheus_bcrypt_salt"
SALT_LENGTH: Final = 22
SHORTEST: Final = 8
GENPWD = "Run frontier.vitro.render, which completes passwords.yml by Kolla's own tools and keeps what is there"

PASSWORDS_MISSING = Kind("passwords_missing", "There is no passwords.yml", GENPWD, "Stops at once", "awaited")
PASSWORD_MISSING = Kind(
    "password_missing", "A password that the installed kolla-ansible wants is not there", GENPWD, "Stops at the first task that uses it"
)
PASSWORD_EMPTY = Kind(
    "password_empty", "A password is empty", GENPWD, "Looks for empty ones, but not in an encrypted file: there it passes"
)
PASSWORD_FORM = Kind(
    "password_form",
    "A secret is not of its kind: a key pair, a UUID, a salt, a text",
    "Remove the value and run frontier.vitro.render, which makes a new one. Of a deployed cloud, bring back the old one",
    "Passes, but for the length of prometheus_bcrypt_salt; the service fails later",
)
PASSWORD_WEAK = Kind(
    "password_weak",
    "A password is short, or that of Kolla's example",
    "Give a long random one, or remove it and let frontier.vitro.render make one",
    "Passes",
    "warning",
)
PASSWORD_UNKNOWN = Kind(
    "password_unknown",
    "passwords.yml has a key that Kolla does not know",
    "Correct the key if it is misspelt; a leftover of another release hinders nothing",
    "Ignores it",
    "warning",
)
SECRET_CLEAR = Kind(
    "secret_clear",
    "A secret lies unencrypted on disk",
    "Encrypt it with ansible-vault, or run frontier.vitro.render: Kolla reads encrypted files",
    "Does not look",
    "warning",
)


def check_passwords(site: Site) -> Iterator[Finding]:
    yield from _clear(site)
    file = site.tree.get(PASSWORDS)
    if file is None:
        yield PASSWORDS_MISSING.of(PASSWORDS, f"there is no {PASSWORDS}")
        return
    if any(one.file == PASSWORDS and one.code == "yaml_broken" for one in site.findings):
        return
    given = {key: setting.value for key, setting in site.variables.extra.items()}
    own = _keys(file.text)
    example = yaml.load(site.package.example_passwords, Loader=FAST) or {}  # noqa: S506 - one of the safe loaders
    for key in sorted(site.package.passwords):
        if key not in given:
            yield PASSWORD_MISSING.of(PASSWORDS, f"`{key}` is not there", key=key)
        elif _is_empty(given[key]):
            if key not in MAY_BE_EMPTY:
                yield PASSWORD_EMPTY.of(PASSWORDS, f"`{key}` is empty", key=key)
        elif given[key] is not UNKNOWN and not is_template(given[key]):
            yield from _judged(key, given[key], example.get(key))
    for key in sorted(own - site.package.keys):
        near = nearest(key, sorted(site.package.passwords - own))
        if near or key.endswith(("_password", "_key", "_secret")):
            text = f"Kolla has no password `{key}`" + (f"; did you mean `{near}`?" if near else "")
            yield PASSWORD_UNKNOWN.of(PASSWORDS, text, key=key)


def _keys(text: str) -> set[str]:
    """The keys of passwords.yml itself, which globals may hide."""
    return set(re.findall(r"^([A-Za-z]\w*):", text, re.MULTILINE))


def _is_empty(value: Any) -> bool:
    return value in (None, "", {}, []) or (isinstance(value, Mapping) and not any(value.values()))


def _judged(key: str, value: Any, example: Any) -> Iterator[Finding]:
    wrong = None
    if key.endswith("_ssh_key"):
        wrong = _pair(value)
    elif not isinstance(value, str | int):
        wrong = "it is no text"
    elif key.endswith(("_uuid", "_id")):
        wrong = None if _is_uuid(str(value)) else "it is no UUID"
    elif key == SALT and len(str(value)) != SALT_LENGTH:
        wrong = f"it has {len(str(value))} characters and must have {SALT_LENGTH}"
    if wrong:
        yield PASSWORD_FORM.of(PASSWORDS, f"`{key}`: {wrong}", key=key)
    elif isinstance(value, str | int) and (len(str(value)) < SHORTEST or value == example):
        said = "that of Kolla's example" if value == example else f"shorter than {SHORTEST} characters"
        yield PASSWORD_WEAK.of(PASSWORDS, f"`{key}` is {said}", key=key)


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _pair(value: Any) -> str | None:
    """What is wrong with a pair of keys."""
    if not isinstance(value, Mapping) or not all(isinstance(value.get(part), str) for part in ("private_key", "public_key")):
        return "it must have private_key and public_key"
    text = value["private_key"].encode(errors="surrogateescape")
    try:
        # Proving that the numbers of seven keys are prime takes seconds, and is not what goes wrong.
        private = load_pem_private_key(text, None, unsafe_skip_rsa_key_validation=True)
        own = private.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return "its private_key is none"
    return None if value["public_key"].split()[:2] == own.split()[:2] else "its public_key does not belong to its private_key"


def _clear(site: Site) -> Iterator[Finding]:
    for path, file in sorted(site.tree.items()):
        secret = path == PASSWORDS or path.endswith(".keyring") or "PRIVATE KEY-----" in file.text
        if secret and not file.secret and path.startswith((PASSWORDS, "config/", "certificates/", "inventory/", "globals")):
            yield SECRET_CLEAR.of(path, f"{path} is not encrypted")
    for key in sorted(site.package.passwords & site.variables.extra.keys()):
        given = site.variables.extra[key]
        written = not _is_empty(given.value) and given.value is not UNKNOWN and not is_template(given.value)
        if written and given.file != PASSWORDS and not site.tree[given.file].secret:
            yield SECRET_CLEAR.of(given.file, f"`{key}` is a password and stands in {given.file}, which is not encrypted", key=key)
