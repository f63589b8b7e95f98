# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What real services answered, whole and broken: RabbitMQ 3.10, MariaDB 10.11 with Galera 4, OVN 23.03, HAProxy 2.6, podman 4.3."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.asking import Host, ask_host
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.health import (
    judge_containers,
    judge_galera,
    judge_haproxy,
    judge_logs,
    judge_rabbitmq,
    judge_raft,
)

MEMBERS = ("lab-01", "lab-02", "lab-03")
UNITS = "Restart=always\nId=kolla-fluentd-container.service\n\nRestart=no\nId=kolla-nova_api-container.service\n"


def said(name):
    return (Path(__file__).parent / "answers" / name).read_text()


def bad(checks):
    return {(check.check, check.target): check.seen for check in checks if not check.ok}


@pytest.mark.parametrize(
    ("checks", "wrong"),
    [
        pytest.param(judge_rabbitmq(said("rabbitmq-whole.json"), MEMBERS), {}, id="rabbitmq whole"),
        pytest.param(
            judge_rabbitmq(said("rabbitmq-one-away.json"), MEMBERS),
            {("RabbitMQ has its members", "rabbitmq"): "rabbit@lab-01, rabbit@lab-02"},
            id="rabbitmq without one",
        ),
        pytest.param(judge_galera(said("galera-whole.txt"), 3), {}, id="galera whole"),
        pytest.param(
            judge_galera(said("galera-no-quorum.txt"), 3),
            {
                ("Galera has its members", "mariadb"): "1",
                ("Galera has a quorum", "mariadb"): "non-Primary",
                ("Galera member is in step", "mariadb"): "Initialized",
                ("Galera member takes queries", "mariadb"): "OFF",
            },
            id="galera without quorum",
        ),
        pytest.param(
            judge_galera("", 3),
            dict.fromkeys(
                [
                    ("Galera has its members", "mariadb"),
                    ("Galera has a quorum", "mariadb"),
                    ("Galera member is in step", "mariadb"),
                    ("Galera member takes queries", "mariadb"),
                ],
                "not said",
            ),
            id="galera says nothing",
        ),
        pytest.param(judge_raft(said("raft-whole.txt"), "OVN_Northbound", 3), {}, id="ovn whole"),
        pytest.param(
            judge_raft(said("raft-whole.txt"), "OVN_Northbound", 5),
            {("OVN_Northbound has its members", "OVN_Northbound"): "3"},
            id="ovn too small",
        ),
        pytest.param(
            judge_raft(said("raft-no-leader.txt"), "OVN_Northbound", 3),
            {
                ("OVN_Northbound is in its cluster", "OVN_Northbound"): "disconnected from the cluster (election timeout)",
                ("OVN_Northbound has a leader", "OVN_Northbound"): "unknown",
            },
            id="ovn without leader",
        ),
        pytest.param(
            judge_haproxy(said("haproxy-one-away.csv")),
            {("HAProxy backend is whole", "glance_api"): "lab-02 DOWN"},
            id="haproxy without one",
        ),
        pytest.param(
            judge_containers(["fluentd", "gone", "nova_api"], said("podman-inspect.json"), UNITS),
            {
                ("container runs", "gone"): "there is no such container",
                ("container restarts", "gone"): "no unit",
                ("container is healthy", "nova_api"): "unhealthy",
                ("container restarts", "nova_api"): "no",
            },
            id="containers",
        ),
    ],
)
def test_only_what_is_broken_is_bad(checks, wrong):
    assert bad(checks) == wrong


def test_an_alarm_of_rabbitmq_is_told():
    assert "memory" in bad(judge_rabbitmq(said("rabbitmq-alarm.json"), MEMBERS[:2]))["RabbitMQ has room", "rabbitmq"]


def test_logs_are_forwarded_by_a_fluentd_that_reads_them():
    assert judge_logs(said("podman-inspect.json")).ok
    without = said("podman-inspect.json").replace('"kolla_logs"', '"other"')
    assert judge_logs(without).seen == "running, does not read kolla_logs"
    assert not judge_logs("[]").ok


@pytest.mark.parametrize(("logs", "asked"), [(True, {("logs are forwarded", "fluentd"): "there is no such container"}), (False, {})])
def test_nobody_asks_for_a_fluentd_that_the_site_has_turned_off(monkeypatch, logs, asked):
    answers = {
        "list-unit-files": "cron.service enabled enabled\nkolla-cron-container.service enabled enabled\nkolla.service disabled enabled\n",
        "ps": "cron\n",
        "inspect": '[{"Name": "/cron", "State": {"Status": "running"}}]',
        "show": "Restart=always\nId=kolla-cron-container.service\n",
    }
    monkeypatch.setattr(Host, "ask", lambda _, *command, **__: next(answers[word] for word in command if word in answers))
    host = Host("docker", MEMBERS, (), "192.0.2.11", None, None, 1984, 30, logs=logs)
    assert bad(ask_host(host)) == asked


def test_a_host_without_anything_of_kolla_is_not_well(monkeypatch):
    monkeypatch.setattr(Host, "ask", lambda *_, **__: "cron.service enabled enabled\n")
    host = Host("docker", MEMBERS, (), "192.0.2.11", None, None, 1984, 30)
    assert bad(ask_host(host)) == {("containers are there", "host"): "none"}
