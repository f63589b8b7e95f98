# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration files of the services. Each `up` writes them anew; a process reads them when it is next started."""

from __future__ import annotations

from .folder import Folder
from .words import HOST, PHYSNET, REGION, TLS_ABOVE

PROXY = "[oslo_middleware]\nenable_proxy_headers_parsing = true\n"


def login(lab: Folder, section: str, more: str = "") -> str:
    return f"""
[{section}]
auth_type = password
auth_url = {lab.url("keystone")}/v3
username = service
password = {lab.password("service")}
project_name = service
user_domain_name = Default
project_domain_name = Default
region_name = {REGION}
valid_interfaces = internal
{more}"""


def token(lab: Folder) -> str:
    roles = "service_token_roles_required = true\nservice_token_roles = service\ninterface = internal\n"
    return login(lab, "keystone_authtoken", f"www_authenticate_uri = {lab.url('keystone')}\n{roles}")


def shared(lab: Folder) -> str:
    return f"[oslo_concurrency]\nlock_path = {lab.run}/locks\n{PROXY}{token(lab)}"


def rabbit(lab: Folder) -> str:
    return f"rabbit://lab:{lab.password('rabbit')}@{HOST}:{lab.port('rabbit')}/"


def configure(lab: Folder) -> None:
    """Those of services that do not run are of no consequence."""
    configure_keystone(lab)
    configure_glance(lab)
    lab.write("placement/placement.conf", f"[placement_database]\nconnection = {lab.database('placement')}\n{PROXY}{token(lab)}")
    configure_nova(lab)
    configure_neutron(lab)
    configure_cinder(lab)


def configure_keystone(lab: Folder) -> None:
    text = f"""\
[database]
connection = {lab.database("keystone")}
[fernet_tokens]
key_repository = {lab.etc}/keystone/fernet
[credential]
key_repository = {lab.etc}/keystone/credential
[fernet_receipts]
key_repository = {lab.etc}/keystone/fernet
[identity]
password_hash_rounds = 4
{PROXY}"""
    lab.write("keystone/keystone.conf", text)


def configure_glance(lab: Folder) -> None:
    text = f"""\
[DEFAULT]
enabled_backends = disk:file
enabled_import_methods = [glance-direct,web-download,copy-image]
worker_self_reference_url = {lab.url("glance")}
[database]
connection = {lab.database("glance")}
[glance_store]
default_backend = disk
[disk]
filesystem_store_datadir = {lab.data}/glance/images
[os_glance_staging_store]
filesystem_store_datadir = {lab.data}/glance/staging
[os_glance_tasks_store]
filesystem_store_datadir = {lab.data}/glance/tasks
[import_filtering_opts]
allowed_hosts = [{HOST}]
allowed_ports = []
[paste_deploy]
flavor = keystone
config_file = {lab.venv}/etc/glance/glance-api-paste.ini
[oslo_messaging_notifications]
driver = noop
{shared(lab)}"""
    lab.write("glance/glance-api.conf", text)


def configure_nova(lab: Folder) -> None:
    """What all parts share."""
    text = f"""\
[DEFAULT]
my_ip = {HOST}
transport_url = {rabbit(lab)}
compute_driver = vitro_lab_driver.Hypervisor
sync_power_state_interval = -1
report_interval = 3
service_down_time = 12
periodic_fuzzy_delay = 0
cpu_allocation_ratio = 4.0
ram_allocation_ratio = 1.0
# No switch ever says that it has plugged a guest of the imitated hypervisor.
vif_plugging_timeout = 0
vif_plugging_is_fatal = false
osapi_compute_workers = 1
metadata_workers = 1
[compute]
live_migration_wait_for_vif_plug = false
[conductor]
workers = 1
[scheduler]
workers = 1
discover_hosts_in_cells_interval = 3
[vnc]
enabled = false
[wsgi]
api_paste_config = {lab.venv}/etc/nova/api-paste.ini
[glance]
api_servers = {lab.url("glance")}
{shared(lab)}{login(lab, "placement")}{login(lab, "neutron")}{login(lab, "cinder", "catalog_info = block-storage:cinder:internalURL")}
{login(lab, "service_user", "send_service_user_token = true")}"""
    lab.write("nova/nova.conf", text)
    configure_nova_parts(lab)


