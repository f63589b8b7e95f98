# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
import yaml
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.errors import Rke2Refused
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.marks import MARK, fill
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.paths import files_of
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.rendering import ensure_rendered, wanted_of
from ansible_collections.frontier.vitro.plugins.module_utils.rke2.wanted import Registration, config_of, networks_of, wish_of, words_of

REGISTRATION = {"mode": "keepalived", "address": "192.0.2.50", "name": "fmc.example.com", "vrid": "52"}
NODE = {
    "name": "a",
    "role": "server",
    "version": "v1.35.7+rke2r1",
    "servers": ["a", "b"],
    "peers": {"a": "192.0.2.11", "b": "192.0.2.12"},
    "address": "192.0.2.11",
    "registration": REGISTRATION,
    "planned": {"cni": "canal", "pods": "10.42.0.0/16", "services": "10.43.0.0/16", "ingress": "traefik", "cis": True},
    "audit_rules": [{"level": "Metadata"}],
}


def node(**more):
    return wish_of({**NODE, **more})


def files(**more):
    found, secrets = files_of(node(**more))
    return {one.path: one for one in found}, secrets


def test_config_of_a_server():
    config = config_of(node())
    assert config["tls-san"] == ["192.0.2.50", "fmc.example.com"]
    assert (config["cni"], config["profile"], config["ingress-controller"]) == ("canal", "cis", "traefik")
    assert "server" not in config
    assert "token" not in config


def test_config_of_an_agent_has_nothing_of_servers():
    config = config_of(node(role="agent", name="c", config={"cni": "none", "tls-san+": ["x"], "kubelet-arg": ["v=2"]}))
    assert set(config) == {"node-name", "token-file", "node-ip", "profile", "kubelet-arg"}


def test_own_keys_win():
    assert config_of(node(config={"cni": "cilium"}))["cni"] == "cilium"


def test_labels_and_taints_need_no_restart():
    found, _ = files(labels={"rack": "R1"}, taints=["a=b:NoSchedule"])
    register = found["/etc/rancher/rke2/config.yaml.d/20-vitro-register.yaml"]
    assert yaml.safe_load(register.content) == {"node-label": ["rack=R1"], "node-taint": ["a=b:NoSchedule"]}
    assert register.then == ""
    assert "/etc/rancher/rke2/config.yaml.d/20-vitro-register.yaml" not in wanted_of(node(labels={"rack": "R1"}))[0]["watched"]


def test_only_the_founder_needs_no_cluster():
    joins = {name: {one.path for one in files_of(node(name=name))[0] if one.joins} for name in ("a", "b")}
    join, token = "/etc/rancher/rke2/config.yaml.d/10-vitro-join.yaml", "/etc/rancher/rke2/token"
    assert joins == {"a": {join}, "b": {join, token}}


def test_what_has_secrets_is_private():
    found, secrets = files(
        registries={"configs": {"r:5000": {"auth": {"username": "u", "password": "hunter2"}}}}, config={"etcd-s3-secret-key": "s3cret"}
    )
    assert sorted(secrets.values()) == ["hunter2", "s3cret"]
    assert not any("hunter2" in one.content or "s3cret" in one.content for one in found.values())
    assert all(one.mode == 0o600 for one in found.values() if MARK in one.content)
    registries = found["/etc/rancher/rke2/registries.yaml"].content
    assert yaml.safe_load(fill(registries, secrets)[0])["configs"]["r:5000"]["auth"]["password"] == "hunter2"


def test_what_is_told_has_no_secret(tmp_path):
    wanted, found = wanted_of(node(config={"etcd-s3-secret-key": "s3cret", "cni": "none"}))
    ensure_rendered(found, tmp_path, check_mode=False)
    written = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert "s3cret" not in str(wanted) + written
    assert "<secret-" in written


def test_rendered_twice_changes_nothing_and_old_files_go(tmp_path):
    ensure_rendered(files_of(node(labels={"a": "b"}))[0], tmp_path, check_mode=False)
    assert ensure_rendered(files_of(node(labels={"a": "b"}))[0], tmp_path, check_mode=False).changed == []
    gone = ensure_rendered(files_of(node())[0], tmp_path, check_mode=False).changed
    assert gone == [f"{tmp_path}/etc/rancher/rke2/config.yaml.d/20-vitro-register.yaml"]


