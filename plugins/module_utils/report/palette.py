# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours. Roles and shares: Paul Tol's `light` scheme, made for labelled cells and for all kinds of colour vision
(https://personal.sron.nl/~pault/). Networks: his `bright` scheme, darkened or lightened until a thin line is seen on the page.
No colour stands alone: a letter or a word is always with it. The tests compute the contrasts.
"""

from __future__ import annotations

from typing import Final

LIGHT: Final = {
    "page": "#ffffff",
    "panel": "#f6f7f9",
    "ink": "#1b1f24",
    "muted": "#565d66",
    "rule": "#d4d9df",
    "edge": "#6b737d",
    "link": "#0b57a4",
    "good": "#0b6b3a",
    "good-panel": "#e9f6ee",
    "bad": "#a61b1b",
    "bad-panel": "#fdeeed",
    "warn": "#7a4a00",
    "warn-panel": "#fdf4e0",
    "net0": "#2f5f9e",
    "net1": "#b5303f",
    "net2": "#1b7a33",
    "net3": "#8a6d00",
    "net4": "#1f7f9c",
    "net5": "#8c2265",
    "net6": "#5b636c",
    "net7": "#b3500f",
    "net8": "#54449c",
}
DARK: Final = {
    "page": "#14171a",
    "panel": "#1d2125",
    "ink": "#e6e9ec",
    "muted": "#a4acb5",
    "rule": "#363c43",
    "edge": "#828b95",
    "link": "#7db7f5",
    "good": "#66cf94",
    "good-panel": "#14281d",
    "bad": "#ff958c",
    "bad-panel": "#331a19",
    "warn": "#efbb62",
    "warn-panel": "#2e2413",
    "net0": "#7fa9e6",
    "net1": "#f28b97",
    "net2": "#64c57c",
    "net3": "#d6bd54",
    "net4": "#71cbe8",
    "net5": "#e08abf",
    "net6": "#b4bbc3",
    "net7": "#f0a06a",
    "net8": "#a99bec",
}
# What is written on every one of these, in both themes.
CHIP_INK: Final = "#16191c"
CHIPS: Final = {
    "control": "#77aadd",
    "network": "#99ddff",
    "compute": "#eedd88",
    "storage": "#44bb99",
    "monitoring": "#ffaabb",
    "fmc": "#ee8866",
    "arbiter": "#bbcc33",
    "spare": "#dddddd",
    "system": "#c4c8cc",
    "hypervisor": "#aaaa00",
}
# Which of these is text on which.
TEXT_PAIRS: Final = (
    *((ink, panel) for ink in ("ink", "muted", "link") for panel in ("page", "panel")),
    *((ink, panel) for ink in ("good", "bad", "warn", "ink", "muted", "link") for panel in ("good-panel", "bad-panel", "warn-panel")),
    *((ink, "page") for ink in ("good", "bad", "warn")),
    *((ink, "panel") for ink in ("good", "bad", "warn")),
)
LANES: Final = 9


def variables(colours: dict[str, str]) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in colours.items())
