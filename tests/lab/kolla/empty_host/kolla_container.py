#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
# WANT_JSON
"""Stands in for Kolla's module of this name: a host on which no container is changed. Which ones it was asked for goes to a file."""

import json
import os
import sys
from pathlib import Path

asked = json.loads(Path(sys.argv[1]).read_text())
if os.environ.get("VITRO_CONTAINERS"):
    with Path(os.environ["VITRO_CONTAINERS"]).open("a") as file:
        file.write(json.dumps({key: asked.get(key) for key in ("name", "volumes")}) + "\n")
print(json.dumps({"changed": False, "result": False, "rc": 0, "stdout": "", "stderr": ""}))
