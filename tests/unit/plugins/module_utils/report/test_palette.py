# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contrasts of the palette by the formula of WCAG 2.2: 4.5 for text, 3 for lines that mean something."""

from __future__ import annotations

import re

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.report.palette import CHIP_INK, CHIPS, DARK, LANES, LIGHT, TEXT_PAIRS
from ansible_collections.frontier.vitro.plugins.module_utils.report.style import sheet

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def luminance(colour):
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels]
    return sum(weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@THEMES
def test_text(theme):
    assert [(ink, panel) for ink, panel in TEXT_PAIRS if contrast(theme[ink], theme[panel]) < 4.5] == []
    # Names of absent servers stand on the hatching.
    assert contrast(theme["ink"], theme["rule"]) >= 4.5


@THEMES
def test_lines(theme):
    names = ("edge", *(f"net{n}" for n in range(LANES)))
    assert [name for name in names if contrast(theme[name], theme["page"]) < 3] == []


def test_letters_on_chips():
    assert [name for name, colour in CHIPS.items() if contrast(CHIP_INK, colour) < 4.5] == []


def test_themes_have_the_same_colours():
    assert LIGHT.keys() == DARK.keys()


def test_every_colour_of_the_style_sheet_is_known():
    written = sheet()
    assert set(re.findall(r"var\(--([\w-]+)\)", written)) <= {*LIGHT, "chip", "chip-ink"}
    assert "url(" not in written.replace("url(#hatch)", "")
    assert "@import" not in written
