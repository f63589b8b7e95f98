# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Following links: resources come expanded where the BMC can do that, and a branch that fails stops no other."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from .answer import next_page
from .client import FATAL, Client
from .errors import BmcError, RequestFailed, TimedOut
from .hardware import Note
from .payload import Resource, count, dig, is_whole, items, link_path

T = TypeVar("T")
GONE = 404
# Answers that have nothing to do with the query: without it they would be the same.
NOT_THE_QUERY = (403, GONE)
MOST_PAGES = 100


async def together(*work: Coroutine[Any, Any, T]) -> list[T]:
    """The results of all, in order; the first failure stops the others and comes out as itself."""
    if len(work) <= 1:
        return [await one for one in work]
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one) for one in work]
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [task.result() for task in tasks]


class Links:
    """Resources behind links, with `$expand` as a hint: where it fails, the plain read is used and the failure remembered."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._read: dict[str, Resource] = {}
        query = ("ProtocolFeaturesSupported", "ExpandQuery")
        self._symbol = "." if dig(client.root, *query, "NoLinks") else "*" if dig(client.root, *query, "ExpandAll") else None
        self._levels = count(dig(client.root, *query, "MaxLevels")) or 1 if dig(client.root, *query, "Levels") else None

    @property
    def expands(self) -> bool:
        return self._symbol is not None

    async def resource(self, link: Any, *, levels: int = 0) -> Resource:
        """The resource behind a link, which may be the resource already."""
        if is_whole(link):
            whole: Resource = link
            return whole
        path = link_path(link)
        if path is None:
            raise RequestFailed("a link leads nowhere")
        if path not in self._read:
            self._read[path] = await self._get(path, levels)
        return self._read[path]

    async def members(self, link: Any, notes: list[Note], *, levels: int = 1) -> list[Resource]:
        """The members of a collection, over all its pages."""
        page = await self.resource(link, levels=levels)
        if not isinstance(page.get("Members"), list):
            raise RequestFailed(f"GET {link_path(link)} gave a collection without members")
        found = items(page["Members"])
        for number in range(MOST_PAGES + 1):
            path = next_page(page)
            if not path:
                break
            if number == MOST_PAGES:
                raise RequestFailed(f"GET {link_path(link)} has more than {MOST_PAGES} pages")
            page = await self._client.get(path)
            found = found + items(page.get("Members"))
        return await self.each(found, notes)

    async def each(self, links: Iterable[Any], notes: list[Note]) -> list[Resource]:
        """What is behind several links. Those that lead nowhere are noted and left out; any other failure makes all of it unknown."""
        unique = {link_path(link) or number: link for number, link in enumerate(links)}
        bare = {path: link for path, link in unique.items() if not is_whole(link)}
        read = await together(*(self._member(str(path), link, notes) for path, link in bare.items()))
        found = unique | dict(zip(bare, read, strict=True))
        return [one for one in found.values() if one is not None]

    async def _member(self, path: str, link: Any, notes: list[Note]) -> Resource | None:
        try:
            return await self.resource(link)
        except RequestFailed as exc:
            if exc.status != GONE:
                raise
            notes.append(Note(code="unread", text=f"{path} is listed and could not be read: {exc.text}"))
            return None

    async def branch(self, what: str, work: Coroutine[Any, Any, T], notes: list[Note]) -> T | None:
        """The result, or None and a note: a branch that fails makes its fields unknown, not the server."""
        try:
            return await work
        except FATAL:
            raise
        except BmcError as exc:
            notes.append(Note(code="unread", text=f"{what} could not be read: {exc.text}"))
            return None

    async def again_expanded(self, resource: Resource) -> Resource:
        """The same resource with what it links to in place, where the BMC can do that."""
        path = link_path(resource)
        return await self._get(path, 1) if path and self.expands else resource

    async def _get(self, path: str, levels: int) -> Resource:
        if levels and self._symbol:
            depth = f"($levels={min(levels, self._levels)})" if self._levels else ""
            try:
                return await self._client.get(f"{path}?$expand={self._symbol}{depth}")
            except (RequestFailed, TimedOut) as exc:
                if isinstance(exc, RequestFailed) and exc.status in NOT_THE_QUERY:
                    raise
                self._symbol = None
        return await self._client.get(path)
