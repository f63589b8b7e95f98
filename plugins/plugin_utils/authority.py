# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The CA of a site's OVN as it lies on the controller: its key, and those that were brought or are kept for others, locked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..module_utils.documents import write_whole
from ..module_utils.ovn.authority import RENEW_DAYS, Ca, make_ca, make_key, mistakes, public_of_key, read_ca
from ..module_utils.ovn.errors import CertificateRefused
from .safe import AnsibleSafe

LOCKED = b"$ANSIBLE_VAULT"


@dataclass(frozen=True, slots=True)
class Authority:
    """`check_mode` says that nothing may be written."""

    folder: Path
    safe: AnsibleSafe
    check_mode: bool

    @property
    def missing(self) -> bool:
        return not (self.folder / "ca.crt").is_file()

    @property
    def ca(self) -> Ca:
        return read_ca((self.folder / "ca.crt").read_text(), self.secret(self.folder / "ca.key"), str(self.folder))

    def ensure(self, site: str) -> bool:
        """Whether it had to be made. The key goes first: a certificate without its key would look like one that was brought."""
        if not self.missing:
            self.ca  # noqa: B018 - it raises if it cannot be used
            return False
        if (self.folder / "ca.key").is_file():
            cure = "Bring ca.crt too, or remove ca.key if nothing was signed with it"
            raise CertificateRefused(f"{self.folder} has ca.key, and no ca.crt", cure=cure)
        if not self.check_mode:
            certificate, key = make_ca(site)
            self.lock(key, self.folder / "ca.key")
            write_whole(certificate.encode(), self.folder / "ca.crt", "certificate of the CA")
        return True

    def brought(self, ca: Ca, name: str) -> tuple[str, str] | None:
        """The certificate and key that somebody brought for a name, if they can be used."""
        if not (self.folder / f"{name}.crt").is_file():
            return None
        certificate, key = (self.folder / f"{name}.crt").read_text(), self.secret(self.folder / f"{name}.key") or ""
        if wrong := [*mistakes(ca, certificate, public_of_key(key, f"{name}.key"), days=0)]:
            raise CertificateRefused(
                f"Cannot use {self.folder}/{name}.crt: {'; '.join(wrong)}", cure="Bring another one; nothing was changed"
            )
        return certificate, key

    def hand_over(self, name: str, dest: Path) -> tuple[bool, list[str], str]:
        """A certificate for somebody whose host is not known: whether anything changes, why, and the certificate."""
        ca = self.ca
        key, path = self.secret(dest / f"{name}.key"), dest / f"{name}.crt"
        certificate = path.read_text() if key and path.is_file() else ""
        if pair := self.brought(ca, name):
            why = ["another one was brought"] if (certificate, key) != pair else []
            certificate, key = pair
        else:
            why = [*mistakes(ca, certificate, public_of_key(str(key), f"{name}.key"), RENEW_DAYS)] if certificate else ["there was none"]
            key, certificate = make_key(ca, name) if why else (key, certificate)
        old = dest / "ca.crt"
        changed = bool(why) or not old.is_file() or old.read_text() != ca.text
        if changed and not self.check_mode:
            self.lock(str(key), dest / f"{name}.key")
            write_whole(ca.text.encode(), old, "certificate of the CA")
            write_whole(certificate.encode(), path, "certificate")
        return changed, why, certificate

    def secret(self, path: Path) -> str | None:
        if not path.is_file():
            return None
        content = path.read_bytes()
        return self.safe.unlock(content, path) if content.startswith(LOCKED) else content.decode()

    def lock(self, key: str, path: Path) -> None:
        write_whole(self.safe.lock(key), path, "key")
        path.chmod(0o600)
