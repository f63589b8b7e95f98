# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cloud of a clouds.yaml that may be encrypted. It is decrypted in memory only: not to a file, an argument or a variable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.parsing.dataloader import DataLoader

from ..module_utils.cloud.client import Cloud, connect, read_login
from ..module_utils.cloud.errors import CloudLogin
from ..module_utils.kolla.tree import read_file
from .safe import AnsibleSafe


def cloud_of(loader: DataLoader, options: dict[str, Any]) -> Cloud:
    """The options are those of `cloud/arguments.py`."""
    path = Path(options["clouds"])
    try:
        text = read_file(path, AnsibleSafe(loader)).text
    except OSError as exc:
        raise CloudLogin(f"Cannot log in: {path}: {exc.strerror}") from None
    return connect(read_login(text, str(path), options["cloud"]), ca=options["ca"], timeout=options["request_timeout"])
