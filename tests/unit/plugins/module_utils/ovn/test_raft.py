# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import hashlib
import json

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.errors import ClusterRefused, OvnRefused
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.leaving import plan_gone
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.local import make_alone, move_away, plan_file
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.raft import Member, parse_status, read_file

# As a member of OVN 23.03 said it, with another one away.
LEADER = """\
0a02
Name: OVN_Southbound
Cluster ID: ccb6 (ccb63649-1114-4e27-b923-5221909529de)
Server ID: 0a02 (0a02b710-46cb-4425-a67e-733f187eeba3)
Address: ssl:10.89.97.11:6644
Status: cluster member
Role: leader
Term: 3
Leader: self
Vote: self

Last Election started 5005 ms ago, reason: timeout
Last Election won: 5003 ms ago
Election timer: 2000
Log: [2, 7]
Entries not yet committed: 1
Entries not yet applied: 2
Connections: ->db2e (->7d6c) <-db2e
Disconnections: 4
Servers:
    0a02 (0a02 at ssl:10.89.97.11:6644) (self) next_index=3 match_index=6
    db2e (db2e at ssl:10.89.97.13:6644) next_index=7 match_index=6 last msg 154 ms ago
    7d6c (7d6c at ssl:[2001:db8::12]:6644) next_index=7 match_index=5 last msg 14001 ms ago
"""
JOINING = """\
7d6c
Name: OVN_Southbound
Cluster ID: not yet known
Server ID: 7d6c (7d6c0000-46cb-4425-a67e-733f187eeba3)
Address: ssl:10.89.97.12:6644
Status: joining cluster
Remotes for joining: ssl:10.89.97.11:6644
Role: follower
Term: 0
Leader: unknown
Vote: unknown

Log: [2, 2]
Entries not yet committed: 0
Entries not yet applied: 0
Connections: <-0000 (->0000)
Disconnections: 0
Servers:
"""


def test_leader():
    status = parse_status(LEADER)
    assert (status.role, status.leader, status.term, status.election_ms, status.entries) == ("leader", "self", 3, 2000, (2, 7))
    assert (status.uncommitted, status.unapplied, status.disconnections) == (1, 2, 4)
    assert (status.cluster, status.server) == ("ccb63649-1114-4e27-b923-5221909529de", "0a02b710-46cb-4425-a67e-733f187eeba3")
    assert status.members[1:] == (Member("db2e", "ssl:10.89.97.13:6644", 154, 6), Member("7d6c", "ssl:[2001:db8::12]:6644", 14001, 5))


def test_joining():
    status = parse_status(JOINING)
    assert (status.status, status.cluster, status.members, status.leader) == ("joining cluster", "", (), "unknown")


def test_not_clustered():
    with pytest.raises(OvnRefused, match="no status of a cluster"):
        parse_status('"cluster/status" is not a valid command')


def record(kind, content):
    text = f"{json.dumps(content)}\n"
    return f"OVSDB {kind} {len(text)} {hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()}\n{text}"


def test_file_of_a_cluster(tmp_path):
    head = {"server_id": "s", "cluster_id": "c", "local_address": "ssl:a:1", "name": "OVN_Northbound"}
    (tmp_path / "db").write_text(record("CLUSTER", head).removeprefix("OVSDB ") + "more")
    found = read_file(tmp_path / "db")
    assert (found.kind, found.server, found.cluster, found.address) == ("cluster", "s", "c", "ssl:a:1")


@pytest.mark.parametrize(
    ("rows", "content"),
    [({}, False), ({"NB_Global": {"u": {}}}, False), ({"Logical_Switch": {"u": {"name": "net"}}}, True)],
    ids=["nothing", "only the global row", "a network"],
)
def test_file_that_stands_alone(tmp_path, rows, content):
    compact = json.dumps(rows, separators=(",", ":"))
    (tmp_path / "db").write_text(
        record("JSON", {"name": "OVN_Northbound", "tables": {"Logical_Switch": {}}}) + f"OVSDB JSON {len(compact)} {'0' * 40}\n{compact}"
    )
    found = read_file(tmp_path / "db")
    assert (found.kind, found.content) == ("alone", content)


@pytest.mark.parametrize("text", ["", "something else\n", "CLUSTER 99 " + "0" * 40 + "\n{"], ids=["empty", "foreign", "cut off"])
def test_file_that_is_none(tmp_path, text):
    (tmp_path / "db").write_text(text)
    assert read_file(tmp_path / "db").kind == "unknown"
    with pytest.raises(ClusterRefused, match="is in the way"):
        plan_file(read_file(tmp_path / "db"), founder=True, remotes=())


def test_no_file(tmp_path):
    assert read_file(tmp_path / "db") is None
    assert plan_file(None, founder=True, remotes=()) == "create"
    assert plan_file(None, founder=False, remotes=["ssl:a:1"]) == "join"
    with pytest.raises(ClusterRefused, match="no member to join"):
        plan_file(None, founder=False, remotes=())


def test_move_away_keeps_the_content(tmp_path):
    (tmp_path / "db").write_text("networks")
    aside = move_away(tmp_path / "db")
    assert not (tmp_path / "db").exists()
    assert (tmp_path / aside).read_text() == "networks"


def test_alone_wants_a_member(tmp_path):
    with pytest.raises(ClusterRefused, match="is no database of a cluster"):
        make_alone(tmp_path / "db", "ssl:a:1", 1000)


def test_gone():
    status = parse_status(LEADER)
    assert plan_gone(status, "ssl:10.89.97.13:6644") == ["db2e"]
    assert plan_gone(status, "ssl:192.0.2.9:6644") == []
    with pytest.raises(ClusterRefused, match="it is the member that was asked"):
        plan_gone(status, "ssl:10.89.97.11:6644")


def test_gone_without_a_majority():
    with pytest.raises(ClusterRefused, match="more than half of the members are gone"):
        plan_gone(parse_status(LEADER.replace("Leader: self", "Leader: unknown")), "ssl:10.89.97.13:6644")
