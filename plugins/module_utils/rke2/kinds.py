# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can speak against bringing RKE2 to hosts. docs/rke2-checks.md is made from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Objection:
    """`host` is empty where it is about all of them."""

    code: str
    host: str
    text: str
    cure: str


@dataclass(frozen=True, slots=True)
class Kind:
    """What is always true of an objection: what it says, why that matters, and what cures it."""

    code: str
    title: str
    why: str
    cure: str

    def of(self, host: str, text: str, cure: str = "") -> Objection:
        return Objection(self.code, host, text, cure or self.cure)


# A code and what it says, then why that matters, then what cures it.
_TABLE = """
version_form: The version is no exact release
  A run next week would bring another one
  Set rke2_version to an exact release such as v1.35.7+rke2r1
version_line: The role does not know this line
  Keys and archives differ from line to line
  Choose a release of 1.33 to 1.36
version_differs: Hosts run another version
  Versions change server by server, with a snapshot before
  Run frontier.vitro.rke2_upgrade -e rke2_version=VERSION
version_skipped: An upgrade would skip a minor
  Kubernetes supports a step of one minor only
  Go by way of each minor
version_back: A host has a newer version
  A minor has no way back without the snapshot before it
  Set rke2_version to what runs, or use frontier.vitro.rke2_rollback
etcd_door: An upgrade would jump from etcd 3.5 to 3.6 too early
  Members that were removed can come back and stop the cluster
  Go to v1.33.7+rke2r3 or a later 1.33 before v1.33.11 first
kubelet_newer: An agent would be newer than the servers
  The API supports older kubelets, never newer ones
  Upgrade the servers first
key_unknown: config.yaml has a key that this version does not know
  RKE2 leaves it out and says so in its journal only
  Correct the key in rke2_config
key_managed: rke2_config has what the role writes itself
  Two places would fight over it; tokens would stand in plain text
  Take it out of rke2_config
value_unequal: Servers differ in what has to be equal
  The next server is refused when it joins; it cannot be changed later
  Set it for all servers alike
cni_form: The network plugin is not one that RKE2 takes
  RKE2 does not start
  Use none, canal, calico, cilium or flannel; or multus first of two
ingress_form: The ingress controller is not one that RKE2 takes
  RKE2 does not start
  Use none, traefik or ingress-nginx
profile_form: The profile is not one that RKE2 takes
  RKE2 does not start
  Use cis or etcd, or none at all
profile_kernel: protect-kernel-defaults is false beside a profile
  RKE2 does not start
  Take it out
fips_encryption: The secrets' encryption is not FIPS
  secretbox is not approved
  Use aescbc, the default
fips_network: The network plugin is not FIPS
  Of all plugins only canal is built with an approved library
  Set cni to canal, or rke2_fips to false
servers_even: The number of servers is even
  It survives no more losses than one less, and costs one more
  Use one, three or five servers
servers_none: There is no server
  Nobody can make the cluster
  Put hosts into the group of servers
server_unreached: A server is not in this run
  A new cluster is made only when every server has said that it has none
  Run without a limit
name_form: The name is no name for a node
  Kubernetes refuses it
  Use small letters, digits, hyphens and dots; set node-name in rke2_config of the host
name_twice: Two nodes have one name
  The second is refused when it registers
  Give each a name of its own
address_missing: The node has no address
  etcd would take that of the default route, and keep it
  Set rke2_node_ip
address_twice: Two nodes have one address
  They would be one member of etcd
  Give each an address of its own
address_absent: The host does not have the node's address
  RKE2 does not start
  Correct rke2_node_ip, or bring the address up first with frontier.vitro.hosts
registration_form: Nodes could not register
  They would wait for ever
  Correct rke2_registration
registration_port: The registration address has a port that is not for registering
  Nodes register on 9345, never on 6443
  Give the address alone
registration_outside: The registration address is in no network of a server
  No server could hold it
  Use an address of the servers' network
registration_taken: The registration address is a node's
  The node would lose it, or two would have it
  Use an address that nobody has
registration_answers: Somebody else has the registration address
  Nodes would register elsewhere
  Free the address, or choose another one
vrid_form: The VRRP number is none
  keepalived does not start
  Use a number from 1 to 255
vrid_twice: The VRRP number is another's
  Both would fight for their addresses
  Use a number that nobody else has on this network; Kolla's is 51
image_missing: kube-vip has no image
  Without the internet nobody can pull it
  Name it in rke2_registration.image, and bring it in an archive or by a registry
network_overlap: Networks overlap
  Packets for one would go into the other
  Use other pod or service networks; they cannot be changed later
network_form: A network cannot be read
  RKE2 does not start
  Write it as 10.42.0.0/16; with two families, one of each with a comma between
dns_outside: The cluster's DNS address is not a service address
  No pod could resolve a name
  Choose one in service-cidr, or leave cluster-dns out
label_form: A label is none
  The kubelet refuses it, and does not start
  Correct rke2_node_labels
taint_form: A taint is none
  RKE2 does not start
  Write it as key=value:NoSchedule, PreferNoSchedule or NoExecute
manifest_name: A manifest's name cannot be used
  RKE2 takes it for the name of an object, and its own come back at each start
  Use small letters, digits and hyphens, and no name that begins with rke2-
manifest_form: A manifest is no object
  It would not be applied, and only the journal says so
  Give it apiVersion, kind and metadata.name
checksums_missing: The release has no checksums
  Nobody could tell a broken file
  Bring sha256sum-ARCH.txt of the release into rke2_artifacts
artifact_missing: A file of the release is not there
  Without it nodes would wait for a registry that is not there
  Bring it into rke2_artifacts
artifact_broken: A file of the release is not what its checksum says
  A truncated archive stops the start with no word on why
  Bring it again
artifact_other: The images are of another version
  The runtime is looked for under this version's name
  Bring the files of rke2_version into rke2_artifacts
port_busy: Somebody listens on a port of RKE2
  RKE2 does not start
  Stop it, or move it
etcd_beside: Another etcd is there
  Both want 2379 on the loopback; another node address does not help
  Use openstack.coordination valkey with Kolla, or servers of their own
route_missing: There is no default route
  The node's address is not found, and service addresses do not route
  Give a default route, a dummy one will do, or rke2_node_ip and a route for the services
space_low: There is too little room for the data
  Images alone take some GiB, and etcd stops when it is full
  Make room
memory_low: There is too little memory
  etcd and the API would be killed
  Use a larger server
clock_off: The clock is wrong
  Certificates are not valid yet, or no more, and etcd complains
  See that time is in step: frontier.vitro.hosts
install_mixed: RKE2 came another way before
  Two programs would fight for one unit
  Set rke2_method to what is there, or remove it first
cluster_beside: Another Kubernetes is there
  Both want the kubelet's port and folders
  Remove it first
cgroup_old: The host has cgroups of version 1
  From 1.35 on the kubelet refuses them
  Start the host with systemd.unified_cgroup_hierarchy=1, or choose 1.34
architecture_other: The host's processor is another one than the release's
  The program does not run
  Bring the release for this processor
firewall_on: firewalld is on
  It drops what canal needs
  Turn it off, and filter by other means
cloud_setup_on: nm-cloud-setup is on
  It adds routes over the network plugin's
  Disable nm-cloud-setup.service and its timer
selinux_off: SELinux enforces, and RKE2 does not know
  Containers could not read their files
  Install rke2-selinux, and set selinux to true in rke2_config
fips_kernel_off: The kernel is not in FIPS mode
  RKE2's libraries follow the kernel
  Turn on FIPS mode, and start the host again
role_changed: The host is to change sides
  Its old part stays in the cluster
  Remove the node first with frontier.vitro.rke2_remove_node, then add it
cluster_other: The host is in another cluster
  It would be lost to that one
  If nobody needs that one, remove RKE2 there first
clusters_several: The hosts are in several clusters
  Nobody can tell which one is meant
  Keep one, and remove RKE2 from the other hosts
cluster_lost: The site had a cluster, and no host has it any more
  An empty one in its place would hide the loss
  Restore it with frontier.vitro.rke2_restore
node_emptied: A node has lost its data
  The cluster still counts on it
  Let it in again with frontier.vitro.rke2_replace_node -e target=HOST
token_wrong: The cluster has another token than the site
  RKE2 does not start again with a wrong one
  Put the cluster's token into rke2/secrets.yml: it is in server/token below the data
secrets_missing: A cluster is there, and the site has no token for it
  Nothing could join
  Put its tokens into rke2/secrets.yml of the site, locked with ansible-vault
"""

_LINES = _TABLE.strip().splitlines()
KINDS: Final = {
    code: Kind(code, title, why.strip(), cure.strip())
    for (code, _, title), why, cure in zip((line.partition(": ") for line in _LINES[::3]), _LINES[1::3], _LINES[2::3], strict=True)
}


def object_to(code: str, host: str, text: str, cure: str = "") -> Objection:
    return KINDS[code].of(host, text, cure)
