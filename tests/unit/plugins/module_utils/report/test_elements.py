# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Elements escape whatever they are given."""

from __future__ import annotations

import re
from html import unescape

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.report.elements import ATTRIBUTES, NAMES, Markup, tag
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.plugins.module_utils.report.reading import Page
from tests.unit.tree import files, name

CASES = [
    (tag("p"), "<p></p>"),
    (tag("p", "a < b & c"), "<p>a &lt; b &amp; c</p>"),
    (tag("p", tag("b", "<i>"), None, 7), "<p><b>&lt;i&gt;</b>7</p>"),
    (tag("p", str(tag("b", "x"))), "<p>&lt;b&gt;x&lt;/b&gt;</p>"),
    (tag("p", f"{tag('b', 'x')}"), "<p>&lt;b&gt;x&lt;/b&gt;</p>"),
    (tag("ul", (tag("li", n) for n in range(2))), "<ul><li>0</li><li>1</li></ul>"),
    (tag("ul", [("a", [None, "b"])]), "<ul>ab</ul>"),
    (tag("p", "{{ lookup('env', 'HOME') }}"), "<p>{{ lookup(&#x27;env&#x27;, &#x27;HOME&#x27;) }}</p>"),
    (tag("td", class_='"><script>'), '<td class="&quot;&gt;&lt;script&gt;"></td>'),
    (tag("td", id=None, open=False, tabindex=0, aria_label="'"), '<td tabindex="0" aria-label="&#x27;"></td>'),
    (tag("details", open=True), "<details open></details>"),
    (tag("rect", x=1.5, y=2.0, width=3), '<rect x="1.5" y="2" width="3"></rect>'),
    (tag("a", "x", href="#a&b"), '<a href="#a&amp;b">x</a>'),
    (tag("br"), "<br>"),
    (tag("style", "a>b{}"), "<style>a>b{}</style>"),
    (tag("p", "a\x00b\x1b[0m\u202eevil\ud800"), "<p>a\ufffdb\ufffd[0m\ufffdevil\ufffd</p>"),
    (tag("p", "a\n\tb\u00a0c"), "<p>a\n\tb\u00a0c</p>"),
]  # fmt: skip


@pytest.mark.parametrize(("made", "written"), CASES, ids=lambda value: str(value)[:30].encode("unicode_escape").decode())
def test_written(made, written):
    assert str(made) == written


@pytest.mark.parametrize(
    ("name", "attributes"),
    [
        ("script", {}),
        ("iframe", {}),
        ("img", {}),
        ("p onload=x", {}),
        ("a", {"href": "https://example.org"}),
        ("a", {"href": "javascript:alert(1)"}),
        ("a", {"href": ""}),
        ("p", {"onclick": "x"}),
        ("p", {"style": "x"}),
        ("p", {"src": "x"}),
    ],
)
def test_refused(name, attributes):
    with pytest.raises((ValueError, KeyError)):
        tag(name, **attributes)


def test_style_sheets_cannot_be_left():
    with pytest.raises(ValueError, match="no <"):
        tag("style", "</style><script>")


@given(st.text())
def test_text_comes_back_and_nothing_else(value):
    written = str(tag("p", tag("span", value, id=value), value))
    assert [name for name, _ in Page(written).elements] == ["p", "span"]
    shown = "".join(one if one.isprintable() or one in "\n\t\u00a0" else "\ufffd" for one in value)
    assert unescape(re.fullmatch(r'<p><span id="[^"<>]*">[^<>]*</span>([^<>]*)</p>', written, re.DOTALL)[1]) == shown


def test_nothing_known_runs_code_or_loads():
    assert not {"script", "iframe", "object", "embed", "img", "image", "link", "base", "form", "use", "foreignObject"} & set(NAMES)
    assert not [one for one in ATTRIBUTES.values() if one.startswith("on") or one in ("src", "style", "srcdoc", "action", "xlink:href")]


def test_only_the_builder_makes_markup():
    sources = files("plugins/module_utils/report/*.py")
    assert sources
    assert [name(path) for path in sources if re.search(r"\bMarkup\(", path.read_text()) and path.name != "elements.py"] == []
    assert not isinstance(tag("p"), str)
    assert isinstance(tag("p"), Markup)
