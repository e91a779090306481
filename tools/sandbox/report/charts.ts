import type { Scale } from '../catalogue/test.ts'
import { needsCare, persian, type ScaleResult } from '../scoring.ts'
import { escapeHtml } from './html.ts'

const bandNames = { low: 'پایین‌تر از معمول', middle: 'در حد معمول', high: 'بالاتر از معمول' }

/** All scales at a glance: for each a hill of a hundred people with the person's place, and the score. */
export function profileChart(results: readonly ScaleResult[]): string {
  const rows = results.map(
    (result) => `<div class="row">
<div class="name">${escapeHtml(result.scale.title)} ${chip(result)}</div>
${hill(result)}
<div class="score">${persian(result.score)} <small>از ${persian(result.scale.highest)}</small>
<small class="usual">معمول: ${usual(result)}</small></div>
</div>`,
  )
  const axis = [10, 25, 50, 75, 90].map(
    (mark, index) =>
      `<span style="inset-inline-start:${across(QUANTILES[index] ?? 0)}%">${persian(mark)}</span>`,
  )
  return `<div class="chart">
<p class="head">هر تپه ۱۰۰ نفر است. عددِ روی آن (درصدک) می‌گوید چند نفر نمرهٔ پایین‌تری دارند.</p>
${rows.join('\n')}
<div class="row"><div class="axis" aria-hidden="true">${axis.join('')}</div></div>
</div>`
}

/** One scale in full: its place on the hill, and the interpretation. */
export function scaleCard(result: ScaleResult): string {
  const { scale, interpretation } = result
  return `<section class="card">
<h3>${escapeHtml(scale.title)} ${chip(result)}</h3>
${hill(result)}
<p>${escapeHtml(interpretation)}</p>
</section>`
}

/** The name of the score; a pointed sign marks scales that need care, also without colour. */
function chip(result: ScaleResult): string {
  const sign = needsCare(result) ? '◆' : '●'
  const classes = needsCare(result) ? 'chip warm' : 'chip'
  return `<span class="${classes}"><span aria-hidden="true">${sign}</span> ${bandNames[result.band]}</span>`
}

function usual({ usual: [low, high] }: ScaleResult): string {
  return low === high ? persian(low) : `${persian(low)} تا ${persian(high)}`
}

/** Standard deviations that are drawn to each side. */
const REACH = 2.5
/** The upper ends of 10, 25, 50, 75 and 90 per cent. */
const QUANTILES = [-1.2816, -0.6745, 0, 0.6745, 1.2816]
const STRIPES_APART = 0.09
const WIDTH = 400
const HEIGHT = 60

/** The norm group as a hill, filled up to this score; low scores are on the right, as Persian is read. */
function hill(result: ScaleResult): string {
  const { scale, score, percentile } = result
  const isCare = needsCare(result)
  const z = Math.max(-REACH, Math.min(REACH, (score - scale.norm.mean) / scale.norm.sd))
  const below = `${outline(-REACH, z)} L${x(z)},${HEIGHT} Z`
  const stripes = isCare ? `<path d="${stripesTo(z)}" class="stripes"/>` : ''
  const quarters = QUANTILES.slice(1, 4).map((quarter) => `M${x(quarter)},${HEIGHT} V${y(quarter)}`)
  return `<div class="hill" role="img" aria-label="درصدک ${persian(percentile)}">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
<path d="${outline(-REACH, REACH)} L${x(REACH)},${HEIGHT} Z" class="all"/><path d="${below}" class="${isCare ? 'care' : 'below'}"/>${stripes}
<path d="${quarters.join(' ')}" class="quarter"/><path d="${outline(-REACH, REACH)}" class="ridge"/>
</svg>
${favourable(scale)}<span class="${isCare ? 'pill warm' : 'pill'}" style="inset-inline-start:clamp(18px, ${across(z)}%, calc(100% - 18px))">${persian(percentile)}</span>
</div>`
}

/** Upright stripes up to a place, which show it also without colour. */
function stripesTo(z: number): string {
  const count = Math.floor((z + REACH) / STRIPES_APART)
  const places = Array.from({ length: count }, (_, index) => (index + 0.5) * STRIPES_APART - REACH)
  return places.map((place) => `M${x(place)},${HEIGHT} V${y(place)}`).join(' ')
}

/** Marks the favourable end, if the scale has one. */
function favourable({ tone }: Scale): string {
  if (tone === 'style') return ''
  return tone === 'strain'
    ? '<span class="better low">▸ مطلوب‌تر</span>'
    : '<span class="better high">مطلوب‌تر ◂</span>'
}

function outline(from: number, to: number): string {
  const steps = 40
  const points = Array.from({ length: steps + 1 }, (_, step) => from + ((to - from) * step) / steps)
  return `M${x(from)},${HEIGHT} ${points.map((z) => `L${x(z)},${y(z)}`).join(' ')}`
}

function across(z: number): string {
  return (50 + (50 * z) / REACH).toFixed(1)
}

function x(z: number): string {
  return (WIDTH * (0.5 - z / (2 * REACH))).toFixed(1)
}

function y(z: number): string {
  return (HEIGHT - (HEIGHT - 2) * Math.exp((-z * z) / 2)).toFixed(1)
}
