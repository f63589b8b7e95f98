# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""wrong.py FOLDER DOCUMENTS: makes what the role must refuse.

A CA that has ended, certificates of another CA, certificates that have ended, and the site's plan with a chassis in a network of its own.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

NAMES = ("ovn-01", "ovn-02", "ovn-03", "neutron")


class Signer:
    """A CA of our own; `days` is how long it is valid from a month ago on."""

    def __init__(self, name: str, days: int = 3650) -> None:
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = self.sign(self.name, self.key, days, signs=True)

    def sign(self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, days: int, *, signs: bool = False) -> x509.Certificate:
        begin = datetime.now(UTC) - timedelta(days=30)
        made = x509.CertificateBuilder().subject_name(subject).issuer_name(self.name).public_key(key.public_key())
        made = made.serial_number(x509.random_serial_number()).not_valid_before(begin).not_valid_after(begin + timedelta(days=days))
        return made.add_extension(x509.BasicConstraints(ca=signs, path_length=None), critical=True).sign(self.key, hashes.SHA256())


def write(folder: Path, name: str, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey | None = None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.crt").write_bytes(certificate.public_bytes(Encoding.PEM))
    if key:
        (folder / f"{name}.key").touch(mode=0o600)
        (folder / f"{name}.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def main(folder: Path, documents: Path) -> None:
    ended, ours, theirs = Signer("ended", days=20), Signer("ours"), Signer("theirs")
    write(folder / "ended", "ca", ended.certificate, ended.key)
    for where, signer, days in (("foreign", theirs, 3650), ("past", ours, 20)):
        write(folder / where, "ca", ours.certificate)
        for name in NAMES:
            key = ec.generate_private_key(ec.SECP256R1())
            subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
            write(folder / where, name, signer.sign(subject, key, days), key)
    (folder / "plan.json").write_text((documents / "plan.json").read_text().replace("10.89.98.13/", "10.89.99.13/"))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
