# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress lines on the terminal and in AWX's log: the first few at once, then one a second, and always the last."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from ansible.utils.display import Display

BURST = 8.0
POLL_SECONDS = 0.2


class Reporter:
    """Shows lines and leaves some out, so that a thousand BMCs do not make a thousand lines."""

    def __init__(self, *, to_stderr: bool = False) -> None:
        self._display = Display()
        self._to_stderr = to_stderr
        self._allowance = BURST
        self._last = time.monotonic()
        self._held: str | None = None

    def __call__(self, line: object) -> None:
        now = time.monotonic()
        self._allowance = min(BURST, self._allowance + now - self._last)
        self._last = now
        self._held = str(line)
        if self._allowance >= 1:
            self._allowance -= 1
            self.flush()

    def flush(self) -> None:
        """Show the last line if it was left out."""
        if self._held is not None:
            self._display.display(self._held, stderr=self._to_stderr)
            self._held = None


@contextlib.contextmanager
def following(path: Path) -> Iterator[None]:
    """Show the lines that somebody appends to a file, as they come."""
    report, ended = Reporter(), threading.Event()

    def follow() -> None:
        with path.open(encoding="utf-8") as lines:
            last = False
            while not last:
                last = ended.wait(POLL_SECONDS)
                for line in lines:
                    report(line.rstrip("\n"))
        report.flush()

    thread = threading.Thread(target=follow, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
