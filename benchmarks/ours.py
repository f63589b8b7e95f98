# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Client: our reader, as the module and the inventory plugin call it."""

from __future__ import annotations

from benchmarks.job import given, say
from plugins.module_utils.bmc.client import Limits
from plugins.module_utils.bmc.rack import read_rack, run
from plugins.module_utils.bmc.targets import Target


def main() -> None:
    job = given()
    targets = [
        Target(address=address, port=job.port, username=job.username, password=job.password, ca_path=job.ca) for address in job.addresses
    ]
    hardware = run(read_rack(targets, Limits(concurrency=job.concurrency), lambda _: None))
    servers = hardware.servers
    say(
        {
            "servers": len(servers),
            "processors": sum(len(server.processors or ()) for server in servers),
            "memory modules": sum(len(server.memory.modules or ()) for server in servers),
            "host NICs": sum(len(server.nics or ()) for server in servers),
            "adapter ports": sum(bool(nic.adapter) for server in servers for nic in server.nics or ()),
            "drives": sum(len(server.disks or ()) for server in servers),
            "volumes": sum(len(server.volumes or ()) for server in servers),
            "BMC NICs": sum(len(server.bmc.macs) for server in servers),
        }
    )


if __name__ == "__main__":
    main()
