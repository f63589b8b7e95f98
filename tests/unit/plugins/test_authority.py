# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import stat
from dataclasses import replace

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.authority import make_ca, make_key, read_ca
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.errors import CertificateRefused
from ansible_collections.frontier.vitro.plugins.plugin_utils.authority import LOCKED, Authority


class Safe:
    """Turns texts round, so that one that was not locked is noticed."""

    def lock(self, text):
        return LOCKED + text[::-1].encode()

    def unlock(self, content, path):
        return content.removeprefix(LOCKED).decode()[::-1]


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path / "ca", Safe(), check_mode=False)


def test_made_once_and_locked(authority):
    assert authority.ensure("example")
    key = authority.folder / "ca.key"
    before = key.read_bytes()
    assert before.startswith(LOCKED)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert not authority.ensure("example")
    assert key.read_bytes() == before


def test_check_mode_makes_nothing(authority):
    assert replace(authority, check_mode=True).ensure("example")
    assert not authority.folder.exists()


def test_cut_off_between_its_files(authority):
    authority.ensure("example")
    (authority.folder / "ca.crt").unlink()
    with pytest.raises(CertificateRefused, match=r"has ca\.key, and no ca\.crt"):
        authority.ensure("example")


def test_hand_over_is_kept(authority, tmp_path):
    authority.ensure("example")
    dest = tmp_path / "neutron"
    changed, why, certificate = authority.hand_over("neutron", dest)
    assert (changed, why) == (True, ["there was none"])
    assert (dest / "neutron.key").read_bytes().startswith(LOCKED)
    assert authority.hand_over("neutron", dest) == (False, [], certificate)


def test_hand_over_follows_a_new_ca(authority, tmp_path):
    authority.ensure("example")
    authority.hand_over("neutron", tmp_path / "neutron")
    for name in ("ca.crt", "ca.key"):
        (authority.folder / name).unlink()
    authority.ensure("other")
    changed, why, _ = authority.hand_over("neutron", tmp_path / "neutron")
    assert (changed, why) == (True, ["another CA signed it (CN=OVN of example, wanted CN=OVN of other)"])


def test_brought(authority, tmp_path):
    certificate, key = make_ca("company")
    authority.folder.mkdir()
    (authority.folder / "ca.crt").write_text(certificate)
    own, signed = make_key(read_ca(certificate, key, "here"), "neutron")
    (authority.folder / "neutron.crt").write_text(signed)
    (authority.folder / "neutron.key").write_text(own)
    assert authority.ensure("example") is False
    assert authority.hand_over("neutron", tmp_path / "neutron") == (True, ["another one was brought"], signed)
    assert authority.hand_over("neutron", tmp_path / "neutron")[0] is False


def test_brought_that_cannot_be_used(authority, tmp_path):
    authority.ensure("example")
    own, signed = make_key(read_ca(*make_ca("foreign"), "there"), "cloud-01")
    (authority.folder / "cloud-01.crt").write_text(signed)
    (authority.folder / "cloud-01.key").write_text(make_key(authority.ca, "x")[0])
    with pytest.raises(CertificateRefused) as refused:
        authority.brought(authority.ca, "cloud-01")
    assert "another CA signed it" in str(refused.value)
    assert "it belongs to another key" in str(refused.value)
    assert own not in str(refused.value)
