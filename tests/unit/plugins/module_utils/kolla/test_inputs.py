# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators and Ceph bring: taken, merged, or refused in clear words."""

from __future__ import annotations

import pytest
import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.ceph_files import ceph_files
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.inputs import Inputs, InputsRefused, read_inputs
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.merging import merged_settings
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.needs import wanted
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.topology import render, site_needs
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.tree import File

from tests.unit.plugins.module_utils.kolla.sites import CERTIFICATE, CHAIN, KEY, Box, installed, planned

OPTIONS = {"files": None, "ceph": None, "globals": {}, "connection": {}, "passwords": {}}
HANDED = {
    "ceph.conf": "# minimal\n[global]\n\tfsid = 1-2-3\n\tmon_host = [v2:10.20.1.11:3300/0]\n",
    "ceph.client.glance.keyring": "[client.glance]\n\tkey = AAA==\n",
    "ceph.client.cinder.keyring": "[client.cinder]\n\tkey = BBB==\n",
    "ceph.client.cinder-backup.keyring": "[client.cinder-backup]\n\tkey = CCC==\n",
}


def folder_of(path, files):
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


def read(tmp_path, files=None, ceph=None, **options):
    folders = {key: folder_of(tmp_path / key, content) for key, content in (("files", files), ("ceph", ceph)) if content is not None}
    return read_inputs({**OPTIONS, **folders, **options}, installed(), Box())


def test_nothing_is_brought(tmp_path):
    assert read_inputs({**OPTIONS, "files": str(tmp_path / "none")}, installed(), Box()) == Inputs()


def test_own_files_are_taken(tmp_path):
    files = {
        "config/horizon/theme/logo.svg": "<svg/>",
        "config/keystone.conf": "[DEFAULT]\ndebug = true\n",
        "certificates/haproxy.pem": CERTIFICATE + KEY,
        "certificates/ca/root.crt": CERTIFICATE,
        "certificates/backend-key.pem": Box().lock("vaulted"),
        "config/octavia/client.keyring": "[x]",
        ".gitkeep": "",
        "config/.swp": "",
    }
    found = read(tmp_path, files).files
    assert {path for path, file in found.items() if file.secret} == {
        "certificates/haproxy.pem",
        "certificates/backend-key.pem",
        "config/octavia/client.keyring",
    }
    assert found["certificates/backend-key.pem"].text == "vaulted"
    assert set(found) == {path for path in files if "/." not in f"/{path}"}


REFUSED = {
    "elsewhere": ({"files": {"globals.yml": "a: 1"}}, ["globals.yml in the folder of own files"]),
    "ca without crt": ({"files": {"certificates/ca/site.pem": CERTIFICATE}}, ["certificates/ca/site.pem: containers trust only"]),
    "encrypted settings": ({"files": {"config/nova.conf": Box().lock("x")}}, ["config/nova.conf is encrypted"]),
    "encrypted yaml": ({"files": {"config/opensearch.yml": Box().lock("x")}}, ["config/opensearch.yml is encrypted"]),
    "secret in globals": ({"globals": {"keystone_admin_password": "hidden"}}, ["keystone_admin_password is a secret"]),
    "kolla's key in connection": ({"connection": {"api_interface": "eth0"}}, ["api_interface does not begin with ansible_"]),
    "misspelt password": ({"passwords": {"docker_registry_pasword": "hidden"}}, ["did you mean docker_registry_password?"]),
    "empty password": ({"passwords": {"keystone_admin_password": ""}}, ["keystone_admin_password is empty"]),
    "all at once": (
        {"files": {"a": "", "config/x.ini": Box().lock("x")}, "globals": {"nova_ssh_key": {}}, "connection": {"user": "x"}},
        ["4 mistakes", "(1) a in", "(2) config/x.ini", "(3) globals: nova_ssh_key", "(4) connection: user"],
    ),
}


