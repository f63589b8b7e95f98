# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""globals.yml: what differs from Kolla's defaults, and what we promise whatever they become."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ..plan.servers import NetworkName
from ..plan.types import Plan
from .hosts import address, in_url, members, named, version
from .ovn import outside, outside_globals
from .words import yaml_file

Part = tuple[str, Mapping[str, Any]]

# The role host_base makes it, with the SDK of the container engine; Kolla's group_vars/baremetal take its Python for the servers.
VIRTUALENV: Final = "/opt/kolla-venv"
# Where the images have their bundle of CAs, to which Kolla adds certificates/ca/.
CA_BUNDLES: Final = {"debian": "/etc/ssl/certs/ca-certificates.crt", "ubuntu": "/etc/ssl/certs/ca-certificates.crt"}
CA_BUNDLE: Final = "/etc/pki/tls/certs/ca-bundle.crt"
# Keys of the collection openstack.kolla, which kolla-ansible has no default for.
BOOTSTRAP_KEYS: Final = frozenset({"virtualenv", "virtualenv_site_packages", "podman_registry"})
CEPH_MGR_EXPORTER: Final = 9283
FAMILIES: Final[Mapping[str, NetworkName]] = {
    "network_address_family": "management",
    "api_address_family": "api",
    "storage_address_family": "storage",
    "tunnel_address_family": "tunnel",
    "migration_address_family": "migration",
}


def globals_text(plan: Plan) -> str:
    return yaml_file(parts(plan))


def values(plan: Plan) -> dict[str, Any]:
    return {key: value for _, part in parts(plan) for key, value in part.items()}


def parts(plan: Plan) -> Iterator[Part]:
    yield "Release and containers", _containers(plan)
    yield "Addresses. Interfaces stand in inventory/host_vars: here they would win over those.", _addresses(plan)
    yield "TLS", _tls(plan)
    yield "Networks of guests", _network(plan)
    yield "Ceph", _ceph(plan)
    yield "Services", _services(plan)
    yield "Monitoring and logs", _monitoring(plan)


def _containers(plan: Plan) -> dict[str, Any]:
    wanted: dict[str, Any] = {
        "kolla_base_distro": plan.openstack.distribution,
        "openstack_release": plan.versions.openstack,
        "kolla_container_engine": plan.openstack.engine,
    }
    if plan.registry:
        wanted |= {"docker_registry": plan.registry, "docker_namespace": "kolla"}
    if plan.registry and plan.openstack.engine == "podman":
        # Kolla's bootstrap reads only this one for podman, all else reads docker_registry.
        wanted["podman_registry"] = plan.registry
    return wanted | {
        "docker_restart_policy": "unless-stopped",
        "enable_container_healthchecks": True,
        "virtualenv": VIRTUALENV,
        "virtualenv_site_packages": True,
        # Kolla's own is 100: it would go on without the servers that failed.
        "kolla_max_fail_percentage": 0,
    }


def _addresses(plan: Plan) -> dict[str, Any]:
    vips = {one.name: one for one in plan.vips}
    families = {key: "ipv6" for key, network in FAMILIES.items() if version(plan, network) == 6}
    return {
        "kolla_internal_vip_address": vips["internal"].address,
        "kolla_internal_fqdn": vips["internal"].fqdn,
        "kolla_external_vip_address": vips["external"].address,
        "kolla_external_fqdn": vips["external"].fqdn,
        "keepalived_virtual_router_id": str(vips["internal"].vrid),
        **families,
    }


def _tls(plan: Plan) -> dict[str, Any]:
    inside, outside = plan.openstack.tls == "both", plan.openstack.tls != "none"
    wanted: dict[str, Any] = {"kolla_enable_tls_internal": inside, "kolla_enable_tls_external": outside}
    if outside:
        wanted |= {
            "kolla_copy_ca_into_containers": True,
            "openstack_cacert": CA_BUNDLES.get(plan.openstack.distribution, CA_BUNDLE),
            "kolla_admin_openrc_cacert": "{{ kolla_certificates_dir }}/ca-bundle.pem",
        }
    return wanted


def _network(plan: Plan) -> dict[str, Any]:
    wanted: dict[str, Any] = {
        "neutron_plugin_agent": "ovn",
        "neutron_ovn_distributed_fip": True,
        "enable_neutron_provider_networks": True,
    }
    if outside(plan):
        # The role ovn brings both; Kolla's containers only connect to them.
        wanted |= {"enable_ovn": False, "enable_openvswitch": False, "enable_ovn_sb_db_relay": False}
        return wanted | outside_globals(plan)
    return wanted | {"enable_ovn_sb_db_relay": plan.ovn.relay}


def _ceph(plan: Plan) -> dict[str, Any]:
    wanted: dict[str, Any] = {
        "glance_backend_ceph": True,
        "ceph_glance_user": "glance",
        "ceph_glance_pool_name": "images",
        "enable_cinder": True,
        "cinder_backend_ceph": True,
        "ceph_cinder_user": "cinder",
        "ceph_cinder_pool_name": "volumes",
        "enable_cinder_backup": True,
        "cinder_backup_driver": "ceph",
        "ceph_cinder_backup_user": "cinder-backup",
        "ceph_cinder_backup_pool_name": "backups",
        "nova_backend_ceph": True,
        "ceph_nova_user": "cinder",
        "ceph_nova_pool_name": "vms",
    }
    if len(members(plan, "control")) > 1:
        # Volumes belong to the cluster, not to one server; Kolla wants it with several cinder-volume, and refuses it with one.
        wanted["cinder_cluster_name"] = plan.site
    gateways = named(plan, plan.ceph.object_gateways)
    if gateways:
        port = plan.ceph.object_gateway_port
        hosts = [{"host": one.name, "ip": address(plan, one, "storage"), "port": port} for one in gateways]
        wanted |= {"enable_ceph_rgw": True, "ceph_rgw_swift_account_in_url": True, "ceph_rgw_hosts": hosts}
    return wanted


def _services(plan: Plan) -> dict[str, Any]:
    openstack = plan.openstack
    wanted: dict[str, Any] = {f"enable_{openstack.coordination}": True, "enable_octavia": openstack.octavia}
    if openstack.octavia:
        wanted |= {"octavia_provider_drivers": "ovn:OVN provider", "octavia_provider_agents": "ovn"}
    return wanted | {"enable_masakari": openstack.masakari, "enable_mariabackup": True}


def _monitoring(plan: Plan) -> dict[str, Any]:
    openstack = plan.openstack
    wanted: dict[str, Any] = {"enable_prometheus": openstack.monitoring, "enable_grafana": openstack.monitoring}
    if openstack.monitoring:
        managers = [f"{in_url(address(plan, one, 'storage'))}:{CEPH_MGR_EXPORTER}" for one in named(plan, plan.ceph.managers)]
        wanted |= {"enable_prometheus_ceph_mgr_exporter": True, "prometheus_ceph_mgr_exporter_endpoints": managers}
    return wanted | {"enable_fluentd": True, "enable_central_logging": openstack.logging}
