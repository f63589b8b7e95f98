# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ansible Vault with the passwords that this run was given."""

from __future__ import annotations

from pathlib import Path

from ansible.errors import AnsibleError
from ansible.parsing.dataloader import DataLoader
from ansible.parsing.vault import VaultLib

from ..module_utils.kolla.tree import NoVaultPassword, SecretLocked


class AnsibleSafe:
    """Locks with the first vault password of the run, and unlocks with any of them."""

    def __init__(self, loader: DataLoader) -> None:
        self._vault: VaultLib = loader._vault  # noqa: SLF001 - the loader has no public way to encrypt

    @property
    def passwords(self) -> list[tuple[str, bytes]]:
        """The vault passwords of the run by their ids, for a child that reads the same files."""
        return [(vault_id, bytes(secret.bytes)) for vault_id, secret in self._vault.secrets or ()]

    def lock(self, text: str) -> bytes:
        if not self._vault.secrets:
            raise NoVaultPassword("Cannot write a secret: this run has no vault password")
        vault_id, secret = self._vault.secrets[0]
        return bytes(self._vault.encrypt(text, secret=secret, vault_id=vault_id))

    def unlock(self, content: bytes, path: Path) -> str:
        try:
            return bytes(self._vault.decrypt(content)).decode(errors="surrogateescape")
        except AnsibleError as exc:
            raise SecretLocked(f"Cannot decrypt {path}: {exc.message}") from None
