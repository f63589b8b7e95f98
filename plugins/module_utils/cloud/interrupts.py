# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What was begun is ended also when somebody presses Ctrl-C: Ansible's workers die of signals without another word."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Within it a signal is a KeyboardInterrupt, so that `finally` runs. Only the main thread of a process may ask for that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def raised(number: int, _frame: FrameType | None) -> None:
        # The second one must not cut off the cleaning that the first one began.
        for one in SIGNALS:
            signal.signal(one, signal.SIG_IGN)
        raise KeyboardInterrupt(signal.strsignal(number))

    before = {number: signal.signal(number, raised) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
