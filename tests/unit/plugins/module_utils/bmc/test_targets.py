# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.errors import CredentialsMissing, OptionsRefused
from ansible_collections.frontier.vitro.plugins.module_utils.bmc.targets import Target, check_credentials, parse_targets, read_address_files
from hypothesis import given
from hypothesis import strategies as st

GOOD = {
    "one": (["192.0.2.10"], ["192.0.2.10"]),
    "name": (["BMC-1.example"], ["bmc-1.example"]),
    "name with dashes and digits": (["10-bmc.example"], ["10-bmc.example"]),
    "range": (["192.0.2.10-192.0.2.12"], ["192.0.2.10", "192.0.2.11", "192.0.2.12"]),
    "short range": (["192.0.2.10-12"], ["192.0.2.10", "192.0.2.11", "192.0.2.12"]),
    "network": (["192.0.2.0/30"], ["192.0.2.1", "192.0.2.2"]),
    "host network": (["192.0.2.1/32"], ["192.0.2.1"]),
    "ipv6": (["[2001:db8::1]", "2001:db8::2"], ["2001:db8::1", "2001:db8::2"]),
    "ipv6 range": (["2001:db8::1-2001:db8::2"], ["2001:db8::1", "2001:db8::2"]),
    "one text": ("192.0.2.1", ["192.0.2.1"]),
    "a text with commas": ("192.0.2.1, 192.0.2.8-9", ["192.0.2.1", "192.0.2.8", "192.0.2.9"]),
    "another port than the range's": (["192.0.2.1-2", {"address": "192.0.2.2", "port": 8443}], ["192.0.2.1", "192.0.2.2"]),
    "the same, the other way round": ([{"address": "192.0.2.2", "port": 8443}, "192.0.2.1-2"], ["192.0.2.2", "192.0.2.1"]),
    "two ports of one address": (["192.0.2.1", {"address": "192.0.2.1", "port": 8443}], ["192.0.2.1", "192.0.2.1"]),
}
BAD = {
    "none": ([], "there is none"),
    "too many": (["10.0.0.0/16"], "65,536"),
    "too many in a range": (["10.0.0.0-10.1.0.0"], "65,537"),
    "too many together": (["10.0.0.0/20", "10.1.0.0/20"], "8,188 addresses"),
    "backwards": (["192.0.2.9-192.0.2.3"], "192.0.2.9-192.0.2.3"),
    "octet": (["192.0.2.256"], "192.0.2.256"),
    "short": (["192.0.2"], "192.0.2"),
    "mask": (["192.0.2.0/33"], "192.0.2.0/33"),
    "words": (["two words"], "two words"),
    "port in the address": (["192.0.2.1:8443"], "write the port as `port`"),
    "nothing": ([{"port": 443}], "`address` is missing"),
    "number": ([42], "neither an address nor a dictionary"),
    "unknown key": ([{"address": "192.0.2.1", "adress": 1}], "did you mean `address`?"),
    "password": ([{"address": "192.0.2.1", "password": "hush"}], "named set in `credentials`"),
    "port": ([{"address": "192.0.2.1", "port": 70000}], "70000"),
    "protocol": ([{"address": "192.0.2.1", "protocol": "telnet"}], "auto, redfish, ipmi"),
    "fingerprint": ([{"address": "192.0.2.1", "fingerprint": "12"}], "SHA-256"),
    "validate_certs": ([{"address": "192.0.2.1", "validate_certs": "maybe"}], "neither true nor false"),
    "credentials": ([{"address": "192.0.2.1", "credentials": "x"}], "there are: dell"),
    "twice": (["192.0.2.1", "192.0.2.1"], "also in entry 1"),
    "ranges overlap": (["192.0.2.1-5", "192.0.2.5-9"], "192.0.2.5"),
    "twice by itself": ([{"address": "192.0.2.1"}, {"address": "192.0.2.1", "unit": 3}], "also in entry 1"),
}
SETS = [{"name": "dell", "username": "root", "password": "calvin-no-more"}]


def parse(targets, **options):
    return parse_targets({"targets": targets, "credentials": SETS, **options})