@pytest.mark.parametrize(
    ("ports", "ingress", "values"),
    [
        ((8080, 8443), "traefik", {"ports": {"web": {"hostPort": 8080}, "websecure": {"hostPort": 8443}}}),
        ((8080, 8443), "ingress-nginx", {"controller": {"hostPort": {"ports": {"http": 8080, "https": 8443}}}}),
        ((80, 443), "traefik", None),
        ((None, None), "none", None),
    ],
)
def test_ports_of_the_ingress(ports, ingress, values):
    planned = {"ingress": ingress, "http_port": ports[0], "https_port": ports[1]}
    found, _ = files(planned=planned)
    made = found.get("/var/lib/rancher/rke2/server/manifests/vitro-ingress.yaml")
    assert (yaml.safe_load(yaml.safe_load(made.content)["spec"]["valuesContent"]) if made else None) == values


def test_memory_of_others_is_reserved():
    found, _ = files(planned={"reserved_bytes": 64 * 2**30}, kubelet={"systemReserved": {"cpu": "2"}})
    settings = yaml.safe_load(found["/var/lib/rancher/rke2/agent/etc/kubelet.conf.d/50-vitro.conf"].content)
    assert settings["systemReserved"] == {"memory": "65536Mi", "cpu": "2"}


def test_exempt_namespaces():
    found, _ = files(exempt_namespaces=["argocd"])
    content = yaml.safe_load(found["/etc/rancher/rke2/pod-security.yaml"].content)
    assert "argocd" in content["plugins"][0]["configuration"]["exemptions"]["namespaces"]
    assert "/etc/rancher/rke2/pod-security.yaml" not in files(planned={})[0]


def test_keepalived():
    found, _ = files()
    content = found["/etc/vitro/rke2/keepalived.conf"].content
    assert "unicast_src_ip 192.0.2.11" in content
    assert "    unicast_peer {\n        192.0.2.12\n    }\n" in content
    assert "192.0.2.50/32" in content
    assert not any(path.startswith("/etc/vitro") for path in files(role="agent", name="c")[0])


def test_keepalived_of_two_families():
    both = {"a": "192.0.2.11,2001:db8::11", "b": "192.0.2.12,2001:db8::12"}
    found, _ = files(peers=both, address=both["a"], registration={**REGISTRATION, "address": "2001:db8::50"})
    content = found["/etc/vitro/rke2/keepalived.conf"].content
    assert "unicast_src_ip 2001:db8::11" in content
    assert "2001:db8::50/128" in content


def test_kube_vip_is_on_every_server():
    found, _ = files(registration={**REGISTRATION, "mode": "kube-vip", "image": "ghcr.example.com/kube-vip:v1"})
    parts = [*yaml.safe_load_all(found["/var/lib/rancher/rke2/server/manifests/vitro-kube-vip.yaml"].content)]
    assert [one["kind"] for one in parts] == ["ServiceAccount", "ClusterRole", "ClusterRoleBinding", "DaemonSet"]


@pytest.mark.parametrize(
    ("one", "url"),
    [
        (Registration(address="192.0.2.50", name="x"), "https://192.0.2.50:9345"),
        (Registration(address="2001:db8::1"), "https://[2001:db8::1]:9345"),
        (Registration(name="fmc.example.com"), "https://fmc.example.com:9345"),
        (Registration(), ""),
    ],
)
def test_url(one, url):
    assert one.url == url


def test_unknown_keys_of_the_registration_are_refused():
    with pytest.raises(Rke2Refused, match=r"`vird`.*There are mode"):
        node(registration={"vird": 52})


@pytest.mark.parametrize(
    ("value", "expected"), [("canal", ["canal"]), (["multus,canal"], ["multus", "canal"]), (["a", "b"], ["a", "b"]), ("", [])]
)
def test_words(value, expected):
    assert words_of(value) == expected


def test_networks():
    assert networks_of({"cluster-cidr": "10.42.0.0/16, fd42::/56"}, "cluster-cidr") == ["10.42.0.0/16", "fd42::/56"]
