# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the answers of a cloud are judged. Their form is that of Nova 34, Neutron 29 and Cinder 29."""

from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.client import Endpoint
from ansible_collections.frontier.vitro.plugins.module_utils.cloud.health import (
    judge_agents,
    judge_compute_services,
    judge_endpoints,
    judge_hypervisors,
    judge_volume_services,
)

KEYSTONE = Endpoint("identity", "public", "https://192.0.2.10:5000")


def service(host="cloud-01", binary="nova-compute", state="up", status="enabled", reason=None):
    return {"host": host, "binary": binary, "state": state, "status": status, "disabled_reason": reason}


def agent(host="cloud-01", alive=True, up=True):
    return {"host": host, "agent_type": "OVN Controller agent", "alive": alive, "admin_state_up": up}


def hypervisor(host, state="up"):
    return {"service": {"host": host}, "state": state, "hypervisor_hostname": f"{host}.example.org"}


def bad(checks):
    return {check.target: check.seen for check in checks if not check.ok}


@pytest.mark.parametrize(
    ("seen", "ok"), [(200, True), (300, True), (401, True), (403, True), (404, False), (503, False), ("refused", False)]
)
def test_endpoint(seen, ok):
    assert [check.ok for check in judge_endpoints({KEYSTONE: seen})] == [ok]


@pytest.mark.parametrize("judge", [judge_compute_services, judge_volume_services])
@pytest.mark.parametrize(
    ("services", "wrong"),
    [
        ([service()], {}),
        ([service(state="down")], {"cloud-01 nova-compute": "down, enabled"}),
        ([service(status="disabled", reason="new memory")], {"cloud-01 nova-compute": "up, disabled (new memory)"}),
        ([service(), service("cloud-02", state="down")], {"cloud-02 nova-compute": "down, enabled"}),
    ],
    ids=["whole", "down", "disabled", "one of two"],
)
def test_services(judge, services, wrong):
    assert bad(judge(services)) == wrong


@pytest.mark.parametrize("judge", [judge_compute_services, judge_volume_services, judge_agents])
def test_none_at_all_is_not_well(judge):
    assert list(bad(judge([])).values()) == ["none"]


@pytest.mark.parametrize(
    ("agents", "wrong"),
    [
        ([agent()], {}),
        ([agent(alive=False)], {"cloud-01 OVN Controller agent": "dead, enabled"}),
        ([agent(up=False)], {"cloud-01 OVN Controller agent": "alive, disabled"}),
    ],
    ids=["whole", "dead", "disabled"],
)
def test_agents(agents, wrong):
    assert bad(judge_agents(agents)) == wrong


@pytest.mark.parametrize(
    ("hypervisors", "wrong"),
    [
        ([hypervisor("a"), hypervisor("b")], {}),
        ([hypervisor("a")], {"Nova": "a"}),
        ([hypervisor("a"), hypervisor("b"), hypervisor("c")], {"Nova": "a, b, c"}),
        ([hypervisor("a"), hypervisor("b", "down")], {"b": "down"}),
        ([], {"Nova": "none"}),
    ],
    ids=["as planned", "one missing", "one too many", "one down", "none"],
)
def test_hypervisors(hypervisors, wrong):
    assert bad(judge_hypervisors(hypervisors, ["a", "b"])) == wrong
