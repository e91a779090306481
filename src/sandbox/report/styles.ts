/** The look of all reports, on a phone, on a desk and on paper. */
export const styles = `
:root { --ink: #18243a; --soft: #5b6b80; --line: #e1e7ec; --track: #e9eef2; --paper: #fff; --desk: #eef2f4;
  --accent: #0f766e; --tint: #e8f4f2; --warm: #b45309; --warm-tint: #fdf3e4; }
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
.chart { display: grid; grid-template-columns: minmax(130px, 34%) 1fr 76px; gap: 9px 16px; align-items: center; }
.chart .head, .axis { color: var(--soft); font-size: .82rem; }
.chart .name { line-height: 1.5; }
.chart .score { text-align: center; font-weight: 600; white-space: nowrap; }
.chart .score small { color: var(--soft); font-weight: 400; }
.track { position: relative; height: 22px; background: var(--track); border-radius: 11px; }
.track::before { content: ""; position: absolute; inset: 0; border-radius: 11px;
  background: repeating-linear-gradient(to left, transparent 0 calc(25% - 2px), var(--paper) calc(25% - 2px) 25%); }
.fill { position: absolute; inset-block: 0; inset-inline-start: 0; border-radius: 11px; background: var(--accent); min-width: 22px; }
.fill.warm { background: var(--warm); }
.fill span { position: absolute; inset-inline-end: 9px; top: 0; line-height: 22px; color: #fff; font-size: .8rem; font-weight: 600; }
.fill.short span { inset-inline-end: auto; inset-inline-start: calc(100% + 7px); color: var(--ink); }
.axis { display: flex; justify-content: space-between; }
.card { display: grid; grid-template-columns: 1fr 172px; gap: 4px 22px; border: 1px solid var(--line); border-radius: 12px;
  padding: 15px 20px; margin: 12px 0; break-inside: avoid; }
.card p { margin: 4px 0 0; }
.card svg { width: 172px; height: 62px; grid-row: span 2; align-self: center; }
.chip { display: inline-block; margin-inline-start: 8px; padding: 0 11px; border-radius: 20px; font-size: .8rem; font-weight: 600;
  background: var(--tint); color: var(--accent); white-space: nowrap; }
.chip.warm { background: var(--warm-tint); color: var(--warm); }
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
  .chart { grid-template-columns: 1fr 62px; gap: 3px 12px; }
  .chart .name { grid-column: 1 / -1; margin-top: 9px; }
  .chart .head.first, .chart .pad { display: none; }
  .card { grid-template-columns: 1fr; } .card svg { grid-row: auto; justify-self: center; margin-top: 8px; }
}
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e6ebf1; --soft: #9aa8b9; --line: #2c3746; --track: #2a3543; --paper: #18212c; --desk: #0f151c;
    --accent: #2a9d92; --tint: #17302f; --warm: #cf7a1c; --warm-tint: #362817; }
  .kind, .chip, .person .role { color: #5cc8bd; } .chip.warm { color: #f0b060; }
}
@media print {
  @page { size: A4; margin: 13mm; }
  html { font-size: 12px; } body { background: none; } .sheet { margin: 0; padding: 12px 0 0; max-width: none; box-shadow: none; border-radius: 0; }
  h2 { break-after: avoid; }
}
`
