# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python docs/schema/generate.py: writes the JSON Schema of the hardware document beside this file. `make schema` runs it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "build" / "collections"))

from ansible_collections.frontier.vitro.plugins.module_utils.bmc.document import DOCUMENT  # noqa: E402
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.hardware import SCHEMA  # noqa: E402

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_text() -> str:
    schema = {"$schema": DIALECT, "$id": SCHEMA, **DOCUMENT.adapter.json_schema()}
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    (HERE / "hardware.json").write_text(schema_text(), encoding="utf-8")
