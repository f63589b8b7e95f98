# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import base64
import json
import string

import pytest
import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.secrets import HIDDEN, Redactor, secrets_of
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.tree import File
from hypothesis import given
from hypothesis import strategies as st

PRIVATE_KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAxyz012\nsecondLineOfTheKey+/=\n-----END RSA PRIVATE KEY-----\n"
PASSWORDS = {
    "database_password": "aB3" * 13,
    "docker_registry_password": None,
    "nova_ssh_key": {"private_key": PRIVATE_KEY, "public_key": "ssh-rsa AAAAB3NzaC1yc2E"},
    "rbd_secret_uuid": "5f1c0f5e-0a8e-4d76-9d1c-1b2a7f6d7c11",
}
KEYRING = "[client.glance]\n\tkey = AQDabcdefghijklmnop==\n\tcaps mon = allow r\n"


def tree():
    return {
        "passwords.yml": File(yaml.safe_dump(PASSWORDS), secret=True),
        "config/glance/ceph.client.glance.keyring": File(KEYRING, secret=True),
        "certificates/haproxy.pem": File("-----BEGIN CERTIFICATE-----\npublicPart\n-----END CERTIFICATE-----\n" + PRIVATE_KEY, secret=True),
        "globals.yml": File("openstack_release: '2026.1'\n"),
    }


words = st.text(string.ascii_letters + string.digits + "+/=.*[](", min_size=6, max_size=40)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(f"ok: [lab-01] => (item={{'password': '{'aB3' * 13}'}})", id="in an item of a loop"),
        pytest.param(json.dumps({"key": PRIVATE_KEY}), id="a key with its lines escaped"),
        pytest.param("secondLineOfTheKey+/=", id="a line of a key alone"),
        pytest.param("uuid 5f1c0f5e-0a8e-4d76-9d1c-1b2a7f6d7c11", id="an identifier"),
        pytest.param("key = AQDabcdefghijklmnop==", id="a key of Ceph"),
    ],
)
def test_no_secret_is_left(line):
    seen = Redactor(secrets_of(tree()))(line)
    assert HIDDEN in seen
    assert not [secret for secret in secrets_of(tree()) if secret in seen]


def test_what_is_no_secret_stays():
    line = "TASK [glance : Ensuring config directories exist] publicPart 2026.1 ---"
    assert Redactor(secrets_of(tree()))(line) == line
    assert "publicPart" not in secrets_of(tree())
    assert "2026.1" not in secrets_of(tree())


def test_the_longer_of_two_goes_whole():
    assert Redactor(["abcdef", "abcdefgh"])("x abcdefgh y") == f"x {HIDDEN} y"


@given(words.filter(lambda word: len(word) >= 12), st.text(string.ascii_letters, max_size=20), st.text(string.ascii_letters, max_size=5))
def test_nothing_is_left_of_it_in_base64(secret, user, after):
    encoded = base64.b64encode(f"{user}:{secret}{after}".encode()).decode()
    seen = Redactor([secret])(f"Authorization 'Basic {encoded}'")
    assert HIDDEN in seen
    left = seen.replace(HIDDEN, "").partition("Basic ")[2]
    assert len(left) <= len(encoded) - len(secret)


def test_nothing_to_hide():
    assert Redactor([])("text") == "text"


@given(st.lists(words, min_size=1, max_size=8), st.lists(words, max_size=4))
def test_redacted_text_has_none_of_them(secrets, around):
    text = " ".join(part for pair in zip(around + [""] * len(secrets), secrets, strict=False) for part in pair)
    seen = Redactor(secrets)(text).replace(HIDDEN, "\0")
    assert not [secret for secret in secrets if secret in seen]
