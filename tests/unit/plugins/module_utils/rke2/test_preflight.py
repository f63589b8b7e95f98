# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every objection is planted once and found; all of them at once are found at once; a sound site has none."""

from __future__ import annotations

import copy
import hashlib

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.errors import PreflightRefused
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.kinds import KINDS
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.preflight import decide, objections_to, refuse, told
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.release import needed_images, read_release
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.rendering import wanted_of
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.site import Host, Site
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.wanted import registration_of, wish_of
from hypothesis import given, settings
from hypothesis import strategies as st

VERSION = "v1.34.2+rke2r1"
SERVERS, AGENTS = ["a", "b", "c"], ["d"]
ADDRESSES = {"a": "192.0.2.11", "b": "192.0.2.12", "c": "192.0.2.13", "d": "192.0.2.14"}
REGISTRATION = {"mode": "keepalived", "address": "192.0.2.50", "vrid": 52}
HOME, OTHER = "1" * 64, "2" * 64
IDLE = {"there": True, "state": "inactive", "running": False, "enabled": False, "since": 0.0}
RUNNING = {**IDLE, "state": "active", "running": True, "enabled": True}
UNITS = ("rke2-server", "rke2-agent", "k3s", "k3s-agent", "kubelet", "firewalld", "nm-cloud-setup.timer", "NetworkManager")
GIB = 2**30


def fresh(name):
    """A sound host on which there is nothing yet."""
    return {
        "program": "",
        "method": "",
        "version": "",
        "mixed": False,
        "architecture": "amd64",
        "units": {unit: dict(IDLE) for unit in UNITS},
        "stale": [],
        "server_data": False,
        "agent_data": False,
        "ca": "",
        "token_fits": None,
        "archives": {},
        "ports": [],
        "addresses": [{"address": ADDRESSES[name], "prefix": 24, "interface": "eth0"}],
        "default_route": True,
        "answers": False,
        "cgroup": 2,
        "kernel": {"crypto.fips_enabled": "1"},
        "selinux": False,
        "vrids": [],
        "kubeadm": False,
        "free_bytes": 100 * GIB,
        "memory_bytes": 16 * GIB,
        "clock": {"off": 0.0},
    }


def living(name, ca=HOME, version=VERSION):
    role = "server" if name in SERVERS else "agent"
    program = {"program": "/usr/local/bin/rke2", "method": "tarball", "version": version}
    return {**fresh(name), **program, "ca": ca, "server_data": role == "server", "agent_data": True, "units": running(role)}


def running(role):
    return {unit: dict(RUNNING if unit == f"rke2-{role}" else IDLE) for unit in UNITS}


class Stage:
    """A site to plant mistakes in: wishes and findings by host, and what is known of the site."""

    def __init__(self, alive=False):
        self.site = {"version": VERSION, "servers": list(SERVERS), "agents": list(AGENTS), "known": {}}
        self.registration = dict(REGISTRATION)
        self.wishes = {name: {"name": name, "address": ADDRESSES[name], "config": {"cni": "none"}} for name in ADDRESSES}
        self.found = {name: living(name) if alive else fresh(name) for name in ADDRESSES}
        self.fips = False
        self.reached = list(ADDRESSES)

    def build(self):
        hosts, others = [], []
        for name in self.reached:
            wish = {
                "role": "agent" if name in self.site["agents"] else "server",
                "version": self.site["version"],
                "servers": self.site["servers"],
                "peers": {one: self.wishes[one]["address"] for one in self.site["servers"]},
                "registration": self.registration,
                "fips": self.fips,
                **self.wishes[name],
            }
            wanted, _ = wanted_of(wish_of(wish))
            others += wanted["objections"]
            hosts.append(Host(name, wanted, self.found[name]))
        return Site(hosts=hosts, registration=registration_of(self.registration), fips=self.fips, **self.site), others

    def codes(self):
        return [one.code for one in objections_to(*self.build())]


def config(name, **more):
    return lambda stage: stage.wishes[name]["config"].update({key.replace("_", "-"): value for key, value in more.items()})


def wish(name, **more):
    return lambda stage: stage.wishes[name].update(more)


def found(name, **more):
    return lambda stage: stage.found[name].update(more)


def site(**more):
    return lambda stage: stage.site.update(more)


def address(**more):
    return lambda stage: stage.registration.update(more)


def unit(name, *which):
    return lambda stage: stage.found[name]["units"].update({one: dict(RUNNING) for one in which})


def port(name, number, process="somebody"):
    return lambda stage: stage.found[name]["ports"].append({"port": number, "protocol": "tcp", "address": "0.0.0.0", "process": process})


