# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every file of a node, from its wish: what is in it, who may read it, and what has to happen when it changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import yaml

from .address import address_files
from .marks import hide, mark_of
from .wanted import (
    AGENT_TOKEN,
    AUDIT,
    CONFIG,
    JOIN,
    PSA,
    REGISTER,
    REGISTRY_SECRETS,
    TOKEN,
    Wish,
    config_of,
    hidden_config,
    is_cis,
    register_of,
    words_of,
)
from .written import HEAD, File, text

# docs.rke2.io, hardening guide: beside what the profile's own file has.
SYSTEM_NAMESPACES: Final = ("kube-system", "compliance-operator-system", "tigera-operator")
KERNEL: Final = {"vm.panic_on_oom": "0", "vm.overcommit_memory": "1", "kernel.panic": "10", "kernel.panic_on_oops": "1"}
# docs.rke2.io, known issues.
INTERFACES: Final = "flannel*;cali*;tunl*;vxlan.calico;vxlan-v6.calico;wireguard.cali;wg-v6.cali;cilium*;lxc*"


def files_of(wish: Wish) -> tuple[list[File], dict[str, str]]:
    """The files, and the secrets of their marks; those of the tokens are not known here."""
    secrets: dict[str, str] = {}
    files = [File(f"{CONFIG}/config.yaml", text(hidden_config(wish, secrets)), then="restart")]
    if wish.registration.url:
        files.append(File(JOIN, text({"server": wish.registration.url}), joins=True))
    if registering := register_of(wish):
        files.append(File(REGISTER, text(registering)))
    files.append(File(TOKEN, mark_of("token"), joins=not wish.server or wish.name != wish.servers[0]))
    if wish.registries:
        content = text(hide(wish.registries, REGISTRY_SECRETS, secrets, "registry"))
        files.append(File(f"{CONFIG}/registries.yaml", content, then="restart"))
    files += [*_host(wish), *_kubelet(wish)]
    if wish.server:
        files += [File(AGENT_TOKEN, mark_of("agent-token")), *_policies(wish), *_manifests(wish), *address_files(wish)]
    return files, secrets


def _host(wish: Wish) -> Iterator[File]:
    # etcd under the profile reads what a umask of 077 would hide from it (rancher/rke2#4313).
    yield File(f"/etc/systemd/system/rke2-{wish.role}.service.d/70-vitro.conf", f"{HEAD}[Service]\nUMask=0022\n", 0o644, "restart")
    if is_cis(wish):
        lines = "".join(f"{key}={value}\n" for key, value in KERNEL.items())
        yield File("/etc/sysctl.d/60-rke2-cis.conf", HEAD + lines, 0o644, "kernel")
    # With it only archives that changed are taken in again at a start (k3s-io/k3s#12237). RKE2 does not make it.
    yield File(f"{wish.data_dir}/agent/images/.cache.json", "", once=True)
    keyfile = f"{HEAD}[keyfile]\nunmanaged-devices={';'.join(f'interface-name:{one}' for one in INTERFACES.split(';'))}\n"
    yield File("/etc/NetworkManager/conf.d/70-vitro-rke2.conf", keyfile, 0o644, "networkmanager")


def _kubelet(wish: Wish) -> Iterator[File]:
    settings = dict(wish.kubelet)
    if wish.planned.reserved_bytes:
        reserved = {"memory": f"{wish.planned.reserved_bytes // 2**20}Mi"}
        settings["systemReserved"] = {**reserved, **settings.get("systemReserved", {})}
    if settings:
        content = {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", **settings}
        yield File(f"{wish.data_dir}/agent/etc/kubelet.conf.d/50-vitro.conf", text(content), then="restart")


def _policies(wish: Wish) -> Iterator[File]:
    yield File(
        AUDIT, text({"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "rules": [dict(one) for one in wish.audit_rules]}), then="restart"
    )
    if is_cis(wish):
        security = {
            "defaults": {
                f"{mode}{part}": value
                for mode in ("enforce", "audit", "warn")
                for part, value in (("", "restricted"), ("-version", "latest"))
            },
            "exemptions": {"usernames": [], "runtimeClasses": [], "namespaces": [*SYSTEM_NAMESPACES, *wish.exempt_namespaces]},
        }
        plugin = {"apiVersion": "pod-security.admission.config.k8s.io/v1", "kind": "PodSecurityConfiguration", **security}
        content = {
            "apiVersion": "apiserver.config.k8s.io/v1",
            "kind": "AdmissionConfiguration",
            "plugins": [{"name": "PodSecurity", "configuration": plugin}],
        }
        yield File(PSA, text(content), then="restart")


def _manifests(wish: Wish) -> Iterator[File]:
    for name, content in {**_ingress(wish), **wish.manifests}.items():
        body = (
            content
            if isinstance(content, str)
            else yaml.safe_dump_all(content if isinstance(content, list) else [content], sort_keys=False)
        )
        yield File(f"{wish.data_dir}/server/manifests/{name}.yaml", HEAD + body)


def _ingress(wish: Wish) -> dict[str, Any]:
    """Beside Kolla the ingress has other ports: the usual ones are those of the dashboard and of the API."""
    http, https = wish.planned.http_port, wish.planned.https_port
    chosen = words_of(config_of(wish).get("ingress-controller") or [])
    if not http or not https or (http, https) == (80, 443) or not chosen or chosen[0] == "none":
        return {}
    values = {
        "traefik": {"ports": {"web": {"hostPort": http}, "websecure": {"hostPort": https}}},
        "ingress-nginx": {"controller": {"hostPort": {"ports": {"http": http, "https": https}}}},
    }
    name = f"rke2-{chosen[0]}"
    head = {"apiVersion": "helm.cattle.io/v1", "kind": "HelmChartConfig", "metadata": {"name": name, "namespace": "kube-system"}}
    return {"vitro-ingress": {**head, "spec": {"valuesContent": yaml.safe_dump(values[chosen[0]])}}} if chosen[0] in values else {}
