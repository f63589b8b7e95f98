# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Under ansible-runner, which is what AWX runs jobs with: progress and table are in the job's events."""

from __future__ import annotations

import os

import ansible_runner

from tests.integration.bmc.ansible import BIN, CHECKOUT, Site
from tests.lab.rack import Rack, lab_rack


def test_progress_is_in_the_events(tmp_path):
    site = Site(tmp_path / "site")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "play.yml").write_text("- import_playbook: frontier.vitro.discover\n")
    with Rack(lab_rack(3)) as rack:
        site.aim_at(rack)
        done = ansible_runner.run(
            private_data_dir=str(tmp_path),
            playbook="play.yml",
            inventory=str(site.folder),
            envvars={"ANSIBLE_COLLECTIONS_PATH": str(CHECKOUT / "build/collections"), "PATH": f"{BIN}:{os.environ['PATH']}"},
            quiet=True,
        )
        shown = [event["stdout"] for event in done.events]
        assert done.status == "successful", shown
    assert any("3/3 BMCs, " in text for text in shown)
    assert any(rack.bmcs[0].serial in text and "supported" in text for text in shown)
    assert not any(rack.password in str(event) for event in done.events)
