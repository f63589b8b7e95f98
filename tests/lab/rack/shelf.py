# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A tree ready to be served: every answer is built once and kept as bytes."""

from __future__ import annotations

import hashlib
import json
from urllib.parse import quote, unquote

from .expand import Expand, expanded, parse_expand
from .messages import Reply, Request, dump, error_reply
from .spec import Json, Tree

ROOT = "/redfish/v1"


def plain_path(link: str) -> str:
    return link.partition("#")[0].rstrip("/") or "/"


class Shelf:
    """Holds serialised resources rather than dicts: a thousand trees of dicts would not fit in memory."""

    def __init__(self, tree: Tree, *, page_size: int | None = None) -> None:
        self._raw = {plain_path(path): dump(document) for path, document in tree.items()}
        self._page_size = page_size
        self._ready: dict[tuple[str, Expand | None, int], Reply] = {}
        self.root: Json = tree.get(ROOT) or {}
        # HewlettPackard/python-ilorest-library#161: iLO expands the members of a collection and nothing else.
        self._members_only = "Hpe" in (self.root.get("Oem") or {})
        self.reset_targets = _reset_targets(tree)

    def __contains__(self, path: str) -> bool:
        return path in self._raw

    @property
    def paths(self) -> list[str]:
        return list(self._raw)

    def find(self, link: str) -> Json | None:
        raw = self._raw.get(plain_path(link))
        return None if raw is None else json.loads(raw)

    def reply(self, request: Request, *, ignore_unsupported: bool) -> Reply:
        """The answer to a GET; raises ExpandRefused."""
        path, value = request.path, request.expand
        skip = _skip(request.query)
        expand = None
        if value is not None and not (ignore_unsupported and not _offers_expand(self.root)):
            expand = parse_expand(value, self.root)
        if request.query and expand is None:
            # Some recordings hold the further pages of a collection under path and query.
            page = f"{path}?{unquote(request.query)}"
            path = page if page in self._raw else path
        key = (path, expand, skip)
        reply = self._ready.get(key)
        if reply is None:
            if path not in self._raw:
                return error_reply(404, "Base.1.8.ResourceMissingAtURI", f"The resource at the URI {path} was not found.")
            reply = self._ready[key] = self._build(path, expand, skip)
        return reply

    def _build(self, path: str, expand: Expand | None, skip: int) -> Reply:
        body = self._raw[path]
        if expand or self._page_size:
            document = self._page(path, json.loads(body), expand, skip)
            body = dump(expanded(document, expand, self.find, members_only=self._members_only) if expand else document)
        reply = Reply(200, body, {"ETag": f'"{hashlib.blake2s(body, digest_size=6).hexdigest()}"'})
        return Reply(200, body, reply.headers, ready=reply.encode())

    def _page(self, path: str, document: Json, expand: Expand | None, skip: int) -> Json:
        members = document.get("Members")
        if not self._page_size or not isinstance(members, list):
            return document
        end = skip + self._page_size
        page = {**document, "Members": members[skip:end]}
        if end < len(members):
            query = f"$expand={expand.mode}($levels={expand.levels})&" if expand else ""
            page["Members@odata.nextLink"] = f"{path}?{quote(query, safe='$=&().*~')}$skip={end}"
        return page


def _offers_expand(root: Json) -> bool:
    offered = (root.get("ProtocolFeaturesSupported") or {}).get("ExpandQuery") or {}
    return any(offered.get(mode) for mode in ("NoLinks", "ExpandAll", "Links"))


def _skip(query: str) -> int:
    if not query:
        return 0
    for part in query.replace("%24", "$").split("&"):
        if part.startswith("$skip=") and part[6:].isdecimal():
            return int(part[6:])
    return 0


def _reset_targets(tree: Tree) -> dict[str, tuple[int, list[str]]]:
    """Where a system is switched: path of the action -> number of the system, and the reset types it allows."""
    found: dict[str, tuple[int, list[str]]] = {}
    for path, document in tree.items():
        if path.count("/") != 4 or not path.startswith(ROOT + "/Systems/"):
            continue
        action = (document.get("Actions") or {}).get("#ComputerSystem.Reset") or {}
        if action.get("target"):
            found[plain_path(action["target"])] = (len(found), action.get("ResetType@Redfish.AllowableValues") or [])
    return found
