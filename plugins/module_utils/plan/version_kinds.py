# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be wrong with a set of versions."""

from __future__ import annotations

from .objections import Kind

VERSION_UNKNOWN = Kind(
    code="version_unknown",
    title="A version that is not in the compatibility table",
    rank=40,
    why="Nobody has said that it fits the others, and a set that does not fit fails in the middle of a deployment.",
    cure="Use a version of one of the lines named",
)
VERSION_PRERELEASE = Kind(
    code="version_prerelease",
    title="A version that is no release",
    rank=40,
    why="Release candidates get no fixes, and no way leads from them to the release.",
    cure="Use a release of the same line",
)
VERSION_ENDED = Kind(
    code="version_ended",
    title="A version that is no longer maintained",
    rank=40,
    why="It gets no security fixes.",
    cure="Use a maintained line",
)
VERSION_ENDING = Kind(
    code="version_ending",
    title="A version near the end of its life",
    severity="warning",
    rank=60,
    why="Fixes end, and the next upgrade has to come soon.",
    cure="Prefer a newer line for a new site; plan the upgrade of an old one",
)
OS_DISTRIBUTION = Kind(
    code="os_distribution",
    title="Host and container images are of different distributions",
    rank=40,
    why="Kolla's images share the host's kernel modules and libvirt's tools; its prechecks refuse a mix.",
    cure="Make versions.os and openstack.distribution the same distribution",
)
OS_OPENSTACK = Kind(
    code="os_openstack",
    title="The OpenStack release does not take this host",
    rank=40,
    why="kolla-ansible's prechecks refuse the host.",
    cure="Choose one of the operating systems named, or another OpenStack release",
)
KOLLA_RELEASE = Kind(
    code="kolla_release",
    title="kolla-ansible is of another OpenStack release",
    rank=40,
    why="Its playbooks write the configuration of another release, and the containers do not start with it.",
    cure="Use the major that belongs to the OpenStack release",
)
OVN_TOO_OLD = Kind(
    code="ovn_too_old",
    title="OVN is older than Neutron needs",
    rank=40,
    why="Neutron writes tables that this OVN does not know.",
    cure="Use a newer OVN",
)
CAPI_KUBERNETES = Kind(
    code="capi_kubernetes",
    title="Cluster API does not run on this Kubernetes",
    rank=40,
    why="The FMC carries Cluster API; outside its range the controllers are untested or do not start.",
    cure="Choose RKE2 or CAPI from the range named",
)
CAPI_CAPRKE2 = Kind(
    code="capi_caprke2",
    title="CAPRKE2 is newer than Cluster API",
    rank=40,
    why="It is built against a newer core and writes fields that this one does not know.",
    cure="Use the CAPI line that CAPRKE2 is built against",
)
CAPI_CAPRKE2_UNTESTED = Kind(
    code="capi_caprke2_untested",
    title="Cluster API is newer than CAPRKE2",
    severity="warning",
    rank=60,
    why="The contract fits, yet this CAPRKE2 was built and tested with an older core.",
    cure="Use the CAPI line that CAPRKE2 is built against, or a newer CAPRKE2",
)
CAPI_CAPO = Kind(
    code="capi_capo",
    title="CAPO needs a newer Cluster API",
    rank=40,
    why="It is built against a newer core and reads fields that this one does not write.",
    cure="Use a newer CAPI or an older CAPO",
)
KORC_CAPO = Kind(
    code="korc_capo",
    title="K-ORC is older than CAPO was built with",
    severity="warning",
    rank=60,
    why="CAPO reads images through K-ORC; an older one may lack a field that it reads.",
    cure="Use the K-ORC that CAPO was built with, or a newer one",
)
KORC_KUBERNETES = Kind(
    code="korc_kubernetes",
    title="K-ORC needs a newer Kubernetes",
    rank=40,
    why="Its resource definitions use CEL rules that an older API server refuses.",
    cure="Use a newer RKE2",
)
CLOUD_PROVIDER_KUBERNETES = Kind(
    code="cloud_provider_kubernetes",
    title="The OpenStack cloud provider is of another Kubernetes minor",
    rank=40,
    why="There is one line for each minor of Kubernetes; far apart, nodes may never become ready.",
    cure="Use the line of the Kubernetes minor",
)
CLOUD_PROVIDER_NEAR = Kind(
    code="cloud_provider_near",
    title="The OpenStack cloud provider is one minor off",
    severity="warning",
    rank=70,
    why="It mostly works; it is not what its authors test.",
    cure="Use the line of the Kubernetes minor",
)
FIPS_CNI = Kind(
    code="fips_cni",
    title="FIPS is asked for with a CNI that does not have it",
    rank=40,
    why="Of RKE2's CNIs only canal is built with validated cryptography.",
    cure="Set fmc.cni to canal, or fmc.fips to false",
)
FIPS_INGRESS = Kind(
    code="fips_ingress",
    title="FIPS is asked for with an ingress that does not claim it",
    severity="warning",
    rank=60,
    why="RKE2's ingress-nginx uses a validated OpenSSL; for Traefik that is not said.",
    cure="Set fmc.ingress to ingress-nginx, or read the release notes of RKE2 before you claim FIPS",
)
VERSION_DOWNGRADE = Kind(
    code="version_downgrade",
    title="A version would go back",
    rank=30,
    why="Databases are changed by the newer version, and the older one cannot read them.",
    cure="Keep the version; the way back is to restore the backup that was made before the upgrade",
)
VERSION_SKIPPED = Kind(
    code="version_skipped",
    title="An upgrade leaves out a release",
    rank=30,
    why="Databases and APIs are carried on from one release to the next; over a gap nobody has tested it.",
    cure="Upgrade in the steps named, one after the other",
)
ETCD_DOOR = Kind(
    code="etcd_door",
    title="etcd 3.5 is too old for the step to 3.6",
    rank=20,
    why="Members that were removed can come back as voters and stop the cluster.",
    cure="Upgrade to v1.33.10 first (v1.33.7+rke2r3 or newer with etcd 3.5.26), then go on",
)
OS_CHANGED = Kind(
    code="os_changed",
    title="The distribution of the hosts would change",
    rank=30,
    why="Every server would have to be installed anew; no upgrade does that.",
    cure="Keep the distribution, or build a new site",
)
