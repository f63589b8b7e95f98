# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.integration.ipmi.common import AT_ONCE
from tests.lab.ipmi import LabBmc, Settings, ipmi_bmcs


@pytest.fixture(scope="session")
def bmcs() -> Iterator[tuple[LabBmc, ...]]:
    strict, careless = {"manufacturer": 10876, "none_allowed": False}, {"anonymous": True}
    special = {2: strict, 3: careless}
    with ipmi_bmcs([Settings(number=n, **special.get(n, {})) for n in range(1, AT_ONCE + 1)]) as started:
        yield started
