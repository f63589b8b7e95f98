# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What plugins of the controller take, once for the action and once for the module that documents it."""

from __future__ import annotations

from typing import Any, Final

Arguments = dict[str, dict[str, Any]]
DATA_DIR: Final[dict[str, Any]] = {"type": "path", "default": "/var/lib/rancher/rke2"}
RENDER: Final[Arguments] = {"node": {"type": "dict", "required": True}, "dest": {"type": "path", "required": True}}
SITE: Final[Arguments] = {
    "documents": {"type": "path", "required": True},
    "ca": {"type": "str", "default": ""},
    "nodes": {"type": "dict", "default": {}},
    "gone": {"type": "list", "elements": "str", "default": []},
}
PREFLIGHT: Final[Arguments] = {
    "version": {"type": "str", "required": True},
    "servers": {"type": "list", "elements": "str", "required": True},
    "agents": {"type": "list", "elements": "str", "default": []},
    "wanted": {"type": "dict", "required": True},
    "found": {"type": "dict", "required": True},
    "registration": {"type": "dict", "default": {}},
    "documents": {"type": "path", "required": True},
    "artifacts": {"type": "path", "required": True},
    "method": {"type": "str", "choices": ["tarball", "rpm"], "default": "tarball"},
    "fips": {"type": "bool", "default": False},
    "upgrade": {"type": "bool", "default": False},
    "ignored": {"type": "list", "elements": "str", "default": []},
}
FILES: Final[Arguments] = {
    "node": {"type": "dict", "required": True},
    "documents": {"type": "path", "required": True},
    "ca": {"type": "str", "default": ""},
    "found": {"type": "dict", "default": {}},
}
ARTIFACTS: Final[Arguments] = {
    "release": {"type": "list", "elements": "dict", "required": True},
    "version": {"type": "str", "required": True},
    "found": {"type": "dict", "required": True},
    "programs": {"type": "bool", "default": True},
    "data_dir": DATA_DIR,
}
