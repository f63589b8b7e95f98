# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a check of Kolla's configuration found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..records import record

Weight = Literal["problem", "awaited", "warning"]


@record
class Finding:
    """A `problem` must be cured; what is `awaited` comes from a later stage or from the operator, and stops a deployment only;
    a `warning` hinders nothing. `value` is never a secret."""

    code: str
    weight: Weight
    file: str
    text: str
    cure: str
    key: str | None = None
    value: str | None = None
    host: str | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of finding; `kolla` says what Kolla itself does about it, for docs/kolla-checks.md."""

    code: str
    title: str
    cure: str
    kolla: str
    weight: Weight = "problem"

    def of(self, file: str, text: str, *, key: str | None = None, value: object = None, host: str | None = None) -> Finding:
        said = None if value is None else str(value)
        return Finding(code=self.code, weight=self.weight, file=file, text=text, cure=self.cure, key=key, value=said, host=host)
