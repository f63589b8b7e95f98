# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The style sheet. Screens may be light or dark, paper is always light; wide things scroll in their own box, never the page."""

from __future__ import annotations

from .palette import CHIP_INK, CHIPS, DARK, LANES, LIGHT, variables

BASE = """
*,::before,::after{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;
color:var(--ink);background:var(--page);
-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;font-size:.9375rem;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:.15em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:2px}
code,.mono{font-family:ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.9em}
h1,h2,h3{line-height:1.2;text-wrap:balance;margin:0}
h1{font-size:2.25rem;font-weight:650;letter-spacing:-.02em}
h2{font-size:1.375rem;font-weight:650;letter-spacing:-.01em}
h3{font-size:1rem;font-weight:650;margin:1.75rem 0 .5rem}
p{margin:.5rem 0;max-width:46rem}
ul,ol{margin:0;padding:0;list-style:none}
.muted,small{color:var(--muted)}
small{font-size:.8125rem}
.skip{position:absolute;left:.5rem;top:-4rem;padding:.5rem 1rem;background:var(--page);border:2px solid var(--link);z-index:2}
.skip:focus{top:.5rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.defs{position:absolute}
"""

LAYOUT = """
.page{max-width:90rem;margin:0 auto;padding:2rem 1.5rem 4rem;display:grid;grid-template-columns:minmax(0,1fr);gap:0 2.5rem}
header.top{border-bottom:3px solid var(--ink);padding-bottom:1.25rem}
.kicker{font-size:.8125rem;letter-spacing:.08em;text-transform:uppercase;color:var(--muted);margin:0 0 .25rem}
.state{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1rem;margin:1rem 0 0;padding:.75rem 1rem;
border-left:6px solid;max-width:none}
.state strong{font-size:1.125rem;letter-spacing:.04em}
.state span{color:var(--ink)}
.state.good{color:var(--good);background:var(--good-panel)}
.state.bad{color:var(--bad);background:var(--bad-panel)}
nav{padding:1rem 0}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
nav a{display:inline-block;padding:.125rem 0;text-decoration:none}
nav a:hover{text-decoration:underline}
nav small{margin-left:.25rem}
main>section{padding:1.5rem 0 .75rem;border-top:1px solid var(--rule)}
main>section:first-child{border-top:0}
section>p:first-of-type{margin-top:.375rem}
footer{border-top:1px solid var(--rule);padding-top:1rem;color:var(--muted)}
@media(min-width:72rem){
.page{grid-template-columns:11rem minmax(0,1fr)}
header.top,footer{grid-column:1/-1}
nav ul{display:block;position:sticky;top:1rem}
nav li{padding:.125rem 0}
}
@media(max-width:40rem){.page{padding:1rem .875rem 3rem}h1{font-size:1.75rem}}
"""

TABLES = """
.scroll{overflow-x:auto;margin:.75rem 0 1.25rem}
table{border-collapse:collapse;min-width:min(100%,46rem)}
.dense{font-size:.8125rem;min-width:100%}
.dense th,.dense td{padding-right:.875rem}
.dense tbody td{white-space:nowrap;padding-top:.1875rem;padding-bottom:.1875rem}
.dense tbody th{padding-top:.1875rem}
caption{text-align:left;color:var(--muted);font-size:.8125rem;padding:0 0 .375rem}
th,td{text-align:left;vertical-align:top;padding:.375rem 1.25rem .375rem 0;border-bottom:1px solid var(--rule);overflow-wrap:normal}
th:last-child,td:last-child{padding-right:0}
thead th{font-size:.8125rem;font-weight:600;color:var(--muted);border-bottom:2px solid var(--edge);white-space:nowrap;vertical-align:bottom}
tbody th{font-weight:600}
th small,.names{font-weight:400}
th a{white-space:nowrap}
.n{text-align:right}
.nw,td.nw,th.nw{white-space:nowrap}
td.wide,th.wide{min-width:16rem;max-width:46rem;overflow-wrap:anywhere}
tbody.group{border-top:2px solid var(--edge)}
:target,:target>th,:target>td{background:var(--warn-panel)}
details{margin:.5rem 0}
summary{cursor:pointer;color:var(--link);padding:.25rem 0}
td details,th details{margin:0}
td summary,th summary{padding:0}
.full{width:100%}
td.wide.full{max-width:none}
.flow li{display:inline-block;margin-right:1rem}
dl{margin:0}
dt{color:var(--muted)}
dd{margin:0}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:1px;margin:1rem 1px 0}
.facts div{box-shadow:0 0 0 1px var(--rule);padding:.75rem .875rem}
.facts dt{font-size:.8125rem}
.facts dd{font-size:1.5rem;font-weight:600;line-height:1.25}
.facts small{display:block;font-weight:400}
.finding{border-left:6px solid;padding:.75rem 1rem;margin:.75rem 0}
.finding.bad{border-color:var(--bad);background:var(--bad-panel)}
.finding.warn{border-color:var(--warn);background:var(--warn-panel)}
.finding h3{margin:0 0 .375rem}
.finding dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.125rem .75rem}
.bad .code,.no{color:var(--bad);font-weight:600}
.warn .code{color:var(--warn)}
.ok{color:var(--good);font-weight:600}
.ports{columns:18rem;column-gap:2rem;font-size:.875rem}
.ports li{break-inside:avoid;padding-left:4rem;text-indent:-4rem}
.ports b{display:inline-block;min-width:3rem;text-align:right;text-indent:0}
.what{min-width:17rem;max-width:24rem}
tbody .what{font-weight:400}
"""

