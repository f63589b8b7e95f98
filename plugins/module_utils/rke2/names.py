# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from typing import Final

USUAL: Final = ".".join(("docker", "io"))


def plain(image: str) -> str:
    """The name of an image without the registry that everybody means when they name none."""
    return image.removeprefix(f"{USUAL}/").removeprefix("library/")