@pytest.mark.parametrize(("given", "words"), REFUSED.values(), ids=REFUSED)
def test_refused(tmp_path, given, words):
    with pytest.raises(InputsRefused) as caught:
        read(tmp_path, **given)
    assert [said for said in words if said not in str(caught.value)] == []
    assert "hidden" not in str(caught.value)


def test_a_password_of_ones_own_is_taken(tmp_path):
    assert read(tmp_path, passwords={"smtp_relay_secret": "x"}).passwords == {"smtp_relay_secret": "x"}


MERGES = {
    "another key": ("[a]\nx = 1\n", "[a]\ny = 2\n", "[a]\ny = 2\n|[a]\nx = 1\n"),
    "the same key": ("[a]\nx = 1\nz = 3\n", "[a]\nx=2\n", "[a]\nx=2\n|[a]\nz = 3\n"),
    "in another section": ("[a]\nx = 1\n", "[b]\nx = 2", "[b]\nx = 2\n|[a]\nx = 1\n"),
    "a comment": ("[a]\nx = 1\n", "[a]\n# x = 2\n", "[a]\n# x = 2\n|[a]\nx = 1\n"),
    "without a section": ("[a]\nx = 1\n", "x = 2\n", "x = 2\n|[a]\nx = 1\n"),
    "several lines": ("[a]\nx = 1\ny = 1\n", "[a]\nx = 1,\n    y = 2\n", "[a]\nx = 1,\n    y = 2\n|[a]\ny = 1\n"),
}


@pytest.mark.parametrize(("ours", "theirs", "expected"), MERGES.values(), ids=MERGES)
def test_settings_are_merged(ours, theirs, expected):
    first, _, second = expected.partition("|")
    assert merged_settings(ours, theirs) == f"# The operator's own settings.\n{first}\n{second}"


def test_own_settings_win_over_ours():
    own = {"config/neutron.conf": File("[DEFAULT]\nglobal_physnet_mtu = 1400\ndebug = true\n"), "config/glance.conf": File("[x]\ny = 1\n")}
    files = render(planned(), installed(), Inputs(files=own))
    assert files["config/glance.conf"].text == "[x]\ny = 1\n"
    assert "global_physnet_mtu = 1400" in files["config/neutron.conf"].text
    assert files["config/neutron.conf"].text.count("global_physnet_mtu") == 1


@pytest.mark.parametrize("name", ["ceph.conf", "ceph.client.cinder.keyring"])
def test_two_authors_of_one_file(name):
    handed = {key: File(text) for key, text in HANDED.items()}
    with pytest.raises(InputsRefused, match=rf"config/nova/{name} is among your own files.*Remove one of the two"):
        render(planned(), installed(), Inputs(files={f"config/nova/{name}": File("[x]\n")}, ceph=handed))


PLACES = {
    "config/glance/ceph.conf",
    "config/cinder/ceph.conf",
    "config/nova/ceph.conf",
    "config/glance/ceph.client.glance.keyring",
    "config/cinder/cinder-volume/ceph.client.cinder.keyring",
    "config/cinder/cinder-backup/ceph.client.cinder.keyring",
    "config/cinder/cinder-backup/ceph.client.cinder-backup.keyring",
    "config/nova/ceph.client.cinder.keyring",
}


def test_ceph_is_handed_over(tmp_path):
    handed = read(tmp_path, ceph={**HANDED, "ceph.client.admin.keyring": "[client.admin]\n\tkey = DDD==\n"}).ceph
    files = ceph_files(handed)
    assert set(files) == PLACES
    assert {path for path, file in files.items() if file.secret} == {path for path in PLACES if path.endswith(".keyring")}
    conf = files["config/nova/ceph.conf"].text
    assert conf == "# minimal\n[global]\nfsid = 1-2-3\nmon_host = [v2:10.20.1.11:3300/0]\n"
    assert {files[path].text for path in PLACES if path.endswith("ceph.conf")} == {conf}
    assert "DDD" not in "".join(file.text for file in files.values())