def fips(stage):
    stage.fips = True


def both(*mistakes):
    def plant(stage):
        for one in mistakes:
            one(stage)

    return plant


# Mistakes that fit beside one another: all of them are planted at once as well.
PLANTED = [
    ("key_unknown", config("a", tls_sans=["x"])),
    ("key_managed", config("b", server="https://192.0.2.50:6443")),
    ("value_unequal", config("b", service_cidr="10.99.0.0/16")),
    ("ingress_form", config("a", ingress_controller="haproxy")),
    ("profile_form", config("b", profile="cis-1.6")),
    ("profile_kernel", config("c", profile="cis", protect_kernel_defaults=False)),
    ("servers_even", site(servers=["a", "b"], agents=["c", "d"])),
    ("name_form", config("d", node_name="D_4")),
    ("address_absent", wish("d", address="192.0.2.99")),
    ("registration_outside", both(address(address="203.0.113.50"))),
    ("vrid_form", address(vrid=300)),
    ("network_overlap", config("a", cluster_cidr="192.0.2.0/24")),
    ("dns_outside", config("a", cluster_dns="10.50.0.10")),
    ("label_form", wish("a", labels={"a b": "c"})),
    ("taint_form", wish("b", taints=["x=y:Never"])),
    ("manifest_name", wish("a", manifests={"rke2-coredns": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}})),
    ("manifest_form", wish("b", manifests={"own": {"kind": "ConfigMap"}})),
    ("port_busy", port("b", 6443)),
    ("etcd_beside", port("a", 2379, "etcd")),
    ("route_missing", found("c", default_route=False)),
    ("space_low", found("a", free_bytes=5 * GIB)),
    ("memory_low", found("d", memory_bytes=GIB)),
    ("clock_off", found("d", clock={"off": -400.0})),
    ("install_mixed", found("b", program="/usr/bin/rke2", method="rpm")),
    ("cluster_beside", unit("d", "k3s-agent")),
    ("architecture_other", found("d", architecture="riscv64")),
    ("cloud_setup_on", unit("c", "nm-cloud-setup.timer")),
    ("selinux_off", found("d", selinux=True)),
    ("registration_answers", found("a", answers=True)),
]
# Those that need another stage, or would hide another one.
ALONE = [
    ("version_form", False, site(version="latest")),
    ("version_form", False, site(version="v1.35.7+rke2r1-rc2")),
    ("version_line", False, site(version="v1.29.1+rke2r1")),
    ("cni_form", False, config("a", cni="weave")),
    ("cni_form", False, config("a", cni=["canal", "multus"])),
    ("cni_form", False, config("a", cni="multus")),
    ("fips_encryption", False, both(fips, config("a", cni="canal", secrets_encryption_provider="secretbox"))),
    ("fips_network", False, both(fips, config("a", cni="cilium"))),
    ("fips_kernel_off", False, both(fips, config("a", cni="canal"), found("b", kernel={"crypto.fips_enabled": "0"}))),
    ("servers_none", False, site(servers=[], agents=list(ADDRESSES))),
    ("server_unreached", False, lambda stage: stage.reached.remove("b")),
    ("name_twice", False, config("b", node_name="a")),
    ("address_twice", False, wish("b", address=ADDRESSES["a"])),
    (
        "address_missing",
        False,
        both(
            address(mode="none"),
            wish("d", address=""),
            found("d", addresses=[{"address": f"198.51.{n}.1", "prefix": 24, "interface": f"eth{n}"} for n in (1, 2)]),
        ),
    ),
    ("address_missing", False, wish("b", address="")),
    ("registration_form", False, address(mode="dns")),
    ("registration_form", False, address(address="")),
    ("registration_form", False, address(address="vip.example.com")),
    ("registration_port", False, address(address="https://192.0.2.50:6443")),
    ("registration_port", False, address(address="192.0.2.50:9345")),
    ("registration_taken", False, address(address=ADDRESSES["b"])),
    ("vrid_twice", False, found("a", vrids=[{"interface": "eth0", "vrid": 52}])),
    ("image_missing", False, address(mode="kube-vip")),
    ("network_form", False, config("a", cluster_cidr="10.42.0.0/64")),
    ("cgroup_old", False, both(site(version="v1.35.7+rke2r1"), found("a", cgroup=1))),
    ("firewall_on", False, both(config("a", cni="canal"), unit("a", "firewalld"))),
    ("version_differs", True, site(version="v1.34.5+rke2r1")),
    ("version_skipped", True, site(version="v1.36.1+rke2r1")),
    ("version_back", True, site(version="v1.34.1+rke2r1")),
    ("etcd_door", True, both(site(version="v1.34.2+rke2r1"), found("a", version="v1.33.5+rke2r1"))),
    ("kubelet_newer", True, found("d", version="v1.35.1+rke2r1")),
    ("cluster_other", True, both(site(known={"ca": HOME}), found("c", ca=OTHER))),
    ("clusters_several", True, found("c", ca=OTHER)),
    ("cluster_lost", False, site(known={"ca": HOME})),
    ("node_emptied", True, both(site(known={"ca": HOME, "nodes": {"b": "server"}}), lambda stage: stage.found.update(b=fresh("b")))),
    ("node_emptied", True, both(site(known={"ca": HOME, "nodes": {"d": "agent"}}), lambda stage: stage.found.update(d=fresh("d")))),
    (
        "role_changed",
        True,
        both(lambda stage: stage.found.update(b={**fresh("b"), "agent_data": True, "ca": HOME}), unit("b", "rke2-agent")),
    ),
    ("role_changed", True, found("d", server_data=True)),
    ("token_wrong", True, found("a", token_fits=False)),
    ("secrets_missing", True, site(secrets=False)),
]
RELEASE = {"checksums_missing", "artifact_missing", "artifact_broken", "artifact_other"}


