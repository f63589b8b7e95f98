# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Headless Chromium (Debian package chromium), spoken to over its debugging pipe: JSON messages that end with a NUL."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Self

PROGRAM = "chromium"
# Without a sandbox: tests also run as root and in containers. What is opened is a file of ours, or one made to break out of the page.
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe")
SECONDS = 120
TROUBLE = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Page.javascriptDialogOpening")


def missing_packages() -> str:
    """What to tell a user whose machine has no browser; empty if it has."""
    return "" if shutil.which(PROGRAM) else "needs the Debian package chromium: apt-get install chromium"


class Browser:
    """One page that is opened on files, one after the other."""

    def __enter__(self) -> Self:
        # Above the two numbers that Chromium reads from and writes to.
        reads, self._write = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in os.pipe())
        self._read, writes = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in os.pipe())
        self._home = tempfile.TemporaryDirectory(prefix="vitro-chromium-", ignore_cleanup_errors=True)
        command = [PROGRAM, *OPTIONS, f"--user-data-dir={self._home.name}", "about:blank"]
        self._process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(3, 4),
            preexec_fn=lambda: (os.dup2(reads, 3), os.dup2(writes, 4)),
        )
        os.close(reads)
        os.close(writes)
        self._rest, self._number, self._session, self.events = b"", 0, "", list[dict[str, Any]]()
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for part in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{part}.enable")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(SECONDS)
        os.close(self._read)
        os.close(self._write)
        self._home.cleanup()

    def call(self, method: str, **given: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": given, **({"sessionId": self._session} if self._session else {})}
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def open(self, page: Path) -> None:
        """The page, loaded; `events` are those since then."""
        self.events.clear()
        self.call("Page.navigate", url=page.as_uri())
        while not any(one.get("method") == "Page.loadEventFired" for one in self.events):
            self.events.append(self._next())

    def show(self, *, width: int, scheme: str = "light", media: str = "screen") -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def ask(self, expression: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description"))
        return answer["result"].get("value")

    def picture(self, selector: str, path: Path) -> None:
        box = self.ask(
            f"(r => [r.x + scrollX, r.y + scrollY, r.width, r.height])(document.querySelector('{selector}').getBoundingClientRect())"
        )
        clip = {**dict(zip(("x", "y", "width", "height"), box, strict=True)), "scale": 1}
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]))

    def trouble(self) -> list[dict[str, Any]]:
        """What ran, failed or was refused since the page was opened."""
        return [one for one in self.events if one.get("method") in TROUBLE]

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + SECONDS
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0, end - time.monotonic()))
            if not ready or not (part := os.read(self._read, 1 << 20)):
                raise TimeoutError("Chromium says nothing")
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        parsed: dict[str, Any] = json.loads(message)
        return parsed
