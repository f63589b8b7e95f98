# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What every error of ours has in common, and those that belong to no subject. docs/messages.md explains each code."""

from __future__ import annotations

from typing import ClassVar


def advice(text: str, cure: str) -> str:
    """What happened and what to do, as sentences."""
    ending = "" if text.endswith(("?", ".")) else "."
    return f"{text}{ending} {cure}." if cure else f"{text}{ending}"


def counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def numbered(mistakes: list[str]) -> str:
    return "; ".join(f"({n}) {one}" for n, one in enumerate(mistakes, 1))


class VitroError(Exception):
    """Cannot do what, where, and why; `cure` is the next step."""

    code: ClassVar[str]
    cure = ""

    def __init__(self, text: str, *, cure: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.cure = cure or type(self).cure

    def __str__(self) -> str:
        return advice(self.text, self.cure)


class DocumentRefused(VitroError):
    code = "document"


class DocumentUnwritable(VitroError):
    code = "document_unwritable"
    cure = "Make room or correct the rights there; the old document is untouched"
