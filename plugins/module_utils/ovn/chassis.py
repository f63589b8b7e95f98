# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a chassis is told in its own Open vSwitch, and its records in the Southbound database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address, ip_interface
from typing import Any, Final

from .database import Operation, Row, by_uuid, delete, insert, many, mutate, named, one_of, set_keys, to_set, update
from .errors import ChassisRefused

# A key that is wanted empty must not be there.
TABLES: Final = {
    "Open_vSwitch": ["external_ids", "bridges", "manager_options"],
    "Manager": ["target"],
    "Bridge": ["name", "ports", "datapath_type", "external_ids", "fail_mode"],
    "Port": ["name", "interfaces"],
    "Interface": ["name", "mtu_request"],
}
RECORDS: Final = {
    "Chassis": ["name", "hostname", "encaps", "other_config", "external_ids"],
    "Encap": ["ip", "type", "chassis_name"],
    "Chassis_Private": ["name"],
}


@dataclass(frozen=True, slots=True)
class Mapped:
    """A physical network, the bridge that leads there, and the interface under it; none for a bridge that somebody else fills."""

    network: str
    bridge: str
    interface: str = ""
    mtu: int | None = None


def wanted_ids(given: Mapping[str, Any]) -> dict[str, str]:
    """`external_ids` of the switch. An empty value means that the key must be gone."""
    options = [*(["enable-chassis-as-gw"] if given["gateway"] else []), *given.get("options", ())]
    return {
        "system-id": given["name"],
        "hostname": given["hostname"] or given["name"],
        "ovn-remote": ",".join(given["remotes"]),
        "ovn-encap-type": given["encap_type"],
        "ovn-encap-ip": given["encap_ip"],
        "ovn-bridge-mappings": ",".join(f"{one['network']}:{one['bridge']}" for one in given["mappings"]),
        "ovn-cms-options": ",".join(options),
        "ovn-remote-probe-interval": str(given["probe_ms"]),
        "ovn-openflow-probe-interval": str(given["probe_ms"] // 1000),
        "ovn-bridge-datapath-type": given["datapath"] if given["datapath"] != "system" else "",
        "ovn-monitor-all": "true" if given["monitor_all"] else "false",
    }


def check_encap(encap_ip: str, network: str, addresses: Sequence[str]) -> None:
    """The address is in the tunnel's network, and the host has it. `addresses` are those of the host, with the length of the prefix."""
    mistakes = []
    if network and ip_address(encap_ip) not in ip_interface(network).network:
        mistakes.append(f"{encap_ip} is not in the tunnel's network {network}")
    if encap_ip not in {one.partition("/")[0] for one in addresses}:
        mistakes.append(f"the host does not have {encap_ip}; it has {', '.join(sorted(addresses)) or 'no address'}")
    if mistakes:
        raise ChassisRefused(
            f"Cannot make this host a chassis: {'; '.join(mistakes)}. Nothing was changed",
            cure="Correct the plan, or the host by frontier.vitro.hosts",
        )


def plan_switch(
    live: Mapping[str, Sequence[Row]], ids: Mapping[str, str], mappings: Sequence[Mapped], datapath: str, listen: str = ""
) -> tuple[dict[str, str], dict[str, str], list[Operation]]:
    """Before and after of what differs, and the operations of one transaction. Keys, bridges and managers that nobody asked for stay."""
    root = live["Open_vSwitch"][0]
    have: dict[str, str] = root["external_ids"]
    differ = {key: value for key, value in ids.items() if have.get(key, "") != value}
    before = {key: have[key] for key in differ if key in have}
    after = {key: value for key, value in differ.items() if value}
    gone = [key for key, value in differ.items() if not value]
    work = [set_keys("Open_vSwitch", "external_ids", after, gone)] if differ else []
    for number, one in enumerate(mappings):
        for line, operations in _bridge(live, one, datapath, number):
            after[f"bridge {one.bridge}"] = f"{after.get(f'bridge {one.bridge}', '')} {line}".strip()
            work += operations
    if listen and listen not in {row["target"] for row in live["Manager"] if row["_uuid"] in many(root["manager_options"])}:
        after["manager"] = listen
        work += [insert("Manager", {"target": listen}, "manager")]
        work += [mutate("Open_vSwitch", "manager_options", "insert", to_set([named("manager")]))]
    # ovs-vswitchd looks when this number grows.
    work += [mutate("Open_vSwitch", "next_cfg", "+=", 1)] if work else []
    return before, after, work


def _bridge(live: Mapping[str, Sequence[Row]], one: Mapped, datapath: str, number: int) -> Iterator[tuple[str, list[Operation]]]:
    kind = "" if datapath == "system" else datapath
    there = next((row for row in live["Bridge"] if row["name"] == one.bridge), None)
    ports = {row["_uuid"]: row["name"] for row in live["Port"]}
    if there is None:
        names = [one.bridge, *([one.interface] if one.interface else [])]
        work = [operation for index, name in enumerate(names) for operation in _port(name, f"{number}_{index}", one, internal=index == 0)]
        made = [named(f"port{number}_{index}") for index in range(len(names))]
        row = {"name": one.bridge, "ports": to_set(made), "datapath_type": kind}
        work += [insert("Bridge", row, f"bridge{number}"), mutate("Open_vSwitch", "bridges", "insert", to_set([named(f"bridge{number}")]))]
        yield f"made with {', '.join(names[1:]) or 'no port'}", work
        return
    if there["datapath_type"] != kind:
        yield f"of datapath {datapath}", [update("Bridge", {"datapath_type": kind}, by_uuid(there["_uuid"]))]
    if one.interface and one.interface not in {ports.get(port) for port in many(there["ports"])}:
        where = by_uuid(there["_uuid"])
        work = [
            *_port(one.interface, f"{number}_1", one, internal=False),
            mutate("Bridge", "ports", "insert", to_set([named(f"port{number}_1")]), where),
        ]
        yield f"with {one.interface}", work
    own = next((row for row in live["Interface"] if row["name"] == one.bridge), None)
    if own and one.mtu and one_of(own["mtu_request"]) != one.mtu:
        yield f"MTU {one.mtu}", [update("Interface", {"mtu_request": one.mtu}, by_uuid(own["_uuid"]))]


def _port(name: str, mark: str, one: Mapped, *, internal: bool) -> list[Operation]:
    kind = {"type": "internal"} | ({"mtu_request": one.mtu} if one.mtu else {}) if internal else {}
    return [
        insert("Interface", {"name": name, **kind}, f"interface{mark}"),
        insert("Port", {"name": name, "interfaces": named(f"interface{mark}")}, f"port{mark}"),
    ]


@dataclass(frozen=True, slots=True)
class Registered:
    """A chassis as the Southbound database has it."""

    id: str
    name: str
    hostname: str
    addresses: tuple[str, ...]
    gateway: bool


def registered(live: Mapping[str, Sequence[Row]]) -> list[Registered]:
    encaps = {row["_uuid"]: row["ip"] for row in live["Encap"]}
    return sorted(
        (
            Registered(
                row["_uuid"],
                row["name"],
                row["hostname"],
                tuple(sorted({encaps[one] for one in many(row["encaps"]) if one in encaps})),
                "enable-chassis-as-gw" in _options(row),
            )
            for row in live["Chassis"]
        ),
        key=lambda one: one.name,
    )


def _options(row: Row) -> list[str]:
    said = {**row["external_ids"], **row["other_config"]}
    return str(said.get("ovn-cms-options", "")).split(",")


def stale(records: Sequence[Registered], planned: Mapping[str, str]) -> dict[str, str]:
    """Records that stand in the way of a planned chassis, with the reason: same host or address under another name, as after a rename.
    `planned` has the encapsulation address of each by its name. Others that nobody planned are not ours to remove."""
    found = {}
    for one in records:
        if one.name in planned:
            continue
        owners = [name for name, address in planned.items() if address in one.addresses]
        if one.hostname in planned:
            found[one.name] = f"it is an old record of {one.hostname}"
        elif owners:
            found[one.name] = f"it has the address of {owners[0]}"
    return found


def remove_records(live: Mapping[str, Sequence[Row]], names: Sequence[str]) -> list[Operation]:
    """A chassis, with its private record; its encapsulations go with it."""
    gone = [row["_uuid"] for row in live["Chassis"] if row["name"] in names]
    private = [row["_uuid"] for row in live["Chassis_Private"] if row["name"] in names]
    return [*(delete("Chassis", by_uuid(one)) for one in gone), *(delete("Chassis_Private", by_uuid(one)) for one in private)]
