# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration of every service on every server, by the real kolla-ansible. This takes about 25 minutes of CPU."""

from __future__ import annotations

FILES_PER_HOST = 284
# Only the host that takes the backups has these.
BACKUP = {"mariabackup/config.json", "mariabackup/my.cnf"}


def test_all_services_on_all_hosts(site, harness):
    harness.genconfig()
    files = {
        host.name: {one.relative_to(host).as_posix() for one in host.rglob("*") if one.is_file()}
        for host in harness.nodes.iterdir()
        if host.name != "localhost"
    }
    assert {name: len(paths - BACKUP) for name, paths in files.items()} == dict.fromkeys(
        (server.name for server in site.plan.servers), FILES_PER_HOST
    )
    assert [name for name, paths in files.items() if paths & BACKUP] == [site.plan.servers[0].name]