@pytest.mark.parametrize("alive", [False, True], ids=["fresh", "living"])
def test_a_sound_site_has_none(alive):
    assert Stage(alive).codes() == []


@pytest.mark.parametrize(("code", "plant"), PLANTED, ids=[code for code, _ in PLANTED])
def test_planted(code, plant):
    stage = Stage()
    plant(stage)
    assert code in stage.codes()


@pytest.mark.parametrize(("code", "alive", "plant"), ALONE, ids=[f"{code}-{n}" for n, (code, _, _) in enumerate(ALONE)])
def test_planted_alone(code, alive, plant):
    stage = Stage(alive)
    plant(stage)
    assert code in stage.codes()


@settings(deadline=None)
@given(st.sets(st.sampled_from(range(len(PLANTED)))))
def test_any_of_them_are_found_at_once(chosen):
    stage = Stage()
    for number in chosen:
        PLANTED[number][1](stage)
    assert {PLANTED[number][0] for number in chosen} <= set(stage.codes())


def test_more_than_twenty_in_one_run():
    stage = Stage()
    for _, plant in PLANTED:
        plant(stage)
    with pytest.raises(PreflightRefused) as refused:
        refuse(objections_to(*stage.build()))
    said = str(refused.value)
    assert [code for code, _ in PLANTED if code not in said] == []
    assert len(PLANTED) > 20
    assert "Nothing was changed" in said


def test_what_is_ignored_does_not_stop():
    stage = Stage()
    found("a", free_bytes=GIB)(stage)
    refuse(objections_to(*stage.build()), ["space_low"])


def test_every_kind_is_planted():
    planted = {code for code, _ in PLANTED} | {code for code, _, _ in ALONE} | RELEASE
    assert planted == set(KINDS)


def test_an_upgrade_may_step_up():
    stage = Stage(alive=True)
    stage.site.update(version="v1.35.7+rke2r1", upgrade=True)
    assert stage.codes() == []


def test_pods_that_go_on_are_in_nobodys_way():
    stage = Stage(alive=True)
    stage.found["a"]["units"] = {one: dict(IDLE) for one in UNITS}
    for number, process in ((2379, "etcd"), (6443, "kube-apiserver"), (9345, "rke2 server")):
        port("a", number, process)(stage)
    assert stage.codes() == []


def test_first_run():
    decision = decide(Stage().build()[0])
    assert (decision.founder, decision.servers, decision.agents, decision.nodes) == ("a", ["b", "c"], ["d"], {})


def test_a_run_that_was_cut_off_goes_on():
    """The founder runs, and nobody had noted its cluster."""
    stage = Stage()
    stage.found["a"] = living("a")
    decision = decide(stage.build()[0])
    assert (decision.ca, decision.founder, decision.servers, decision.nodes) == (HOME, "", ["b", "c"], {"a": "server"})


def test_after_a_power_cut_nobody_waits_for_the_address():
    stage = Stage(alive=True)
    for name in ("a", "b", "d"):
        stage.found[name]["units"] = {one: dict(IDLE) for one in UNITS}
    decision = decide(stage.build()[0])
    assert (decision.founder, decision.back, decision.servers, decision.agents) == ("", ["a", "b"], [], ["d"])


