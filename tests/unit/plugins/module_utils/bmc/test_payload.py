# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.payload import count, dig, is_whole, link_path, mac, number, text
from hypothesis import given
from hypothesis import strategies as st

MACS = {
    "colons": ("A0:88:C2:08:54:5C", "a0:88:c2:08:54:5c"),
    "dashes": ("a0-88-c2-08-54-5c", "a0:88:c2:08:54:5c"),
    "none": ("A088C208545C", "a0:88:c2:08:54:5c"),
    "dots": ("a088.c208.545c", "a0:88:c2:08:54:5c"),
    "local": ("0a:ca:fe:f0:0d:04", "0a:ca:fe:f0:0d:04"),
    "zero": ("00:00:00:00:00:00", None),
    "multicast": ("01:00:5e:00:00:01", None),
    "broadcast": ("ff:ff:ff:ff:ff:ff", None),
    "wwn": ("20:00:a0:88:c2:08:54:5c", None),
    "guid": ("a088c20300085 45c0001", None),
    "words": ("Not Available", None),
    "empty": ("", None),
    "null": (None, None),
    "number": (42, None),
}
TEXTS = {
    "plain": ("PowerEdge R750", "PowerEdge R750"),
    "padded": ("  MK000480  GWSSC   ", "MK000480 GWSSC"),
    "placeholder": ("To be filled by O.E.M.", None),
    "default": ("Default string", None),
    "counting": ("0123456789", None),
    "zeros": ("00000000", None),
    "dots": ("..........", None),
    "null": (None, None),
    "number": (7, None),
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda one: st.lists(one) | st.dictionaries(st.text(), one)
)


@pytest.mark.parametrize(("given", "want"), MACS.values(), ids=MACS)
def test_mac(given, want):
    assert mac(given) == want


@pytest.mark.parametrize(("given", "want"), TEXTS.values(), ids=TEXTS)
def test_text(given, want):
    assert text(given) == want


@given(JSON)
def test_nothing_a_bmc_sends_breaks_the_readers(value):
    for function in (mac, text, number, count, link_path, is_whole):
        function(value)
    dig(value, "a", "b")
    found = mac(value)
    assert found is None or mac(found) == found


@pytest.mark.parametrize(
    ("path", "want"),
    [("/redfish/v1/Systems/1/", "/redfish/v1/Systems/1"), ("/a#/Fans/0", "/a"), ("https://elsewhere/a", None), ("", None), (None, None)],
)
def test_link_path(path, want):
    assert link_path({"@odata.id": path}) == want
