# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a real HAProxy serves before a real cloud, beside what was brought."""

from __future__ import annotations

from tests.lab.openstack.words import HOST
from tests.lab.rack.tls import Authority


def test_the_one_that_was_brought_is_served(stage, tmp_path):
    (tmp_path / "haproxy.pem").write_bytes((stage.lab.etc / "front.pem").read_bytes())
    made = stage.run("cloud_certificates", state="served", rendered=str(tmp_path))
    assert made["wrong"] == []
    assert len(made["checks"]) == 12


def test_an_old_one_is_noticed_on_every_port(stage, tmp_path):
    (tmp_path / "haproxy.pem").write_bytes(Authority().issue(HOST)[0])
    made = stage.run("cloud_certificates", state="served", rendered=str(tmp_path), days=900)
    ports = [
        stage.lab.url(name, tls=True).removeprefix("https://") for name in ("keystone", "glance", "placement", "nova", "neutron", "cinder")
    ]
    for check in ("certificate is the one that was brought", "certificate lasts"):
        assert sorted(one.split(":")[0].split()[1] + ":" + one.split(":")[1] for one in made["wrong"] if check in one) == sorted(ports)


def test_new_files_are_compared(stage, tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, days in ((old, 100), (new, 200)):
        folder.mkdir()
        (folder / "haproxy.pem").write_bytes(Authority().issue(HOST, days=days)[0])
    made = stage.run("cloud_certificates", state="compared", rendered=str(old), brought=str(new))
    assert (made["changes"], made["services"]) == (["haproxy.pem"], ["loadbalancer"])
    refused = stage.run("cloud_certificates", state="compared", rendered=str(new), brought=str(old))
    assert refused["code"] == "cloud_certificates"
