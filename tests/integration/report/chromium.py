# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Headless Chromium (Debian package chromium), spoken to over its debugging pipe: JSON messages that end with a NUL."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Self

PROGRAM = "chromium"
# Without its sandbox, which neither root nor most containers can have.
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe")
SECONDS = 120
TROUBLE = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Page.javascriptDialogOpening")
PLACE = (
    "(box => ({x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, scale: 1}))"
    "(document.querySelector(%s).getBoundingClientRect())"
)


def missing_packages() -> str:
    """What to tell a user whose machine has no browser; empty if it has."""
    return "" if shutil.which(PROGRAM) else "needs the Debian package chromium: apt-get install chromium"


class Browser:
    """One page that is opened on files, one after the other. `events` are what it told since the last was opened."""

    def __enter__(self) -> Self:
        (reads, self._write), (self._read, writes) = os.pipe(), os.pipe()
        self._home = tempfile.TemporaryDirectory(prefix="vitro-chromium-", ignore_cleanup_errors=True)
        # Chromium reads from 3 and writes to 4.
        command = ["bash", "-c", f'exec "$0" "$@" 3<&{reads} 4>&{writes}', PROGRAM, *OPTIONS, f"--user-data-dir={self._home.name}"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen([*command, "about:blank"], pass_fds=(reads, writes), **quiet)
        os.close(reads)
        os.close(writes)
        self._rest, self._number, self._session, self.events = b"", 0, {}, list[dict[str, Any]]()
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self._session = {"sessionId": self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]}
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
        os.write(self._write, json.dumps({"id": self._number, "method": method, "params": given, **self._session}).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, page: Path) -> None:
        self.events.clear()
        self.call("Page.navigate", url=page.as_uri())
        while not self.told("Page.loadEventFired"):
            self.events.append(self._next())

    def show(self, *, width: int = 1400, scheme: str = "light", media: str = "screen") -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def ask(self, expression: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description"))
        return answer["result"].get("value")

    def picture(self, selector: str, path: Path) -> None:
        clip = self.ask(PLACE % json.dumps(selector))
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]))

    def told(self, *methods: str) -> list[dict[str, Any]]:
        return [one["params"] for one in self.events if one.get("method") in methods]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], SECONDS)
            if not ready or not (part := os.read(self._read, 1 << 20)):
                raise TimeoutError("Chromium says nothing")
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)
