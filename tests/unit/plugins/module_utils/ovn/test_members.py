# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.errors import ClusterRefused
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.members import plan_bootstrap, url

HOSTS = ("a", "b", "c")
RAFT = {"nb": {one: f"ssl:{one}:6643" for one in HOSTS}, "sb": {one: f"ssl:{one}:6644" for one in HOSTS}}
HOME, OTHER = "11111111-home", "22222222-other"
NOTHING = {"file": None, "status": None}
EMPTY = {"nb": NOTHING, "sb": NOTHING}


def file(host, cluster=HOME, port=6643, **more):
    return {
        "path": "/var/lib/ovn/ovnnb_db.db",
        "kind": "cluster",
        "cluster": cluster,
        "address": f"ssl:{host}:{port}",
        "content": False,
        **more,
    }


def member(host, cluster=HOME, listed=HOSTS):
    """A host with both databases, which run."""
    found = {}
    for kind, port in (("nb", 6643), ("sb", 6644)):
        members = [{"address": f"ssl:{one}:{port}"} for one in listed]
        found[kind] = {"file": file(host, cluster, port), "status": {"cluster": cluster, "members": members}}
    return found


def half(host, **more):
    """One whose Northbound database has something about it, and whose Southbound one is as it should be."""
    return {"nb": {"file": file(host, **more), "status": None}, "sb": member(host)["sb"]}


def test_first_run():
    plan = plan_bootstrap(HOSTS, RAFT, dict.fromkeys(HOSTS, EMPTY), {})["nb"]
    assert plan == {"cluster": "", "founder": "a", "joining": ("b", "c"), "remotes": ("ssl:a:6643",)}


def test_second_run():
    plan = plan_bootstrap(HOSTS, RAFT, {one: member(one) for one in HOSTS}, {"nb": HOME, "sb": HOME})["nb"]
    assert (plan["founder"], plan["joining"]) == ("", ())


def test_cut_off_after_the_founder():
    found = {"a": {"nb": {"file": file("a"), "status": None}, "sb": NOTHING}, "b": EMPTY, "c": EMPTY}
    plan = plan_bootstrap(HOSTS, RAFT, found, {})
    assert (plan["nb"]["founder"], plan["nb"]["joining"], plan["nb"]["remotes"]) == ("", ("b", "c"), ("ssl:a:6643",))
    assert plan["sb"]["founder"] == "a"


def test_cut_off_while_joining():
    """Its file is there and knows no cluster yet: it goes on by itself."""
    found = {"a": member("a", listed=("a",)), "b": half("b", cluster=""), "c": member("c", listed=("a", "c"))}
    assert plan_bootstrap(HOSTS, RAFT, found, {})["nb"]["joining"] == ()


def test_a_founder_that_is_empty_joins():
    found = {"a": EMPTY, "b": member("b", listed=("b", "c")), "c": member("c", listed=("b", "c"))}
    plan = plan_bootstrap(HOSTS, RAFT, found, {"nb": HOME, "sb": HOME})["nb"]
    assert (plan["founder"], plan["joining"], plan["remotes"]) == ("", ("a",), ("ssl:b:6643", "ssl:c:6643"))


def test_a_new_member_of_a_stand_alone_database_without_networks():
    found = {
        **{one: member(one, listed=("a", "b")) for one in "ab"},
        "c": {"nb": {"file": {**file("c"), "kind": "alone"}, "status": None}, "sb": NOTHING},
    }
    assert plan_bootstrap(HOSTS, RAFT, found, {})["nb"]["joining"] == ("c",)


REFUSED = {
    "two clusters of one name": (
        {"a": member("a"), "b": member("b", OTHER), "c": EMPTY},
        {},
        "there are 2 clusters of the name OVN_Northbound",
    ),
    "another cluster's database": (
        {"a": member("a"), "b": member("b"), "c": member("c", OTHER)},
        {"nb": HOME, "sb": HOME},
        "c has a database OVN_Northbound of another cluster",
    ),
    "only another cluster": (
        {one: member(one, OTHER) for one in HOSTS},
        {"nb": HOME, "sb": HOME},
        "a, b, c has a database OVN_Northbound of another cluster",
    ),
    "all empty, and had one": (dict.fromkeys(HOSTS, EMPTY), {"nb": HOME, "sb": HOME}, "none of a, b, c has its database any more"),
    "not all were asked": ({"a": EMPTY, "b": EMPTY}, {}, "c was not asked: a new cluster is made only when every planned member"),
    "emptied member that still counts": ({"a": member("a"), "b": member("b"), "c": EMPTY}, {}, "ovn_replace_member -e target=c"),
    "stand-alone with networks": (
        {**{one: member(one) for one in "ab"}, "c": half("c", kind="alone", content=True)},
        {},
        "has networks in it and stands alone",
    ),
    "no database at all": (
        {**{one: member(one) for one in "ab"}, "c": half("c", kind="unknown")},
        {},
        "is no database of OVSDB's, or is damaged",
    ),
    "address of another host": (
        {**{one: member(one) for one in "ab"}, "c": half("c", address="ssl:x:6643")},
        {},
        "calls itself ssl:x:6643",
    ),
}


@pytest.mark.parametrize(("found", "known", "said"), REFUSED.values(), ids=REFUSED)
def test_refused(found, known, said):
    with pytest.raises(ClusterRefused) as refused:
        plan_bootstrap(HOSTS, RAFT, found, known)
    assert said in str(refused.value)
    assert "Nothing was changed" in str(refused.value)


def test_everything_at_once():
    raft = {kind: {one: at for one, at in members.items() if one != "c"} for kind, members in RAFT.items()}
    found = {"a": member("a", listed="ab"), "b": half("b", kind="unknown")}
    with pytest.raises(ClusterRefused) as refused:
        plan_bootstrap(("a", "b"), raft, found, {})
    assert "(1) 2 members are planned" in str(refused.value)
    assert "(2) /var/lib/ovn/ovnnb_db.db on b" in str(refused.value)


@pytest.mark.parametrize(("address", "wanted"), [("192.0.2.1", "ssl:192.0.2.1:1"), ("2001:db8::1", "ssl:[2001:db8::1]:1")])
def test_url(address, wanted):
    assert url(address, 1) == wanted
