# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What OpenStack stands on: MariaDB, RabbitMQ and OVN, the real ones, each on loopback."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from .folder import Folder, LabError, until
from .words import DATABASES, HOST, PHYSNET

NAMES = ("mariadb", "rabbit", "epmd", "ovn-nb", "ovn-sb")


def start_mariadb(lab: Folder) -> None:
    data = lab.data / "mariadb"
    me = ["--user=root"] if os.geteuid() == 0 else []
    if not (data / "mysql").exists():
        lab.call(
            "mariadb-install-db", "--no-defaults", *me, f"--datadir={data}", "--skip-test-db", "--auth-root-authentication-method=normal"
        )
    sql = [f"CREATE USER IF NOT EXISTS 'lab'@'{HOST}' IDENTIFIED BY '{lab.password('db')}';"]
    for name in (one for names in DATABASES.values() for one in names):
        sql += [f"CREATE DATABASE IF NOT EXISTS {name} CHARACTER SET utf8mb3;", f"GRANT ALL ON {name}.* TO 'lab'@'{HOST}';"]
    first = lab.write("mariadb-init.sql", "\n".join(sql) + "\n")
    lab.spawn("mariadb", [
        "mariadbd", "--no-defaults", *me, f"--datadir={data}", f"--bind-address={HOST}", f"--port={lab.port('mariadb')}",
        # Relative to the data, so that a long folder cannot exceed what a socket's path may have.
        "--socket=lab.sock", "--pid-file=lab.pid", "--skip-name-resolve", f"--init-file={first}", "--max-connections=500",
        "--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0", "--innodb-buffer-pool-size=96M", "--innodb-log-file-size=32M",
        "--performance-schema=OFF", "--skip-log-bin",
    ])  # fmt: skip
    lab.await_port("mariadb")


def start_rabbit(lab: Folder) -> None:
    home = lab.data / "rabbit"
    home.mkdir(parents=True, exist_ok=True)
    settings = [
        f"listeners.tcp.default = {HOST}:{lab.port('rabbit')}", "default_user = lab", f"default_pass = {lab.password('rabbit')}",
        "vm_memory_high_watermark.absolute = 512MB", "disk_free_limit.absolute = 10MB", "log.console = true", "log.file = false", "",
    ]  # fmt: skip
    conf = lab.write("rabbit/rabbitmq.conf", "\n".join(settings))
    plugins = lab.write("rabbit/enabled_plugins", "[].\n")
    lab.write("rabbit/rabbitmq-env.conf", "")
    # Erlang's own name service would listen on all addresses and stay behind.
    names = {"ERL_EPMD_ADDRESS": HOST, "ERL_EPMD_PORT": str(lab.port("epmd"))}
    lab.spawn("epmd", ["epmd"], **names)
    lab.await_port("epmd")
    variables = {
        "HOME": str(home),
        "RABBITMQ_NODENAME": f"lab{lab.port('rabbit')}@localhost",
        "RABBITMQ_CONF_ENV_FILE": str(conf.parent / "rabbitmq-env.conf"),
        "RABBITMQ_CONFIG_FILE": str(conf),
        "RABBITMQ_MNESIA_BASE": str(home),
        "RABBITMQ_LOG_BASE": str(lab.log),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(plugins),
        "RABBITMQ_PID_FILE": str(home / "pid"),
        "RABBITMQ_DIST_PORT": str(lab.port("rabbit-dist")),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1} +S 1:1 +sbwt none",
    }
    lab.spawn("rabbit", ["/usr/lib/rabbitmq/bin/rabbitmq-server"], **names, **variables)
    lab.await_port("rabbit")


def start_ovn(lab: Folder) -> None:
    """The central databases, and on each compute host an Open vSwitch with a chassis."""
    for name in ("nb", "sb"):
        _database(lab, f"ovn-{name}", f"/usr/share/ovn/ovn-{name}.ovsschema", f"--remote=ptcp:{lab.port('ovn-' + name)}:{HOST}")
    for name in ("ovn-nb", "ovn-sb"):
        lab.await_port(name)
    north, south = (f"tcp:{HOST}:{lab.port('ovn-' + name)}" for name in ("nb", "sb"))
    lab.spawn("ovn-northd", ["ovn-northd", f"--ovnnb-db={north}", f"--ovnsb-db={south}", f"--unixctl={lab.run}/ovn-northd.ctl"])
    for number, host in enumerate(lab.hosts):
        start_chassis(lab, host, number)
    if not until(lambda: _chassis(lab, south) >= set(lab.hosts), 60):
        raise LabError(f"not every host has a chassis; see {lab.log}/ovn-controller.*.log")


def start_chassis(lab: Folder, host: str, number: int) -> None:
    """The dummy datapath needs neither a kernel module nor a device of the machine; the rest is as on a hypervisor."""
    home = lab.run / host
    home.mkdir(exist_ok=True)
    here = {"OVS_RUNDIR": str(home), "OVN_RUNDIR": str(home)}
    database = f"unix:{home}/db.sock"
    _database(lab, f"ovs-db.{host}", "/usr/share/openvswitch/vswitch.ovsschema", socket=f"{home}/db.sock")
    switch = ["ovs-vswitchd", database, "--enable-dummy=override", "--disable-system", f"--unixctl={home}/vswitchd.ctl"]
    lab.spawn(f"ovs-vswitchd.{host}", switch, **here)
    settings = {
        "system-id": host,
        "hostname": host,
        "ovn-remote": f'"tcp:{HOST}:{lab.port("ovn-sb")}"',
        "ovn-encap-type": "geneve",
        # Two chassis of one address are refused.
        "ovn-encap-ip": f"127.0.0.{number + 1}",
        "ovn-bridge-mappings": f"{PHYSNET}:br-ex",
        "ovn-cms-options": "enable-chassis-as-gw",
    }
    bridges = ["--", "--may-exist", "add-br", "br-int", "--", "set", "Bridge", "br-int", "fail-mode=secure"]
    ids = [f"external-ids:{key}={value}" for key, value in settings.items()]
    lab.call(
        "ovs-vsctl", f"--db={database}", "--timeout=30", *bridges, "--", "--may-exist", "add-br", "br-ex", "--", "set", "Open_vSwitch",
        ".", *ids, **here,
    )  # fmt: skip
    lab.spawn(f"ovn-controller.{host}", ["ovn-controller", database], **here)


def _database(lab: Folder, name: str, schema: str, *remote: str, socket: str = "") -> None:
    file, here = lab.data / f"{name}.db", Path(socket or lab.run / f"{name}.sock")
    if not file.exists():
        lab.call("ovsdb-tool", "create", file, schema)
    lab.spawn(name, ["ovsdb-server", file, *remote, f"--remote=punix:{here}", f"--unixctl={lab.run}/{name}.ctl"])
    if not until(here.is_socket, 30, 0.1):
        raise LabError(f"{name} has no socket {here}; see {lab.log}/{name}.log")


def _chassis(lab: Folder, south: str) -> set[str]:
    command = ["ovn-sbctl", f"--db={south}", "--timeout=5", "--bare", "--columns=hostname", "list", "Chassis"]
    return set(subprocess.run(command, env=lab.environment(), capture_output=True, text=True, check=False).stdout.split())
