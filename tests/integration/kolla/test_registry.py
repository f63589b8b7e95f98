# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real registry is asked for a site's images: all there, some there, none; and what else can go wrong with it."""

from __future__ import annotations

import asyncio
import dataclasses
import socket
from pathlib import Path

import pytest
from aiohttp import web
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.registry import Registry, RegistryRefused, check_registry

from tests.lab.registry import lab_registry, missing_program
from tests.lab.registry.image import digest, tiny_image

NAMES = [f"kolla/service-{number:02d}:2026.1-debian-trixie" for number in range(20)]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    if said := missing_program():
        pytest.skip(said)
    with lab_registry(tmp_path_factory.mktemp("registry")) as registry:
        for name in NAMES[:12]:
            registry.push(name)
        yield registry


def access(lab, **changes):
    given = Registry(url=lab.url, ca=lab.ca, username=lab.username, password=lab.password, timeout=5)
    return dataclasses.replace(given, **changes)


def asked(lab, names, **changes):
    return [(one.code, one.value) for one in check_registry([f"{lab.host}/{name}" for name in names], access(lab, **changes))]


def test_all_are_there(lab):
    assert asked(lab, NAMES[:12]) == []


def test_all_that_are_missing_are_told_at_once(lab):
    assert asked(lab, NAMES) == [("image_missing", f"{lab.host}/{name}") for name in NAMES[12:]]
    assert [code for code, _ in asked(lab, ["other/thing:1"])] == ["image_missing"]


def test_another_tag_is_another_image(lab):
    assert [code for code, _ in asked(lab, [NAMES[0].replace("2026.1", "2025.2")])] == ["image_missing"]


def test_by_digest(lab):
    repository = NAMES[0].partition(":")[0]
    there = digest(tiny_image(repository).manifest)
    assert asked(lab, [f"{repository}@{there}"]) == []
    assert [code for code, _ in asked(lab, [f"{repository}@{digest(b'other')}"])] == ["image_missing"]


def test_none_is_there(tmp_path):
    if said := missing_program():
        pytest.skip(said)
    with lab_registry(tmp_path) as empty:
        assert len(asked(empty, NAMES)) == len(NAMES)


def test_images_elsewhere_are_not_asked_for(lab):
    found = check_registry(["other.example:5000/kolla/cron:1", "cron:1"], access(lab))
    assert [(one.code, one.weight) for one in found] == [("image_elsewhere", "warning")] * 2


@pytest.mark.parametrize("changes", [{"password": "wrong"}, {"username": None}], ids=["wrong password", "nobody"])
def test_login_refused(lab, changes):
    assert [code for code, _ in asked(lab, NAMES, **changes)] == ["registry_login"]


def test_ca_is_not_trusted(lab):
    found = check_registry([], access(lab, ca=None))
    assert [one.code for one in found] == ["registry_unreachable"]
    assert "certificate is not trusted" in found[0].text


def test_nobody_listens(lab):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        found = check_registry(["x/y:1"], access(lab, url=f"https://127.0.0.1:{port}"))
    assert [one.code for one in found] == ["registry_unreachable"]


def test_ca_that_cannot_be_read(lab, tmp_path):
    (tmp_path / "ca.crt").write_text("no certificate")
    for path in (tmp_path / "ca.crt", tmp_path / "none"):
        with pytest.raises(RegistryRefused, match="Cannot read the registry's CA"):
            check_registry([], access(lab, ca=Path(path)))


def test_no_password_in_what_is_said(lab):
    found = check_registry(NAMES, access(lab, password="wrong-and-long-password"))
    assert "wrong-and-long-password" not in str(found) + repr(access(lab, password="wrong-and-long-password"))


class Keeper:
    """A registry that wants tokens of a service beside it, as Harbor does, and stumbles on its first answer."""

    def __init__(self) -> None:
        self.scopes: list[str] = []
        self.stumbled = False
        self.address = ""

    async def token(self, request: web.Request) -> web.Response:
        if request.headers.get("Authorization", "").startswith("Basic "):
            self.scopes.append(request.query.get("scope", ""))
            return web.json_response({"token": f"for-{request.query.get('scope', '')}"})
        return web.Response(status=401)

    async def answer(self, request: web.Request) -> web.Response:
        if not self.stumbled:
            self.stumbled = True
            return web.Response(status=503)
        if not request.headers.get("Authorization", "").startswith("Bearer for-"):
            challenge = f'Bearer realm="{self.address}/token",service="registry"'
            return web.Response(status=401, headers={"WWW-Authenticate": challenge})
        return web.Response(status=404 if "absent" in request.path else 200)


async def test_tokens_of_a_service_beside_the_registry():
    keeper = Keeper()
    app = web.Application()
    app.add_routes([web.get("/token", keeper.token), web.route("*", "/v2/{rest:.*}", keeper.answer)])
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host = f"127.0.0.1:{runner.addresses[0][1]}"
        keeper.address = f"http://{host}"
        access = Registry(url=f"http://{host}", username="robot", password="x")
        found = await asyncio.to_thread(check_registry, [f"{host}/a/b:1", f"{host}/a/absent:1"], access)
    finally:
        await runner.cleanup()
    assert [one.value for one in found] == [f"{host}/a/absent:1"]
    assert sorted(keeper.scopes) == ["", "repository:a/absent:pull", "repository:a/b:pull"]
