# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.bootstrap import (
    BootstrapFailed,
    ForeignCluster,
    Host,
    NotRemoved,
    adopt,
    login_file,
    make_cluster,
)
from ansible_collections.frontier.vitro.plugins.module_utils.ceph.session import Answer

FSID, OTHER = "11111111-2222-3333-4444-555555555555", "99999999-2222-3333-4444-555555555555"


@pytest.fixture
def host(tmp_path):
    return Host(FSID, tmp_path / "root")


@pytest.fixture
def cephadm(tmp_path, host):
    """A program that notes how it was called, and makes or removes the folder of a monitor as cephadm does."""
    program = tmp_path / "cephadm"
    program.write_text(f"""#!/bin/sh
echo "$@" >> {tmp_path}/calls
case "$*" in
  *bootstrap*) mkdir -p {host.folder}/mon.one; echo making; [ ! -e {tmp_path}/fail ] || {{ echo "no such image"; exit 5; }} ;;
  rm-cluster*) rm -rf {host.folder} ;;
esac
""")
    program.chmod(0o755)
    return str(program)


def bring(host, cephadm, tmp_path):
    make_cluster(host, [cephadm, "--image", "x", "bootstrap", "--fsid", FSID], cephadm, tmp_path / "log/ceph.log")


def calls(tmp_path: Path) -> list[str]:
    return [line.split()[0] for line in (tmp_path / "calls").read_text().splitlines()]


def test_made_once(host, cephadm, tmp_path):
    assert host.stage() == "absent"
    bring(host, cephadm, tmp_path)
    assert host.stage() == "done"
    assert calls(tmp_path) == ["--image"]
    assert stat.S_IMODE((tmp_path / "log/ceph.log").stat().st_mode) == 0o600


def test_cut_off_and_made_anew_under_the_same_id(host, cephadm, tmp_path):
    (tmp_path / "fail").touch()
    with pytest.raises(BootstrapFailed, match=r"gave 5: .*no such image"):
        bring(host, cephadm, tmp_path)
    assert host.stage() == "begun"
    (tmp_path / "fail").unlink()
    bring(host, cephadm, tmp_path)
    assert host.stage() == "done"
    assert calls(tmp_path) == ["--image", "rm-cluster", "--image"]


def test_what_holds_data_is_never_removed(host, cephadm, tmp_path):
    (host.folder / "mon.one").mkdir(parents=True)
    (host.folder / "osd.3").mkdir()
    host.write_note("begun")
    with pytest.raises(NotRemoved, match=r"has osd\.3 on this host"):
        bring(host, cephadm, tmp_path)
    assert not (tmp_path / "calls").exists()
    assert (host.folder / "osd.3").is_dir()


@pytest.mark.parametrize("where", ["daemon", "conf"])
def test_a_foreign_cluster_is_refused(host, where):
    if where == "daemon":
        (host.root / "var/lib/ceph" / OTHER / "osd.0").mkdir(parents=True)
    else:
        (host.root / "etc/ceph").mkdir(parents=True)
        (host.root / "etc/ceph/ceph.conf").write_text(f"[global]\n\tfsid = {OTHER}\n")
    with pytest.raises(ForeignCluster, match=f"another Ceph cluster already: {OTHER}"):
        host.refuse_foreign()


def test_what_is_no_cluster_is_not_foreign(host):
    (host.root / "var/lib/ceph/osd").mkdir(parents=True)
    (host.root / "var/lib/ceph" / OTHER / "home").mkdir(parents=True)
    (host.folder / "mon.one").mkdir(parents=True)
    host.refuse_foreign()
    assert host.stage() == "unknown"


class Answering:
    def __init__(self, *, available):
        self.available = available

    def read(self, **_questions):
        return {"status": {"fsid": FSID}, "orchestrator": {"available": self.available}}


def test_one_that_runs_under_the_id_is_taken(host):
    (host.folder / "mon.one").mkdir(parents=True)
    adopt(host, Answering(available=True))
    assert host.stage() == "done"


def test_one_that_does_not_answer_is_not(host):
    (host.folder / "mon.one").mkdir(parents=True)
    with pytest.raises(NotRemoved, match="orchestrator does not answer"):
        adopt(host, Answering(available=False))
    assert host.stage() == "unknown"


def test_the_login_is_private_and_gone_afterwards():
    login = {"url": "registry.example", "username": "lab", "password": "s3cret"}
    with login_file(login) as path:
        assert json.loads(path.read_text()) == login
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.exists()
    with login_file(None) as path:
        assert path is None


class Told:
    """A session that knows the key."""

    def ask(self, commands):
        assert [one.prefix for one in commands] == ["cephadm get-pub-key"]
        return [Answer(0, "ssh-ed25519 told\n", "")]


@pytest.mark.parametrize(
    ("files", "key"),
    [
        ({}, None),
        ({"etc/ceph/ceph.pub": "ssh-ed25519 kept\n"}, "ssh-ed25519 kept"),
        ({f"var/lib/ceph/{FSID}/mon.three/keyring": ""}, "ssh-ed25519 told"),
    ],
    ids=["no cluster", "where it was made", "on another monitor"],
)
def test_the_key_with_which_cephadm_logs_in(host, files, key):
    for name, content in files.items():
        path = host.root / name
        path.parent.mkdir(parents=True)
        path.write_text(content)
    assert host.public_key(Told()) == key