PICTURES = """
figure{margin:.75rem 0 1.25rem}
figcaption{font-size:.8125rem;color:var(--muted);margin-bottom:.375rem}
svg{display:block;font-size:12px;font-family:inherit}
svg text{fill:var(--ink)}
svg .soft{fill:var(--muted);font-size:11px}
svg .bold{font-weight:600}
svg .letter{fill:var(--chip-ink);font-size:10px;font-weight:600;text-anchor:middle}
svg .letter.none{fill:var(--muted)}
svg .frame{fill:var(--panel);stroke:var(--edge);stroke-width:1.5}
svg .slot{fill:var(--page);stroke:var(--edge)}
svg .slot.absent{fill:url(#hatch);stroke-dasharray:4 3}
svg .back{fill:var(--page)}
svg .hatch{stroke:var(--rule);stroke-width:5}
svg .thin{stroke:var(--rule);fill:none}
svg .wire{stroke:var(--edge);fill:none;stroke-width:1.5}
svg .port{fill:var(--panel);stroke:var(--edge)}
svg .total{fill:none;stroke:var(--edge)}
svg .lane{stroke-width:3;opacity:.55}
svg a:hover .slot,svg a:focus-visible .slot{stroke:var(--link);stroke-width:2.5}
svg a{text-decoration:none}
.racks{display:flex;flex-wrap:wrap;gap:1.25rem 1.5rem;align-items:flex-end;margin:1rem 0}
.racks figure{margin:0;max-width:100%;overflow-x:auto}
.chip svg{display:inline-block;vertical-align:-2px}
.legend{display:flex;flex-wrap:wrap;gap:.375rem 1.25rem;margin:.75rem 0}
.chip{white-space:nowrap;margin-right:.625rem}
.legend .chip{white-space:normal;margin:0}
.chip b,.key{display:inline-block;min-width:1.25em;padding:0 .25em;margin-right:.3em;text-align:center;
font-size:.75rem;line-height:1.4;font-weight:600;
color:var(--chip-ink);background:var(--chip);border-radius:2px;print-color-adjust:exact;-webkit-print-color-adjust:exact}
"""

PRINT = """
@media print{
html{font-size:12px}
.page{display:block;max-width:none;padding:0}
nav,.skip{display:none}
main>section{break-before:page;border-top:0;padding-top:0}
main>section.run{break-before:auto;padding-top:1.25rem}
h2,h3,caption,figcaption{break-after:avoid}
tr,.finding,figure.rack{break-inside:avoid}
thead{display:table-header-group}
.scroll,.racks figure{overflow:visible}
.map{overflow:visible}
.map svg{width:100%;height:auto}
td.wide,th.wide,.what{min-width:0}
.facts{grid-template-columns:repeat(7,1fr)}
.facts div{padding:.5rem}
.facts dd{font-size:1.125rem}
th,td{padding-right:.75rem}
.dense{font-size:10px}
.dense tbody td{white-space:normal}
a{color:inherit;text-decoration:none}
.state,.finding{print-color-adjust:exact;-webkit-print-color-adjust:exact}
@page{margin:14mm 12mm}
}
"""


def sheet() -> str:
    chips = "".join(f".chip.{name} b,.key.{name}{{--chip:{colour}}}svg .{name}{{fill:{colour}}}" for name, colour in CHIPS.items())
    lanes = "".join(f"svg .net{n}{{stroke:var(--net{n});fill:var(--net{n})}}" for n in range(LANES))
    hollow = "svg .hollow{fill:var(--page);stroke-width:2}"
    light = f":root{{color-scheme:light dark;--chip-ink:{CHIP_INK};--chip:{CHIPS['spare']};{variables(LIGHT)}}}"
    # Only screens: paper is white.
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{variables(DARK)}}}}}"
    return "".join((light, dark, BASE, LAYOUT, TABLES, PICTURES, chips, lanes, hollow, PRINT)).replace("\n", "")
