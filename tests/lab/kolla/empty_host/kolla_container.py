#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
# WANT_JSON
"""Stands in for Kolla's module of this name: a host on which no container is changed."""

import json

print(json.dumps({"changed": False, "result": False, "rc": 0, "stdout": "", "stderr": ""}))
