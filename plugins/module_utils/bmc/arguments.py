# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What modules that read BMCs accept. Imports no library, so that a module can say which one is missing."""

from __future__ import annotations

from typing import Any

# The options of DOCUMENTATION in doc_fragments/bmc.py, as the module checks them.
ARGUMENTS: dict[str, Any] = {
    "targets": {"type": "list", "elements": "raw", "required": True},
    "credentials": {
        "type": "list",
        "elements": "dict",
        "default": [],
        "options": {
            "name": {"type": "str", "required": True},
            "username": {"type": "str", "required": True},
            "password": {"type": "str", "required": True, "no_log": True},
        },
    },
    "validate_certs": {"type": "bool", "default": True},
    "ca_path": {"type": "str"},
    "fingerprint": {"type": "str"},
    "port": {"type": "int", "default": 443},
    "ipmi_port": {"type": "int", "default": 623},
    "protocol": {"type": "str", "choices": ["auto", "redfish", "ipmi"], "default": "auto"},
    "timeout": {"type": "int", "default": 30},
    "deadline": {"type": "int", "default": 300},
    "concurrency": {"type": "int", "default": 64},
    "keep_alive": {"type": "bool", "default": True},
}