def test_an_empty_file_of_ceph_counts_as_none():
    assert ceph_files({"ceph.conf": File(" \n"), "ceph.client.glance.keyring": File("")}) == {}


def said(plan, **given):
    return [sentence.partition(":")[0] for sentence in wanted(site_needs(plan, installed(), Inputs(**given)))]


CEPH = [f"ceph/{name}" for name in HANDED]
OUTSIDE, INSIDE, CA = "kolla/certificates/haproxy.pem", "kolla/certificates/haproxy-internal.pem", "kolla/certificates/ca/root.crt"
BACKEND = ["kolla/certificates/backend-cert.pem", "kolla/certificates/backend-key.pem"]
NEEDS = {
    "all": ({}, {}, [OUTSIDE, INSIDE, CA, *CEPH]),
    "tls outside": ({"openstack": {"tls": "external"}}, {}, [OUTSIDE, CA, *CEPH]),
    "no tls": ({"openstack": {"tls": "none"}}, {}, CEPH),
    "public ca": ({}, {"globals": {"kolla_copy_ca_into_containers": "no"}}, [OUTSIDE, INSIDE, *CEPH]),
    "tls behind": ({}, {"globals": {"kolla_enable_tls_backend": "yes"}}, [OUTSIDE, INSIDE, CA, *BACKEND, *CEPH]),
    "any ca": ({}, {"files": {"certificates/ca/x.crt": File(CERTIFICATE)}}, [OUTSIDE, INSIDE, *CEPH]),
    "nothing": (
        {"openstack": {"tls": "external"}},
        {
            "files": {"certificates/ca/x.crt": File(CERTIFICATE), "certificates/haproxy.pem": File(CERTIFICATE + KEY)},
            "ceph": {name: File(text) for name, text in HANDED.items()},
        },
        [],
    ),
}


@pytest.mark.parametrize(("wishes", "given", "expected"), NEEDS.values(), ids=NEEDS)
def test_what_is_wanted(wishes, given, expected):
    assert said(planned(**wishes), **given) == expected


def test_needs_name_what_certificates_must_cover():
    plan = planned()
    needs = yaml.safe_load(render(plan, installed(), Inputs())["needs.yml"].text)
    outside, inside, _ = needs["certificates"]
    vips = {one.name: one for one in plan.vips}
    assert (outside["names"], outside["addresses"]) == (["api.lab.example"], [vips["external"].address])
    assert (inside["names"], inside["addresses"]) == (["api-int.lab.example"], [vips["internal"].address])
    assert needs["python"] == ["kolla-ansible==22.2.0", "ansible==12.3.0"]
    assert needs["schema"] == "vitro/kolla-needs/1"


def test_proxysql_gets_what_haproxy_has():
    own = {"certificates/haproxy-internal.pem": File(CERTIFICATE + CHAIN + KEY, secret=True), "certificates/ca/a.crt": File(CHAIN)}
    files = render(planned(), installed(), Inputs(files={**own, "certificates/ca/b.crt": File(CERTIFICATE)}))
    assert files["certificates/proxysql-cert.pem"] == File(CERTIFICATE + CHAIN)
    assert files["certificates/proxysql-key.pem"] == File(KEY, secret=True)
    assert files["certificates/proxysql-ca.pem"].text == files["certificates/ca-bundle.pem"].text == CHAIN + CERTIFICATE
    given = render(planned(), installed(), Inputs(files={**own, "certificates/proxysql-cert.pem": File("own")}))
    assert given["certificates/proxysql-cert.pem"].text == "own"
    outside = render(planned(openstack={"tls": "external"}), installed(), Inputs(files=own))
    assert not any("proxysql" in path for path in outside)


def test_a_certificate_without_key_is_not_split():
    files = render(planned(), installed(), Inputs(files={"certificates/haproxy-internal.pem": File(CERTIFICATE)}))
    assert not any("proxysql" in path for path in files)
