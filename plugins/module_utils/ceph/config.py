# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings in the cluster's own configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .session import Command

QUESTIONS: Final = {"config": Command("config dump"), "modules": Command("mgr module ls")}
EMPTY: Final[Mapping[str, Any]] = {"config": [], "modules": {"enabled_modules": [], "always_on_modules": []}}


@dataclass(frozen=True, slots=True)
class Setting:
    """`who` is a section, with a mask where it is for some: `osd/host:cloud-01`."""

    who: str
    name: str
    value: str
    secret: bool = False


@dataclass(frozen=True, slots=True)
class SettingChange:
    setting: Setting
    before: str | None

    @property
    def line(self) -> str:
        shown = "(secret)" if self.setting.secret else self.setting.value
        return f"{self.setting.who} {self.setting.name} = {shown}"

    @property
    def line_before(self) -> str | None:
        if self.before is None:
            return None
        return f"{self.setting.who} {self.setting.name} = {'(secret)' if self.setting.secret else self.before}"

    @property
    def command(self) -> Command:
        one = self.setting
        return Command("config set", {"who": one.who, "name": one.name, "value": one.value})


def plan_settings(wanted: Sequence[Setting], live: Mapping[str, Any]) -> list[SettingChange]:
    there = {(_who(one), one["name"]): one["value"] for one in live["config"]}
    changes = [SettingChange(one, there.get((one.who, one.name))) for one in wanted]
    return [one for one in changes if one.before != one.setting.value]


def plan_modules(wanted: Sequence[str], live: Mapping[str, Any]) -> list[Command]:
    there = {*live["modules"]["enabled_modules"], *live["modules"]["always_on_modules"]}
    return [Command("mgr module enable", {"module": one}) for one in wanted if one not in there]


def _who(one: Mapping[str, Any]) -> str:
    return f"{one['section']}/{one['mask']}" if one.get("mask") else one["section"]
