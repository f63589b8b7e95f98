# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""writer.py FOLDER PREFIX ADDRESS...: writes objects one after the other until FOLDER/stop is there, then looks for each on every server.

FOLDER has ca.crt, admin.crt and admin.key. Knows nothing of the collection's own client. When a server does not answer, the next is asked;
what was not acknowledged is not written again. Says how many were acknowledged, refused and lost, and the longest silence; then takes them
away.
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import sys
import time
from pathlib import Path

NAMESPACE = "/api/v1/namespaces/default/configmaps"
PATIENCE = 120


class Server(http.client.HTTPSConnection):
    """A server by its address; its certificate is for the name that all of them have."""

    def __init__(self, address: str, context: ssl.SSLContext) -> None:
        super().__init__(address, 6443, timeout=5, context=context)
        self._wrap = context

    def connect(self) -> None:
        self.sock = self._wrap.wrap_socket(socket.create_connection((self.host, self.port), self.timeout), server_hostname="kubernetes")


def ask(address: str, context: ssl.SSLContext, method: str, path: str, body: object = None) -> tuple[int, bytes]:
    """The status, and what was said; 0 if nobody answers."""
    connection = Server(address, context)
    try:
        connection.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException) as exc:
        return 0, str(exc).encode()
    finally:
        connection.close()


def write(folder: Path, prefix: str, addresses: list[str], context: ssl.SSLContext) -> tuple[list[str], int, float]:
    acknowledged, refused, silence, last, at = [], 0, 0.0, time.monotonic(), 0
    while not (folder / "stop").exists():
        name = f"{prefix}-{len(acknowledged) + refused}"
        body = {"metadata": {"name": name, "labels": {"lab": prefix}}, "data": {"number": name}}
        status, _ = ask(addresses[at % len(addresses)], context, "POST", NAMESPACE, body)
        if status == 201:
            now = time.monotonic()
            silence, last = max(silence, now - last), now
            acknowledged.append(name)
        else:
            refused += 1
            at += 1
        time.sleep(0.2)
    return acknowledged, refused, max(silence, time.monotonic() - last)


def lost_at(address: str, context: ssl.SSLContext, prefix: str, acknowledged: list[str]) -> list[str]:
    """What a server does not have of it. One that comes back has to catch up."""
    until, missing = time.monotonic() + PATIENCE, acknowledged
    while missing and time.monotonic() < until:
        status, said = ask(address, context, "GET", f"{NAMESPACE}?labelSelector=lab%3D{prefix}")
        names = {one["metadata"]["name"] for one in json.loads(said)["items"]} if status == 200 else set()
        missing = [one for one in acknowledged if one not in names]
        time.sleep(1 if missing else 0)
    return missing


def main(folder: Path, prefix: str, addresses: list[str]) -> None:
    context = ssl.create_default_context(cafile=str(folder / "ca.crt"))
    context.load_cert_chain(folder / "admin.crt", folder / "admin.key")
    acknowledged, refused, silence = write(folder, prefix, addresses, context)
    lost = {address: lost_at(address, context, prefix, acknowledged) for address in addresses}
    ask(addresses[0], context, "DELETE", f"{NAMESPACE}?labelSelector=lab%3D{prefix}")
    told = {"acknowledged": len(acknowledged), "refused": refused, "lost": sum(map(len, lost.values())), "silence": round(silence, 1)}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
