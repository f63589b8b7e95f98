# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.lab.rack import BmcSpec, EmulatedBmc, Rack, default_bmc
from tests.unit.lab.rack.plain_client import Client


@pytest.fixture
def ending() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def connect(ending: ExitStack) -> Any:
    """connect(rack, bmc) -> a client that has not logged in."""

    def _connect(rack: Rack, bmc: EmulatedBmc, *, timeout: float = 5.0) -> Client:
        client = Client(rack, bmc, timeout=timeout)
        ending.callback(client.close)
        return client

    return _connect


@pytest.fixture
def start(ending: ExitStack, connect: Any) -> Any:
    """start(spec) -> a rack with that BMC, the BMC, and a client."""

    def _start(spec: BmcSpec | None = None, *, timeout: float = 5.0, **options: Any) -> tuple[Rack, EmulatedBmc, Client]:
        rack = ending.enter_context(Rack([spec or default_bmc("dell", 0)], **options))
        return rack, rack.bmcs[0], connect(rack, rack.bmcs[0], timeout=timeout)

    return _start
