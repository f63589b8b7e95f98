# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each image has beside the shared tree: Kolla's own scripts where its Dockerfile puts them, the account and the entry point."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

START = "usr/local/bin/kolla_extend_start"
ENTRY = ("dumb-init", "--single-child", "--")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Kolla takes this script from the project of MariaDB's own container, which no package index has. These are the two checks it asks for.
HEALTHCHECK = """#!/bin/bash
set -eu
while [ $# -gt 0 ]; do
    case "$1" in
        --defaults-file) file=$2; shift ;;
        --connect) mariadb --defaults-file="$file" --skip-column-names -e 'SELECT 1' >/dev/null ;;
        --galera_online) [ "$(mariadb --defaults-file="$file" -sNe "SHOW STATUS LIKE 'wsrep_local_state'" | cut -f2)" = 4 ] ;;
        *) echo "unknown: $1" >&2; exit 1 ;;
    esac
    shift
done
"""


@dataclass(frozen=True)
class File:
    """`source` is a path below Kolla's folder of images; without it the file has `text`."""

    target: str
    source: str = ""
    mode: int = 0o755
    text: str = ""

    def content(self, scripts: Path) -> bytes:
        return (scripts / self.source).read_bytes() if self.source else self.text.encode()


@dataclass(frozen=True)
class Recipe:
    """`folders` are those that packages have below /run, and the account that each belongs to: mmdebstrap leaves nothing there."""

    files: tuple[File, ...] = ()
    folders: tuple[tuple[str, str], ...] = ()
    user: str = ""
    entry: tuple[str, ...] = ENTRY
    path: str = PATH
    variables: dict[str, str] = field(default_factory=dict)


SWITCH = (
    File(START, "openvswitch/openvswitch-base/extend_start.sh", 0o644),
    File("usr/local/bin/ovs_wrapper", "openvswitch/openvswitch-base/ovs_wrapper.sh"),
)
OVN = (*SWITCH[1:], File(START, "ovn/ovn-base/extend_start.sh", 0o644))
SWITCH_START, OVN_START = "usr/local/bin/kolla_openvswitch_extend_start", "usr/local/bin/kolla_ovn_extend_start"

IMAGES = {
    "kolla-toolbox": Recipe(
        (
            File("etc/ansible/ansible.cfg", "kolla-toolbox/ansible.cfg", 0o644),
            File(
                "etc/ansible/hosts",
                text="localhost ansible_connection=local ansible_python_interpreter=/opt/ansible/bin/python\n",
                mode=0o644,
            ),
            File("etc/sudoers.d/kolla_ansible_sudoers", "kolla-toolbox/ansible_sudoers", 0o440),
            File(START, "kolla-toolbox/extend_start.sh", 0o644),
            File("usr/local/bin/kolla_toolbox", "kolla-toolbox/kolla_toolbox.sh"),
        ),
        user="ansible",
        path=f"/opt/ansible/bin:{PATH}",
        variables={"ANSIBLE_LIBRARY": "/usr/share/ansible:"},
    ),
    "cron": Recipe((File(START, "cron/extend_start.sh", 0o644),)),
    "haproxy": Recipe((File("usr/local/bin/kolla_ensure_haproxy_latest_config", "haproxy/haproxy/ensure_latest_config.sh"),)),
    "keepalived": Recipe(
        (File("check_alive.sh", "keepalived/check_alive.sh"), File(START, "keepalived/extend_start.sh", 0o644)),
    ),
    "mariadb-server": Recipe(
        (
            File("etc/sudoers.d/kolla_mariadb_sudoers", "mariadb-server/mariadb_sudoers", 0o440),
            File(START, "mariadb-server/extend_start.sh", 0o644),
            File("usr/local/bin/kolla_security_reset", "mariadb-server/security_reset.expect"),
            File("usr/local/bin/kolla_mariadb_backup.sh", "mariadb-server/backup.sh"),
            File("usr/local/bin/kolla_mariadb_backup_replica.sh", "mariadb-server/backup_replica.sh"),
            File("usr/local/bin/healthcheck_mariadb", "mariadb-server/healthcheck_mariadb"),
            File("usr/bin/healthcheck.sh", text=HEALTHCHECK),
        ),
        folders=(("run/mysqld", "mysql"),),
        user="mysql",
        # Kolla's own: mariadbd-safe ignores the signal to end, so it goes to all processes.
        entry=("dumb-init", "--"),
    ),
    "rabbitmq": Recipe(
        (
            File(START, "rabbitmq/extend_start.sh", 0o644),
            File("usr/local/bin/healthcheck_rabbitmq", "rabbitmq/healthcheck_rabbitmq"),
            File("etc/rabbitmq/enabled_plugins", text="[rabbitmq_management,rabbitmq_prometheus].\n", mode=0o644),
        ),
        user="rabbitmq",
    ),
    "memcached": Recipe(folders=(("run/memcache", "memcached"),), user="memcached"),
    "openvswitch-db-server": Recipe((*SWITCH, File(SWITCH_START, "openvswitch/openvswitch-db-server/extend_start.sh"))),
    "openvswitch-vswitchd": Recipe(
        (
            *SWITCH,
            File(SWITCH_START, "openvswitch/openvswitch-vswitchd/extend_start.sh", 0o644),
            # The switch starts without the module of the kernel, which the machine may not have; Kolla's script ends without it.
            File("usr/local/sbin/modprobe", text='#!/bin/sh\n/sbin/modprobe "$@" || echo "going on without the module" >&2\n'),
        )
    ),
    "ovn-controller": Recipe((*OVN, File(OVN_START, "ovn/ovn-controller/extend_start.sh", 0o644))),
    "ovn-northd": Recipe((*OVN, File(OVN_START, "ovn/ovn-northd/extend_start.sh", 0o644))),
    "ovn-nb-db-server": Recipe(
        (
            *OVN,
            File("usr/local/bin/start-nb-db-server", "ovn/ovn-nb-db-server/start_nb_db_server.sh"),
            File(OVN_START, "ovn/ovn-nb-db-server/extend_start.sh", 0o644),
        )
    ),
    "ovn-sb-db-server": Recipe(
        (
            *OVN,
            File("usr/local/bin/start-sb-db-server", "ovn/ovn-sb-db-server/start_sb_db_server.sh"),
            File(OVN_START, "ovn/ovn-sb-db-server/extend_start.sh", 0o644),
        )
    ),
    "ovn-sb-db-relay": Recipe((*OVN, File(OVN_START, "ovn/ovn-sb-db-relay/extend_start.sh", 0o644))),
}
