# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""neutron.py CLOUDS make|network|show|remove [NAME]: does what a user does with Neutron, and says what there is afterwards, as JSON.

Knows nothing of the collection's own client.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import openstack

KINDS = ("networks", "ports", "routers", "ips")


def make(net: Any, host: str) -> None:
    """A guest's port on a network with a router to the outside, and a floating address for it."""
    outside = net.create_network(
        name="outside", is_router_external=True, provider_network_type="flat", provider_physical_network="physnet1"
    )
    net.create_subnet(network_id=outside.id, ip_version=4, cidr="198.51.100.0/24", enable_dhcp=False, name="outside")
    inside = net.create_network(name="inside")
    subnet = net.create_subnet(network_id=inside.id, ip_version=4, cidr="198.18.64.0/24", name="inside")
    router = net.create_router(name="way-out", external_gateway_info={"network_id": outside.id})
    net.add_interface_to_router(router, subnet_id=subnet.id)
    port = net.create_port(network_id=inside.id, name="guest", binding_host_id=host, device_owner="compute:lab")
    net.create_ip(floating_network_id=outside.id, port_id=port.id)
    net.create_ip(floating_network_id=outside.id)


def remove(net: Any) -> None:
    """Everything that is still there."""
    for one in net.ips():
        net.delete_ip(one)
    for router in net.routers():
        net.update_router(router, external_gateway_info={})
        for port in net.ports(device_id=router.id):
            net.remove_interface_from_router(router, port_id=port.id)
        net.delete_router(router)
    for kind in ("port", "network"):
        for one in getattr(net, f"{kind}s")():
            getattr(net, f"delete_{kind}")(one)


def main(clouds: str, what: str, name: str = "") -> None:
    login = json.loads(open(clouds).read())["clouds"]["kolla-admin"]  # noqa: PTH123, SIM115 - as short as it can be
    net = openstack.connect(load_yaml_config=False, load_envvars=False, **login).network
    if what == "make":
        make(net, name)
    elif what == "network":
        net.create_network(name=name)
    elif what == "remove":
        remove(net)
    seen = {kind: {one.id: one.name or "" for one in getattr(net, kind)()} for kind in KINDS}
    status = {one.name: one.status for one in net.ports() if one.name}
    sys.stdout.write(json.dumps({**seen, "status": status}))


if __name__ == "__main__":
    main(*sys.argv[1:])
