# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration of every service on every server, by the real kolla-ansible. This takes about 14 minutes of CPU."""

from __future__ import annotations

FILES_PER_HOST = 284


def test_all_services_on_all_hosts(site, harness):
    harness.genconfig()
    counted = {path.name: sum(one.is_file() for one in path.rglob("*")) for path in harness.nodes.iterdir() if path.name != "localhost"}
    assert counted == dict.fromkeys((server.name for server in site.plan.servers), FILES_PER_HOST)
