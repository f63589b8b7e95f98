# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""kube-vip as a DaemonSet on all servers: a single pod would die with its server (rancher/turtles#1456)."""

from __future__ import annotations

from typing import Any, Final

import yaml

from .wanted import Registration, Wish

META: Final = {"name": "vitro-kube-vip", "namespace": "kube-system"}
RBAC: Final = "rbac.authorization.k8s.io"
RULES: Final = [
    {"apiGroups": [""], "resources": ["services", "services/status", "nodes", "endpoints"], "verbs": ["list", "get", "watch", "update"]},
    {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["list", "get", "watch", "update", "create"]},
]


def kube_vip(wish: Wish) -> str:
    role = {"apiGroup": RBAC, "kind": "ClusterRole", "name": META["name"]}
    parts = [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": META},
        {"apiVersion": f"{RBAC}/v1", "kind": "ClusterRole", "metadata": {"name": META["name"]}, "rules": RULES},
        {
            "apiVersion": f"{RBAC}/v1",
            "kind": "ClusterRoleBinding",
            "metadata": {"name": META["name"]},
            "roleRef": role,
            "subjects": [{"kind": "ServiceAccount", **META}],
        },
        {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": META, "spec": _on_servers(_container(wish.registration))},
    ]
    return yaml.safe_dump_all(parts, sort_keys=False)


def _container(registration: Registration) -> dict[str, Any]:
    settings = {
        "address": registration.address,
        "port": "6443",
        "vip_arp": "true",
        "vip_interface": registration.interface,
        "vip_subnet": str(registration.prefix or (128 if ":" in registration.address else 32)),
        "vip_leaderelection": "true",
        "cp_enable": "true",
        "cp_namespace": META["namespace"],
    }
    return {
        "name": "kube-vip",
        "image": registration.image,
        "args": ["manager"],
        "env": [{"name": name, "value": value} for name, value in settings.items() if value],
        "securityContext": {"capabilities": {"add": ["NET_ADMIN", "NET_RAW"]}},
    }


def _on_servers(container: dict[str, Any]) -> dict[str, Any]:
    label = {"app": META["name"]}
    pod = {
        "serviceAccountName": META["name"],
        "hostNetwork": True,
        "nodeSelector": {"node-role.kubernetes.io/control-plane": "true"},
        "tolerations": [{"operator": "Exists"}],
        "containers": [container],
    }
    return {"selector": {"matchLabels": label}, "template": {"metadata": {"labels": label}, "spec": pod}}