def test_a_founder_that_died_before_etcd_began_founds():
    stage = Stage()
    stage.found["a"].update(ca=HOME)
    assert decide(stage.build()[0]).founder == "a"


def test_never_a_second_cluster():
    stage = Stage()
    stage.site["known"] = {"ca": HOME}
    assert decide(stage.build()[0]).founder == ""
    assert "cluster_lost" in stage.codes()


def release(folder, **changed):
    """A small release; `changed` has contents that its checksums do not know."""
    names = ["rke2.linux-amd64.tar.gz", "rke2-images-core.linux-amd64.tar.zst", "rke2-images-canal.linux-amd64.tar.zst"]
    lines = []
    for name in names:
        (folder / name).write_text(name)
        lines.append(f"{hashlib.sha256(name.encode()).hexdigest()}  {name}")
    (folder / "rke2-images-core.linux-amd64.txt").write_text("rancher/rke2-runtime:v1.34.2-rke2r1\n")
    (folder / "sha256sum-amd64.txt").write_text("\n".join(lines) + "\n")
    for name, content in changed.items():
        (folder / name.replace("__", "-").replace("_", ".")).write_text(content)
    return folder


def read(folder, version=VERSION, images=("rke2-images-core", "rke2-images-canal")):
    artifacts, objections = read_release(folder, version, "amd64", images, programs=True, write=True)
    return [one.name for one in artifacts], [one.code for one in objections]


def test_a_whole_release(tmp_path):
    names, codes = read(release(tmp_path))
    assert (len(names), codes) == (3, [])


def test_a_truncated_archive(tmp_path):
    assert read(release(tmp_path, **{"rke2__images__core.linux__amd64.tar.zst": "rke2-images-co"}))[1] == ["artifact_broken"]


def test_a_file_that_changes_later_is_seen(tmp_path):
    assert read(release(tmp_path))[1] == []
    (tmp_path / "rke2-images-canal.linux-amd64.tar.zst").write_text("x")
    assert read(tmp_path)[1] == ["artifact_broken"]


def test_a_missing_network_archive(tmp_path):
    assert read(release(tmp_path), images=("rke2-images-core", "rke2-images-cilium"))[1] == ["artifact_missing"]


def test_no_checksums(tmp_path):
    release(tmp_path)
    (tmp_path / "sha256sum-amd64.txt").unlink()
    assert read(tmp_path) == ([], ["checksums_missing"])


def test_images_of_another_version(tmp_path):
    assert read(release(tmp_path), version="v1.34.3+rke2r1")[1] == ["artifact_other"]


def test_the_bundle_will_do_for_canal(tmp_path):
    release(tmp_path)
    name = "rke2-images.linux-amd64.tar.zst"
    for old in tmp_path.glob("rke2-images-c*.tar.zst"):
        old.unlink()
    (tmp_path / name).write_text("x")
    with (tmp_path / "sha256sum-amd64.txt").open("a") as file:
        file.write(f"{hashlib.sha256(b'x').hexdigest()}  {name}\n")
    assert read(tmp_path) == (["rke2.linux-amd64.tar.gz", name], [])


def test_archives_of_others_come_along(tmp_path):
    (release(tmp_path) / "kube-vip.tar").write_text("x")
    assert read(tmp_path)[0][-1] == "kube-vip.tar"


@pytest.mark.parametrize(
    ("minor", "cnis", "ingresses", "expected"),
    [
        (35, ["canal"], ["traefik"], ["core", "canal", "traefik"]),
        (36, ["canal"], ["traefik"], ["core", "canal"]),
        (36, ["multus", "cilium"], ["ingress-nginx"], ["core", "multus", "cilium", "ingress-nginx"]),
        (34, ["none"], ["ingress-nginx"], ["core"]),
        (34, ["none"], ["none"], ["core"]),
    ],
)
def test_needed_images(minor, cnis, ingresses, expected):
    assert needed_images(minor, cnis, ingresses) == [f"rke2-images-{one}" for one in expected]


def test_the_stage_is_not_shared():
    before = copy.deepcopy(Stage().found)
    stage = Stage()
    PLANTED[0][1](stage)
    assert Stage().found == before


def test_what_hosts_have_in_common_is_said_once():
    stage = Stage()
    for name in ADDRESSES:
        found(name, default_route=False)(stage)
        stage.wishes[name]["config"]["tls-sans"] = ["x"]
    said = told(objections_to(*stage.build()))
    assert len(said) == 2
    assert any(one.startswith("key_unknown on a, b, c, d: ") and "`tls-san`? Correct" in one for one in said)
