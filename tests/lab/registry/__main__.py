# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import signal
import sys
from pathlib import Path

from . import lab_registry

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with lab_registry(folder) as registry:
        print(f"{registry.url}  user {registry.username}, password in {folder / 'password'}, CA in {registry.ca}", flush=True)
        signal.pause()
