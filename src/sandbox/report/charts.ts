import { needsCare, persian, type ScaleResult } from '../scoring.ts'
import { escapeHtml } from './html.ts'

const bandNames = { low: 'پایین‌تر از میانه', middle: 'نزدیک به میانه', high: 'بالاتر از میانه' }

/** All scales at a glance: percentile bars from right to left, with the score beside each. */
export function profileChart(results: readonly ScaleResult[]): string {
  const rows = results.map(
    (result) => `<div class="name">${escapeHtml(result.scale.title)}</div>
${bar(result)}
<div class="score">${persian(result.score)} <small>از ${persian(result.scale.highest)}</small></div>`,
  )
  const axis = [0, 25, 50, 75, 100].map((mark) => `<span>${persian(mark)}</span>`).join('')
  return `<div class="chart">
<div class="head first">مقیاس</div><div class="head">درصدک</div><div class="head score">نمره</div>
${rows.join('\n')}
<div class="pad"></div><div class="axis">${axis}</div><div></div>
</div>`
}

/** One scale in full: where it lies on the curve, and what that may mean. */
export function scaleCard(result: ScaleResult): string {
  const { scale, band, interpretation } = result
  return `<section class="card">
<h3>${escapeHtml(scale.title)}<span class="chip${needsCare(result) ? ' warm' : ''}">${bandNames[band]}</span></h3>
${curve(result)}
<p>${escapeHtml(interpretation)}</p>
</section>`
}

function bar(result: ScaleResult): string {
  const { percentile } = result
  const classes = ['fill', needsCare(result) ? 'warm' : '', percentile < 12 ? 'short' : '']
    .filter(Boolean)
    .join(' ')
  const fill = `<div class="${classes}" style="width:${percentile}%"><span>${persian(percentile)}</span></div>`
  return `<div class="track" role="img" aria-label="درصدک ${persian(percentile)}">${fill}</div>`
}

const WIDTH = 172
const HEIGHT = 62
const BASE = HEIGHT - 8

/** The norm group as a bell, filled up to this score; low scores lie on the right, as Persian is read. */
function curve(result: ScaleResult): string {
  const { scale, score } = result
  const z = Math.max(-2.9, Math.min(2.9, (score - scale.norm.mean) / scale.norm.sd))
  const whole = outline(-3, 3)
  const below = `${outline(-3, z)} L${x(z)},${BASE} Z`
  const colour = needsCare(result) ? 'var(--warm)' : 'var(--accent)'
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
<path d="${whole} Z" fill="var(--track)"/><path d="${below}" fill="${colour}" opacity=".35"/>
<line x1="0" x2="${WIDTH}" y1="${BASE}" y2="${BASE}" stroke="var(--line)" stroke-width="1.5"/>
<line x1="${x(z)}" x2="${x(z)}" y1="${BASE}" y2="${y(z)}" stroke="${colour}" stroke-width="2.5"/>
<circle cx="${x(z)}" cy="${y(z)}" r="4.5" fill="${colour}" stroke="var(--paper)" stroke-width="2"/>
</svg>`
}

function outline(from: number, to: number): string {
  const steps = 40
  const points = Array.from({ length: steps + 1 }, (_, step) => from + ((to - from) * step) / steps)
  return `M${x(from)},${BASE} ${points.map((z) => `L${x(z)},${y(z)}`).join(' ')}`
}

function x(z: number): string {
  return (WIDTH * (0.5 - z / 6)).toFixed(1)
}

function y(z: number): string {
  return (BASE - (BASE - 8) * Math.exp((-z * z) / 2)).toFixed(1)
}
