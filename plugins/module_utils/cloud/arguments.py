# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of what talks to a cloud: module and action plugin share them, and sanity tests read them where no package is."""

from __future__ import annotations

from typing import Any, Final

LOGIN: Final[dict[str, dict[str, Any]]] = {
    "clouds": {"type": "path", "required": True},
    "cloud": {"type": "str", "default": "kolla-admin"},
    "ca": {"type": "path"},
    "request_timeout": {"type": "int", "default": 60},
}
HEALTH_ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    **LOGIN,
    "compute": {"type": "list", "elements": "str", "required": True},
    "interfaces": {"type": "list", "elements": "str", "default": ["public", "internal"], "choices": ["public", "internal", "admin"]},
    "boot": {
        "type": "dict",
        "options": {
            "image": {"type": "str", "required": True},
            "flavor": {"type": "str", "required": True},
            "network": {"type": "str", "required": True},
            "timeout": {"type": "int", "default": 300},
        },
    },
}
COMPUTE_ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    **LOGIN,
    "host": {"type": "str", "required": True},
    "state": {"type": "str", "required": True, "choices": ["enabled", "disabled", "drained", "absent"]},
    "reason": {"type": "str", "default": "drained by frontier.vitro"},
    "stopped": {"type": "str", "default": "migrate", "choices": ["migrate", "refuse"]},
    "local_disks": {"type": "str", "default": "copy", "choices": ["copy", "refuse"]},
    "parallel": {"type": "int", "default": 2},
    "timeout": {"type": "int", "default": 3600},
}
CERTIFICATES_ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    **{key: {**value, "required": False} if key == "clouds" else value for key, value in LOGIN.items()},
    "state": {"type": "str", "required": True, "choices": ["compared", "served"]},
    "rendered": {"type": "path", "required": True},
    "brought": {"type": "path"},
    "interfaces": {"type": "list", "elements": "str", "default": ["public", "internal"], "choices": ["public", "internal", "admin"]},
    "doors": {
        "type": "list",
        "elements": "dict",
        "default": [],
        "options": {
            "interface": {"type": "str", "required": True, "choices": ["public", "internal"]},
            "url": {"type": "str", "required": True},
        },
    },
    "days": {"type": "int", "default": 30},
}
