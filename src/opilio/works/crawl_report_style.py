"""The style sheet of report pages: one text, put into the page. Colours are those of Opilio's own pages."""

STYLE = """
:root {
  color-scheme: light dark;
  --canvas: light-dark(#f6f7f5, #131715); --surface: light-dark(#fff, #1a1f1d); --line: light-dark(#dde3df, #2d3532);
  --text: light-dark(#1b2420, #e6ebe8); --quiet: light-dark(#55625c, #a3b0aa); --accent: light-dark(#0b6b55, #5fcaa9);
  --c0: light-dark(#0b6b55, #5fcaa9); --c1: light-dark(#1c5a8f, #8cc4f2); --c2: light-dark(#b3720a, #f0c169);
  --c3: light-dark(#a8261c, #ff9c91); --c4: light-dark(#6b4a9c, #c7aef0); --c5: light-dark(#55625c, #a3b0aa);
  --c6: light-dark(#127d92, #74d5e6); --c7: light-dark(#94386f, #f0a3d0);
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 70rem; background: var(--canvas); color: var(--text);
  font: 0.9375rem/1.5 system-ui, "Segoe UI", "Noto Sans", "Liberation Sans", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 0 0 0.75rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 0.5rem; }
p { margin: 0.5rem 0; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, .wide:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--surface); padding: 0.5rem; }
.state { display: inline-block; padding: 0 0.5rem; border: 1px solid currentColor; border-radius: 1rem;
  font-weight: 600; }
.finished { color: var(--c0); } .limit, .stopped { color: light-dark(#7d4e00, #f0c169); }
.aborted { color: var(--c3); } .running { color: var(--c1); }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; padding: 0; margin: 1rem 0; }
nav a { display: inline-block; padding: 0.125rem 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); gap: 0.75rem;
  margin: 0 0 1rem; }
.figures div, section { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; }
.figures div { padding: 0.75rem 1rem; display: flex; flex-direction: column-reverse; justify-content: flex-end; }
.figures dd { margin: 0; font-size: 1.25rem; font-weight: 600; }
.figures dt { color: var(--quiet); font-size: 0.8125rem; }
section { padding: 1rem 1.25rem 1.25rem; margin: 0 0 1rem; }
.none { color: var(--quiet); }
.plot { margin: 0.75rem 0 1.25rem; }
figcaption { font-weight: 600; margin-bottom: 0.375rem; }
.plot > svg { display: block; overflow: visible; }
svg text { fill: var(--text); font-size: 12px; }
svg .value { fill: var(--quiet); }
svg .axis { stroke: var(--quiet); } svg .grid { stroke: var(--line); stroke-dasharray: 3 3; }
svg .area { fill-opacity: 0.35; stroke: var(--c0); stroke-width: 1.5; }
svg .part { stroke: var(--surface); stroke-width: 1; }
.p0 { fill: var(--c0); } .p1 { fill: var(--c1); } .p2 { fill: var(--c2); } .p3 { fill: var(--c3); }
.p4 { fill: var(--c4); } .p5 { fill: var(--c5); } .p6 { fill: var(--c6); } .p7 { fill: var(--c7); }
.k0 { background: var(--c0); } .k1 { background: var(--c1); } .k2 { background: var(--c2); }
.k3 { background: var(--c3); } .k4 { background: var(--c4); } .k5 { background: var(--c5); }
.k6 { background: var(--c6); } .k7 { background: var(--c7); }
.legend { display: flex; flex-wrap: wrap; gap: 0.125rem 1.25rem; list-style: none; padding: 0; margin: 0.5rem 0 0; }
.key { display: inline-block; width: 0.75rem; height: 0.75rem; border-radius: 2px; margin-right: 0.375rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
caption { text-align: left; font-weight: 600; padding: 0.25rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.375rem 0.75rem 0.375rem 0;
  border-top: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td { min-width: 5rem; }
.url, code { font: 0.8125rem/1.5 ui-monospace, "SFMono-Regular", Consolas, "Liberation Mono", monospace; }
.url, code, td bdi { overflow-wrap: anywhere; }
.urls { padding-left: 1.25rem; }
details { margin: 0.5rem 0; }
summary { cursor: pointer; color: var(--accent); }
footer { color: var(--quiet); font-size: 0.8125rem; }
@media (max-width: 40rem) { body { padding: 0.75rem; } section { padding: 0.75rem; } .wide table { min-width: 32rem; } }
@media print { nav, .skip { display: none; } section { break-inside: avoid-page; border: 0; } }
"""
