# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries what each client must be able to do, and must not; an object through each gateway; a file. Leaves nothing behind."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

PIECE = 64 * 1024
IMAGE = 4 * 1024 * 1024

Outcome = dict[str, Any]


def attempt(check: str, target: str, wanted: str, do: Callable[..., str], *arguments: Any) -> Outcome:
    """Whatever goes wrong is the answer."""
    try:
        seen = do(*arguments)
    except Exception as exc:  # noqa: BLE001 - Ceph's libraries raise many kinds, each of which is the answer
        seen = f"{type(exc).__name__}: {exc}"
    return {"check": check, "target": target, "wanted": wanted, "seen": seen, "ok": seen == wanted}


def try_clients(given: dict[str, Any], name: str) -> Iterator[Outcome]:
    import rados  # type: ignore[import-not-found] # noqa: PLC0415 - only Ceph's image has it

    limit = str(given["timeout"])
    for client, one in given["clients"].items():
        options = {"key": one["key"], "client_mount_timeout": limit, "rados_mon_op_timeout": limit, "rados_osd_op_timeout": limit}
        try:
            cluster = rados.Rados(rados_id=client, conffile=rados.Rados.DEFAULT_CONF_FILES, conf=options)
            cluster.connect()
        except rados.Error as exc:
            yield {"check": "client connects", "target": client, "wanted": "connected", "seen": str(exc), "ok": False}
            continue
        for pool in one["writes"]:
            yield attempt("image written, kept in a snapshot, read back", f"{client} {pool}", "as written", try_image, cluster, pool, name)
        for pool in one["reads"]:
            yield attempt("images listed", f"{client} {pool}", "listed", list_images, cluster, pool)
        for pool in one["denied"]:
            yield attempt("foreign pool", f"{client} {pool}", "refused", try_denied, cluster, pool, name)
        yield attempt("others' keys", client, "refused", try_keys, cluster)
        cluster.shutdown()


def try_image(cluster: Any, pool: str, name: str) -> str:
    import rbd  # type: ignore[import-not-found] # noqa: PLC0415

    piece, other = os.urandom(PIECE), os.urandom(PIECE)
    images = rbd.RBD()
    with cluster.open_ioctx(pool) as io:
        images.create(io, name, IMAGE)
        try:
            with rbd.Image(io, name) as image:
                image.write(piece, PIECE)
                image.create_snap("trial")
                try:
                    image.write(other, PIECE)
                    image.set_snap("trial")
                    kept = image.read(PIECE, PIECE) == piece
                    image.set_snap(None)
                    changed = image.read(PIECE, PIECE) == other
                finally:
                    image.set_snap(None)
                    image.remove_snap("trial")
        finally:
            images.remove(io, name)
    return "as written" if kept and changed else "other data"


def list_images(cluster: Any, pool: str) -> str:
    import rbd  # noqa: PLC0415

    with cluster.open_ioctx(pool) as io:
        rbd.RBD().list(io)
    return "listed"


def try_denied(cluster: Any, pool: str, name: str) -> str:
    import rados  # noqa: PLC0415

    try:
        with cluster.open_ioctx(pool) as io:
            io.write_full(name, b"must not be")
            io.remove_object(name)
    except rados.PermissionError:
        return "refused"
    return "written"


def try_keys(cluster: Any) -> str:
    code, _, _ = cluster.mon_command(json.dumps({"prefix": "auth ls"}), b"")
    return "refused" if code else "told"


def try_file(filesystem: str, name: str) -> str:
    import cephfs  # type: ignore[import-not-found] # noqa: PLC0415 - only Ceph's image has it

    piece, path = os.urandom(PIECE), f"/{name}".encode()
    tree = cephfs.LibCephFS(conffile="/etc/ceph/ceph.conf")
    tree.mount(filesystem_name=filesystem.encode())
    try:
        file = tree.open(path, "w", 0o600)
        tree.write(file, piece, 0)
        tree.close(file)
        file = tree.open(path, "r")
        seen = tree.read(file, 0, PIECE)
        tree.close(file)
        tree.unlink(path)
    finally:
        tree.shutdown()
    return "as written" if seen == piece else "other data"


def try_objects(gateways: list[str], name: str) -> Iterator[Outcome]:
    """Written through the first gateway, read through each."""
    user = ["radosgw-admin", "user", "create", "--uid", name, "--display-name", name]
    made = json.loads(subprocess.run(user, capture_output=True, text=True, check=True, timeout=120).stdout)  # noqa: S603 - a list, and no shell
    keys = made["keys"][0]
    piece = os.urandom(PIECE)
    try:
        yield attempt("bucket made", gateways[0], "200", put, gateways[0], f"/{name}", keys)
        yield attempt("object written", gateways[0], "200", put, gateways[0], f"/{name}/trial", keys, piece)
        for one in gateways:
            yield attempt("object read", one, "as written", read_object, one, name, keys, piece)
    finally:
        removed = ["radosgw-admin", "user", "rm", "--uid", name, "--purge-data"]
        subprocess.run(removed, capture_output=True, check=False, timeout=120)  # noqa: S603 - a list, and no shell


def put(gateway: str, path: str, keys: dict[str, str], piece: bytes = b"") -> str:
    return str(s3(gateway, "PUT", path, keys, piece)[0])


def read_object(gateway: str, name: str, keys: dict[str, str], piece: bytes) -> str:
    status, body = s3(gateway, "GET", f"/{name}/trial", keys)
    return "as written" if body == piece else f"{status}, {len(body)} bytes"


def s3(gateway: str, method: str, path: str, keys: dict[str, str], body: bytes = b"") -> tuple[int, bytes]:
    """One request, signed as S3 wants it (version 4)."""
    stamp = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")  # noqa: UP017 - the image's Python may be older
    scope = f"{stamp[:8]}/default/s3/aws4_request"
    headers = {"host": gateway, "x-amz-content-sha256": hashlib.sha256(body).hexdigest(), "x-amz-date": stamp}
    signed = ";".join(headers)
    lines = [method, path, "", *(f"{key}:{value}" for key, value in headers.items()), "", signed, headers["x-amz-content-sha256"]]
    text = "\n".join(["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256("\n".join(lines).encode()).hexdigest()])
    key = f"AWS4{keys['secret_key']}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.new(key, text.encode(), "sha256").hexdigest()
    headers["authorization"] = f"AWS4-HMAC-SHA256 Credential={keys['access_key']}/{scope}, SignedHeaders={signed}, Signature={signature}"
    connection = http.client.HTTPConnection(gateway, timeout=60)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def trial(given: dict[str, Any]) -> dict[str, Any]:
    name = f"vitro-trial-{os.urandom(4).hex()}"
    outcomes = [*try_clients(given, name)]
    if given["filesystem"]:
        outcomes.append(attempt("file written and read back", given["filesystem"], "as written", try_file, given["filesystem"], name))
    if given["gateways"]:
        outcomes += try_objects(given["gateways"], name)
    return {"outcomes": outcomes}


if __name__ == "__main__":
    Path("/answer/new").write_text(json.dumps(trial(json.load(sys.stdin))))
    Path("/answer/new").rename("/answer/answer")