@pytest.mark.parametrize(("given", "want"), GOOD.values(), ids=GOOD)
def test_addresses(given, want):
    assert [target.address for target in parse(given)] == want


@pytest.mark.parametrize(("given", "words"), BAD.values(), ids=BAD)
def test_mistakes(given, words):
    with pytest.raises(OptionsRefused) as told:
        parse(given)
    assert words in str(told.value)
    assert "hush" not in str(told.value)


def test_all_mistakes_at_once():
    with pytest.raises(OptionsRefused) as told:
        parse([entry for given, _ in BAD.values() for entry in given])
    assert len(told.value.mistakes) >= len(BAD) - 4


def test_one_address_stands_over_the_range_that_has_it():
    found = {target.address: target for target in parse(["192.0.2.1-3", {"address": "192.0.2.2", "rack": "R2", "unit": 9}])}
    assert list(found) == ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
    assert found["192.0.2.2"].location.rack == "R2"
    assert found["192.0.2.1"].location.rack is None
    assert found == {t.address: t for t in parse([{"address": "192.0.2.2", "rack": "R2", "unit": 9}, "192.0.2.1-3"])}


def test_credentials_by_name_else_by_default():
    named, default = parse([{"address": "192.0.2.1", "credentials": "dell"}, "192.0.2.2"], username="vitro", password="other")
    assert (named.username, named.password) == ("root", "calvin-no-more")
    assert (default.username, default.password) == ("vitro", "other")
    assert "calvin" not in repr(named)


SETS_REFUSED = {
    "mapping": ({"name": "x"}, "it is no list"),
    "texts": (["x"], "no dictionary"),
    "no password": ([{"name": "x", "username": "y"}], "`password` is missing"),
    "misspelt": ([{"name": "x", "username": "y", "password": "hush", "passwort": "hush"}], "did you mean `password`?"),
    "twice": ([{"name": "x", "username": "y", "password": "hush"}] * 2, "defined twice"),
}


@pytest.mark.parametrize(("sets", "words"), SETS_REFUSED.values(), ids=SETS_REFUSED)
def test_mistakes_in_credentials(sets, words):
    with pytest.raises(OptionsRefused) as told:
        parse_targets({"targets": ["192.0.2.1"], "credentials": sets})
    assert words in str(told.value)
    assert "hush" not in str(told.value)


def test_numbers_become_texts():
    sets = [{"name": 1, "username": "a", "password": 12345}]
    (found,) = parse_targets({"targets": [{"address": "192.0.2.1", "credentials": 1, "rack": 5}], "credentials": sets})
    assert (found.password, found.location.rack) == ("12345", "5")


def test_only_networks_are_searched():
    assert [t.searched for t in parse(["192.0.2.0/30", "192.0.2.8-9", "192.0.2.20"])] == [True, True, False, False, False]


def test_missing_credentials_name_the_targets():
    with pytest.raises(CredentialsMissing) as told:
        check_credentials([Target(address=f"192.0.2.{n}", username="a") for n in range(1, 9)])
    assert "192.0.2.5:443 and 3 more" in str(told.value)


def test_files_take_the_settings_of_their_entry(tmp_path):
    (tmp_path / "r1.txt").write_text("# rack one\n192.0.2.1\n\n192.0.2.8-9 # pair\n")
    found = read_address_files([{"file": "r1.txt", "rack": "R1"}, "192.0.2.20"], tmp_path)
    assert found == [{"rack": "R1", "address": "192.0.2.1"}, {"rack": "R1", "address": "192.0.2.8-9"}, "192.0.2.20"]
    with pytest.raises(OptionsRefused, match=r"none\.txt.*nor\.txt"):
        read_address_files([{"file": "none.txt"}, {"file": "nor.txt"}], tmp_path)


@given(
    st.lists(
        st.one_of(
            st.text(),
            st.integers(),
            st.none(),
            st.dictionaries(st.sampled_from(["address", "port", "unit", "x"]), st.text() | st.integers()),
        )
    )
)
def test_any_input_is_targets_or_mistakes(entries):
    try:
        found = parse(entries)
    except OptionsRefused as exc:
        assert exc.mistakes
    else:
        assert len({(target.address, target.port) for target in found}) == len(found)
