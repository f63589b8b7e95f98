# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the files that we write look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import yaml

HEADER: Final = (
    "# Written by frontier.vitro.render from the site plan. Changes here are lost at the next run: docs/kolla.md says where yours belong.\n"
)


class _Dumper(yaml.SafeDumper):
    """Lists stand below their key, further in, as people write them; and nothing is an alias."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - PyYAML's signature
        super().increase_indent(flow=flow, indentless=False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's signature
        return True


def yaml_text(values: Mapping[str, Any]) -> str:
    """In the order given, one key a line."""
    return (
        yaml.dump(dict(values), Dumper=_Dumper, sort_keys=False, default_flow_style=False, width=140, allow_unicode=True) if values else ""
    )


def yaml_file(parts: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    """A file of parts, each with a comment above it if there is something to say."""
    texts = [f"# {title}\n{yaml_text(values)}" if title else yaml_text(values) for title, values in parts if values]
    return "\n".join([f"---\n{HEADER}", *texts])


def ini_text(sections: Mapping[str, Mapping[str, str]]) -> str:
    parts = [
        "".join(f"{line}\n" for line in (f"[{name}]", *(f"{key} = {value}" for key, value in keys.items())))
        for name, keys in sections.items()
    ]
    return "\n".join(parts)