def configure_nova_parts(lab: Folder) -> None:
    """The databases, which a compute host must not see; and a file for each compute host."""
    control = f"[DEFAULT]\nhost = lab-control\nstate_path = {lab.data}/nova\n"
    databases = f"[api_database]\nconnection = {lab.database('nova_api')}\n[database]\nconnection = {lab.database('nova')}\n"
    lab.write("nova/nova-db.conf", control + databases)
    for host in lab.hosts:
        home = lab.data / "nova" / host
        (home / "instances").mkdir(parents=True, exist_ok=True)
        # Its identity for Placement lies in the state path.
        lab.write(f"nova/{host}.conf", f"[DEFAULT]\nhost = {host}\nstate_path = {home}\ninstances_path = {home}/instances\n")


def configure_neutron(lab: Folder) -> None:
    told = str("nova" in lab.services).lower()
    text = f"""\
[DEFAULT]
core_plugin = ml2
notify_nova_on_port_status_changes = {told}
notify_nova_on_port_data_changes = {told}
service_plugins = ovn-router,qos,trunk,segments,port_forwarding
auth_strategy = keystone
state_path = {lab.data}/neutron
transport_url = {rabbit(lab)}
api_paste_config = {lab.venv}/etc/neutron/api-paste.ini
rpc_workers = 0
vlan_transparent = false
dns_domain = lab.test.
agent_down_time = 15
[database]
connection = {lab.database("neutron")}
[ml2]
type_drivers = flat,vlan,geneve
tenant_network_types = geneve
mechanism_drivers = ovn
extension_drivers = port_security,qos,dns
[ml2_type_flat]
flat_networks = *
[ml2_type_vlan]
network_vlan_ranges = {PHYSNET}:100:199
[ml2_type_geneve]
vni_ranges = 1:65536
max_header_size = 38
[securitygroup]
enable_security_group = true
[ovn]
{ovn(lab)}
ovn_metadata_enabled = false
ovn_l3_scheduler = leastloaded
{shared(lab)}{login(lab, "nova", "endpoint_type = internal")}{login(lab, "placement", "endpoint_type = internal")}"""
    lab.write("neutron/neutron.conf", text)


def ovn(lab: Folder) -> str:
    """Where its databases are, and what TLS takes if they are not the lab's own."""
    if not lab.outside:
        return "\n".join(f"ovn_{name}_connection = tcp:{HOST}:{lab.port(f'ovn-{name}')}" for name in ("nb", "sb"))
    files = {"private_key": "neutron.key", "certificate": "neutron.crt", "ca_cert": "ca.crt"}
    lines = [f"ovn_{name}_connection = {lab.outside[name]}" for name in ("nb", "sb")]
    return "\n".join([*lines, *(f"ovn_{name}_{key} = {lab.outside['tls']}/{file}" for name in ("nb", "sb") for key, file in files.items())])


def configure_cinder(lab: Folder) -> None:
    text = f"""\
[DEFAULT]
host = lab-control
my_ip = {HOST}
transport_url = {rabbit(lab)}
auth_strategy = keystone
state_path = {lab.data}/cinder
api_paste_config = {lab.venv}/etc/cinder/api-paste.ini
osapi_volume_workers = 1
report_interval = 3
enabled_backends = fake
glance_api_servers = {lab.url("glance")}
[fake]
volume_driver = cinder.tests.fake_driver.FakeLoggingVolumeDriver
volume_backend_name = fake
[database]
connection = {lab.database("cinder")}
{shared(lab)}{login(lab, "nova", "interface = internal")}{login(lab, "service_user", "send_service_user_token = true")}"""
    lab.write("cinder/cinder.conf", text)


def configure_front(lab: Folder) -> None:
    """HAProxy with TLS before each API, as Kolla has it."""
    parts = ["global\n  maxconn 200\ndefaults\n  mode http\n  timeout connect 10s\n  timeout client 120s\n  timeout server 120s\n"]
    for name in lab.services:
        bind = f"bind {HOST}:{lab.port(name) + TLS_ABOVE} ssl crt {lab.etc}/front.pem"
        parts.append(f"listen {name}\n  {bind}\n  http-request set-header X-Forwarded-Proto https\n  server api {HOST}:{lab.port(name)}\n")
    lab.write("haproxy.cfg", "".join(parts))
