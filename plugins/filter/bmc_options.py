# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

DOCUMENTATION = r"""
name: bmc_options
short_description: Options for reading BMCs, out of a site's bmc.yml
version_added: 0.1.0
description:
  - Takes the configuration of the inventory plugin P(frontier.vitro.bmc#inventory) and gives the options in it that
    M(frontier.vitro.bmc_info) has too, so that a site names its BMCs in one place.
  - Files of addresses are read, and relative paths are taken from the given folder.
author:
  - Vitro contributors (@frontier)
positional: folder
options:
  _input:
    description: The content of bmc.yml.
    type: dict
    required: true
  folder:
    description: The folder that bmc.yml stands in.
    type: path
    required: true
"""

EXAMPLES = r"""
options: "{{ site_config | frontier.vitro.bmc_options('inventories/example') }}"
"""

RETURN = r"""
_value:
  description: Options for M(frontier.vitro.bmc_info).
  type: dict
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ansible.errors import AnsibleFilterError

from ..module_utils.bmc.discovery import site_options
from ..module_utils.bmc.errors import BmcError


def bmc_options(config: Mapping[str, Any], folder: str) -> dict[str, Any]:
    try:
        return site_options(config, Path(folder))
    except BmcError as exc:
        raise AnsibleFilterError(str(exc)) from exc


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"bmc_options": bmc_options}
