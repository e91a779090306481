/** The styles of all reports, for phones, desktop screens and paper. */
export const styles = `
:root { --ink: #18243a; --soft: #5b6b80; --line: #e1e7ec; --track: #e2eae8; --pale: #a9d3cc; --ridge: #7f9c98; --paper: #fff; --desk: #eef2f4;
  --accent: #0f766e; --tint: #e8f4f2; --warm: #9a4a06; --warm-tint: #fbe9d0; --stripe: #e9b878; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--desk); color: var(--ink); line-height: 1.95; font-size: 1rem;
  font-family: Vazirmatn, Vazir, IRANSansX, "Segoe UI", "Noto Sans Arabic", "Geeza Pro", Tahoma, "DejaVu Sans", sans-serif;
  -webkit-print-color-adjust: exact; print-color-adjust: exact; }
.sheet { max-width: 820px; margin: 28px auto; background: var(--paper); border-radius: 14px; overflow: hidden;
  border-top: 9px solid var(--accent); box-shadow: 0 10px 40px rgb(24 36 58 / .10); padding: 34px 42px 26px; }
.kind { margin: 0; color: var(--accent); font-weight: 600; font-size: .9rem; }
h1 { margin: 2px 0 16px; font-size: 1.75rem; line-height: 1.5; }
h2 { margin: 38px 0 12px; font-size: 1.2rem; padding-bottom: 6px; border-bottom: 1px solid var(--line); }
h3 { margin: 0; font-size: 1.04rem; }
p { margin: 6px 0; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(180px, 1fr)); gap: 10px 18px; margin: 0;
  padding: 14px 0; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
.facts dt { color: var(--soft); font-size: .82rem; }
.facts dd { margin: 0; font-weight: 600; }
bdi { white-space: nowrap; }
.summary { margin-top: 24px; background: var(--tint); border-inline-start: 5px solid var(--accent);
  border-radius: 10px; padding: 14px 20px; font-size: 1.04rem; }
.chart .head { color: var(--soft); font-size: .86rem; margin: 0 0 10px; }
.row { display: grid; grid-template-columns: minmax(170px, 32%) 1fr 112px; gap: 4px 18px; align-items: center; padding: 8px 0;
  break-inside: avoid; }
.row .name { line-height: 1.7; font-weight: 600; }
.row .score { text-align: center; font-weight: 600; line-height: 1.5; }
.row .score small { color: var(--soft); font-weight: 400; } .row .usual { display: block; white-space: nowrap; }
.axis { grid-column: 2; position: relative; height: 1.6em; color: var(--soft); font-size: .82rem; }
.axis span { position: absolute; transform: translateX(50%); }
.hill { position: relative; height: 64px; }
.hill svg { display: block; width: 100%; height: 100%; overflow: visible; border-bottom: 2px solid var(--ridge); }
.hill .all { fill: var(--track); } .hill .below { fill: var(--pale); } .hill .care { fill: var(--warm-tint); }
.hill .stripes { stroke: var(--stripe); stroke-width: 3; fill: none; vector-effect: non-scaling-stroke; }
.hill .quarter { stroke: var(--paper); stroke-width: 1.5; fill: none; vector-effect: non-scaling-stroke; }
.hill .ridge { stroke: var(--ridge); stroke-width: 2; fill: none; vector-effect: non-scaling-stroke; }
.pill { position: absolute; bottom: 0; transform: translateX(50%); min-width: 34px; padding: 0 11px; border-radius: 14px; text-align: center;
  background: var(--accent); color: #fff; font-weight: 700; font-size: .88rem; line-height: 27px; }
.pill.warm { background: var(--warm); border-radius: 0; padding: 0 14px;
  clip-path: polygon(0 50%, 10px 0, calc(100% - 10px) 0, 100% 50%, calc(100% - 10px) 100%, 10px 100%); }
.better { position: absolute; top: -4px; color: var(--soft); font-size: .8rem; line-height: 1.5; }
.better.low { inset-inline-start: 0; } .better.high { inset-inline-end: 0; }
.card { display: grid; grid-template-columns: 1fr 250px; gap: 4px 22px; border: 1px solid var(--line); border-radius: 12px;
  padding: 15px 20px; margin: 12px 0; break-inside: avoid; }
.card p { margin: 4px 0 0; }
.card .hill { grid-row: span 2; align-self: center; }
.chip { display: inline-block; padding: 0 4px; font-size: .82rem; font-weight: 400; color: var(--soft); white-space: nowrap; }
.chip > span { color: var(--accent); font-size: .72em; }
.chip.warm, .chip.warm > span { color: var(--warm); font-weight: 600; }
.person { border: 1px solid var(--line); border-radius: 12px; padding: 12px 18px; break-inside: avoid; }
.people { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 12px; margin-top: 20px; }
.person .role { color: var(--accent); font-weight: 600; font-size: .85rem; margin: 0; }
.person p { margin: 0; } .muted { color: var(--soft); font-size: .9rem; }
.test { margin: 18px 0 26px; break-inside: avoid; } .test h3 { margin-bottom: 8px; }
footer { margin-top: 34px; border-top: 1px solid var(--line); color: var(--soft); font-size: .84rem; }
@media (max-width: 620px) {
  .sheet { margin: 0; border-radius: 0; padding: 22px 18px; }
  h1 { font-size: 1.4rem; }
  .facts { grid-template-columns: 1fr 1fr; }
  .row { grid-template-columns: 1fr 104px; gap: 2px 12px; }
  .row .name { grid-column: 1 / -1; margin-top: 6px; } .axis { grid-column: 1; }
  .card { grid-template-columns: 1fr; } .card .hill { grid-row: auto; margin-top: 8px; }
}
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e6ebf1; --soft: #9aa8b9; --line: #2c3746; --track: #2a3543; --pale: #1f6d66; --ridge: #6d8a90; --paper: #18212c; --desk: #0f151c;
    --accent: #2a9d92; --tint: #17302f; --warm: #b8661a; --warm-tint: #362817; --stripe: #8a5a22; }
  .kind, .chip > span, .person .role { color: #5cc8bd; } .chip.warm, .chip.warm > span { color: #f0b060; }
}
@media print {
  @page { size: A4; margin: 13mm; }
  html { font-size: 12px; } body { background: none; } .sheet { margin: 0; padding: 12px 0 0; max-width: none; box-shadow: none; border-radius: 0; }
  h2 { break-after: avoid; }
}
`
