# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A hypervisor without machines, for Nova: small, keeps its identity over a restart, and takes its time to move a guest.

It runs with Nova's packages, not with ours. A guest whose name has `stubborn` in it cannot be moved while it runs.
"""

import os
import time

from nova.virt import fake

SECONDS = float(os.environ.get("VITRO_LAB_MIGRATION_SECONDS", "1"))


class Hypervisor(fake.FakeDriverWithoutFakeNodes):
    vcpus = 8
    memory_mb = 8192
    local_gb = 200

    def live_migration(self, context, instance, dest, post_method, recover_method, block_migration=False, migrate_data=None):
        time.sleep(SECONDS)
        if "stubborn" in instance.display_name:
            recover_method(context, instance, dest, migrate_data, migration_status="error")
        else:
            post_method(context, instance, dest, block_migration, migrate_data)

    def post_live_migration(self, context, instance, block_device_info, migrate_data=None):
        """On the host that the guest has left: Nova's own fake forgets nothing here."""
        self.destroy(context, instance, network_info=None, block_device_info=block_device_info)
