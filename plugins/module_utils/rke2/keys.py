# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which keys RKE2's config.yaml has. RKE2 itself only warns of one that it does not know, in its journal, and goes on without it.

From rke2: pkg/cli/cmds/{root,server,agent}.go and pkg/rke2, and `rke2 server --help` of the releases.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Final

_BOTH = """
    config debug data-dir token token-file server bind-address enable-pprof profile audit-policy-file pod-security-admission-config-file
    node-name with-node-id node-label node-taint node-ip node-external-ip node-internal-dns node-external-dns
    image-credential-provider-bin-dir image-credential-provider-config container-runtime-endpoint default-runtime snapshotter
    disable-default-registry-endpoint nonroot-devices private-registry airgap-extra-registry resolv-conf kubelet-arg kube-proxy-arg
    protect-kernel-defaults selinux lb-server-port kubelet-path cloud-provider-name cloud-provider-config
    node-name-from-cloud-provider-metadata
    kube-apiserver-image kube-controller-manager-image cloud-controller-manager-image kube-proxy-image kube-scheduler-image pause-image
    runtime-image etcd-image control-plane-resource-requests control-plane-resource-limits control-plane-probe-configuration
    kube-apiserver-extra-mount kube-scheduler-extra-mount kube-controller-manager-extra-mount kube-proxy-extra-mount etcd-extra-mount
    cloud-controller-manager-extra-mount kube-apiserver-extra-env kube-scheduler-extra-env kube-controller-manager-extra-env
    kube-proxy-extra-env etcd-extra-env cloud-controller-manager-extra-env system-default-registry
"""
_SERVER = """
    advertise-address tls-san tls-san-security cluster-cidr service-cidr service-node-port-range cluster-dns cluster-domain
    egress-selector-mode servicelb-namespace write-kubeconfig write-kubeconfig-mode write-kubeconfig-group helm-job-image
    agent-token agent-token-file cluster-reset cluster-reset-restore-path kube-apiserver-arg etcd-arg kube-controller-manager-arg
    kube-scheduler-arg kube-cloud-controller-manager-arg datastore-endpoint datastore-cafile datastore-certfile datastore-keyfile
    etcd-expose-metrics etcd-disable-snapshots etcd-snapshot-name etcd-snapshot-schedule-cron etcd-snapshot-reconcile-interval
    etcd-snapshot-retention etcd-snapshot-dir etcd-snapshot-compress etcd-s3 etcd-s3-endpoint etcd-s3-endpoint-ca
    etcd-s3-skip-ssl-verify etcd-s3-access-key etcd-s3-secret-key etcd-s3-session-token etcd-s3-bucket etcd-s3-bucket-lookup-type
    etcd-s3-region etcd-s3-folder etcd-s3-retention etcd-s3-proxy etcd-s3-config-secret etcd-s3-insecure etcd-s3-timeout
    disable disable-scheduler disable-cloud-controller disable-kube-proxy disable-apiserver disable-controller-manager disable-etcd
    disable-agent embedded-registry supervisor-metrics enable-servicelb cni ingress-controller secrets-encryption
    secrets-encryption-provider
"""
SERVER_KEYS: Final = frozenset(_SERVER.split())
# The line in which a key came.
_SINCE: Final = {"secrets-encryption-provider": 33, "kube-cloud-controller-manager-arg": 30}

# The role writes these itself, from what it knows of all nodes.
MANAGED: Final = {
    "token": "put it into rke2/secrets.yml of the site",
    "agent-token": "put it into rke2/secrets.yml of the site, as agent_token",
    "token-file": "put the token into rke2/secrets.yml of the site",
    "agent-token-file": "put the token into rke2/secrets.yml of the site",
    "server": "set rke2_registration",
    "data-dir": "set rke2_data_dir",
    "node-ip": "set rke2_node_ip of the host",
    "node-label": "set rke2_node_labels of the host",
    "node-taint": "set rke2_node_taints of the host",
    "cluster-reset": "use frontier.vitro.rke2_restore",
    "cluster-reset-restore-path": "use frontier.vitro.rke2_restore",
}
# A server that differs in one of these is refused when it joins, and they cannot be changed later.
CRITICAL: Final = (
    "cluster-cidr",
    "cluster-dns",
    "cluster-domain",
    "disable-cloud-controller",
    "disable-kube-proxy",
    "egress-selector-mode",
    "service-cidr",
)
SECRET: Final = frozenset(
    {"token", "agent-token", "etcd-s3-access-key", "etcd-s3-secret-key", "etcd-s3-session-token", "datastore-endpoint"}
)


def known_keys(minor: int) -> Set[str]:
    """The keys of a line, of servers and agents."""
    return {name for name in (_BOTH + _SERVER).split() if _SINCE.get(name, 0) <= minor}
