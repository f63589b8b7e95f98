# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import shutil
import stat
import subprocess
from datetime import timedelta

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ovn import authority
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.authority import (
    make_ca,
    mistakes,
    public_of_key,
    public_of_request,
    read_ca,
    sign,
)
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.errors import CertificateRefused
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.keys import look, write


@pytest.fixture(scope="module")
def ca():
    return read_ca(*make_ca("example"), "here")


@pytest.fixture
def request_of_host(tmp_path):
    return look(tmp_path / "tls", "cloud-01", check_mode=False)["request"]


def test_signed(ca, request_of_host, tmp_path):
    text = sign(ca, request_of_host, "cloud-01", ["192.0.2.11", "2001:db8::11"])
    assert [*mistakes(ca, text, public_of_request(request_of_host))] == []
    (tmp_path / "ca.pem").write_text(ca.text)
    (tmp_path / "cert.pem").write_text(text)
    openssl = shutil.which("openssl")
    done = subprocess.run([openssl, "verify", "-CAfile", tmp_path / "ca.pem", tmp_path / "cert.pem"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_key_is_made_once_for_its_owner_only(tmp_path):
    first = look(tmp_path / "tls", "a", check_mode=False)
    key = tmp_path / "tls/key.pem"
    assert (first["made"], stat.S_IMODE(key.stat().st_mode)) == (True, 0o600)
    before = key.read_text()
    assert not look(tmp_path / "tls", "a", check_mode=False)["made"]
    assert key.read_text() == before
    assert before not in str(first)


def test_check_mode_makes_nothing(tmp_path):
    assert look(tmp_path / "tls", "a", check_mode=True) == {"made": False, "request": "", "certificate": "", "ca": ""}
    assert not (tmp_path / "tls").exists()


def test_write(tmp_path):
    assert write(tmp_path, "certificate", "ca", "key") == ["key.pem", "ca.pem", "cert.pem"]
    assert stat.S_IMODE((tmp_path / "key.pem").stat().st_mode) == 0o600
    assert write(tmp_path, "certificate", "ca", "key") == []
    assert write(tmp_path, "certificate", "other", "") == ["ca.pem"]


def test_another_ca_and_another_key(ca, request_of_host, tmp_path):
    other = read_ca(*make_ca("other"), "there")
    text = sign(other, request_of_host, "cloud-01", [])
    foreign = public_of_request(look(tmp_path / "foreign", "x", check_mode=False)["request"])
    said = [*mistakes(ca, text, foreign)]
    assert said == ["another CA signed it (CN=OVN of other, wanted CN=OVN of example)", "it belongs to another key"]


@pytest.mark.parametrize(
    ("age", "days", "said"),
    [(10, 5, "it ended on "), (0, 30, "in less than 60 days"), (0, 400, None)],
    ids=["ended", "ends soon", "lasts"],
)
def test_ends(ca, request_of_host, monkeypatch, age, days, said):
    now = authority._now()
    with monkeypatch.context() as then:
        then.setattr(authority, "DAYS", days)
        then.setattr(authority, "_now", lambda: now - timedelta(days=age))
        text = sign(ca, request_of_host, "cloud-01", [])
    found = [*mistakes(ca, text, "")]
    assert (said in found[0]) if said else (found == [])


REFUSED = {
    "no certificate": (lambda: ("rubbish", None), "Cannot use the CA in here"),
    "key of another": (lambda: (make_ca("a")[0], make_ca("b")[1]), "ca.key is not the key of ca.crt"),
}


@pytest.mark.parametrize(("made", "said"), REFUSED.values(), ids=REFUSED)
def test_ca_refused(made, said):
    with pytest.raises(CertificateRefused, match=said):
        read_ca(*made(), "here")


def test_without_a_key_nothing_is_signed(request_of_host):
    with pytest.raises(CertificateRefused, match=r"there is no ca\.key"):
        sign(read_ca(make_ca("a")[0], None, "here"), request_of_host, "cloud-01", [])


def test_key_that_is_none():
    with pytest.raises(CertificateRefused, match="it is no private key"):
        public_of_key("rubbish", "cloud-01.key")
