# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of what runs on the controller: module and action plugin share them, and sanity tests read them where no package is."""

from __future__ import annotations

from typing import Any, Final

ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    "plan": {"type": "path", "required": True},
    "venv": {"type": "path", "required": True},
    "dest": {"type": "path", "required": True},
    "files": {"type": "path"},
    "ceph": {"type": "path"},
    "globals": {"type": "dict", "default": {}},
    "connection": {"type": "dict", "default": {}},
    "passwords": {"type": "dict", "default": {}, "no_log": True},
}
STRINGS: Final[dict[str, Any]] = {"type": "list", "elements": "str", "default": []}
COMMAND_ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    "command": {"type": "str", "required": True},
    "config": {"type": "path", "required": True},
    "venv": {"type": "path", "required": True},
    "log": {"type": "path", "required": True},
    "state": {"type": "path"},
    "again": {"type": "bool", "default": False},
    "limit": STRINGS,
    "tags": STRINGS,
    "skip_tags": STRINGS,
    "variables": {"type": "dict", "default": {}},
    "arguments": STRINGS,
}
DIRECTORY: Final[dict[str, dict[str, Any]]] = {
    "config": {"type": "path", "required": True},
    "venv": {"type": "path", "required": True},
}
CHECK_ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    "plan": {"type": "path", "required": True},
    **DIRECTORY,
    "registry": {
        "type": "dict",
        "options": {
            "url": {"type": "str"},
            "ca": {"type": "path"},
            "username": {"type": "str"},
            "password": {"type": "str", "no_log": True},
            "timeout": {"type": "float", "default": 30.0},
        },
    },
}
IMAGES_ARGUMENTS: Final[dict[str, dict[str, Any]]] = {**DIRECTORY, "dest": {"type": "path", "required": True}}
ENGINES: Final = {"type": "str", "required": True, "choices": ["docker", "podman"]}
BACKUP_ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    "dest": {"type": "path", "required": True},
    "site": {"type": "str", "required": True},
    "release": {"type": "str", "required": True},
    "engine": ENGINES,
    "since": {"type": "int", "default": 0},
    "kept": {"type": "int", "default": 7},
}
RESTORE_ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    "folder": {"type": "path", "required": True},
    "backup": {"type": "str", "required": True},
    "site": {"type": "str", "required": True},
    "release": {"type": "str", "required": True},
    "confirm": {"type": "str", "default": ""},
    "engine": {"type": "str", "choices": ["docker", "podman"]},
}
PASSWORDS_ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    **DIRECTORY,
    "state": {"type": "str", "required": True, "choices": ["begun", "reverted", "ended"]},
    "kept": {"type": "path", "required": True},
    "names": STRINGS,
    "chosen": STRINGS,
}
