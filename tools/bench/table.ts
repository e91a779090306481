/** One measured figure and its goal. */
export type Row = {
  what: string
  value: number
  /** The middle half of the rounds' values. */
  spread?: Spread
  /** How the value is shown; the default is two decimals. */
  show?: (value: number) => string
  /** The highest (`most`) or lowest (`least`) value that is good enough. */
  goal?: { most: number } | { least: number }
  /** One sentence: what is measured and how. */
  means: string
}

export type Spread = { from: number; to: number }

/** `skipped`: the reason why there are no figures. */
export type Table = { title: string; about: string; rows: readonly Row[]; skipped?: string }

/** A table as Markdown: each figure beside its goal. */
export function markdown({ title, about, rows, skipped }: Table): string {
  const head = `## ${title}\n\n${about}\n`
  if (skipped) return `${head}\nSkipped: ${skipped}.\n`
  const lines = rows.map((row) => `| ${[row.what, measured(row), goalOf(row), row.means].join(' | ')} |`)
  return `${head}\n| | measured | goal | |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`
}

export const ratio = (value: number): string => `${value.toFixed(2)} ×`
export const count = (value: number): string => thousands(Math.round(value * 100) / 100)
export const percent = (value: number): string => `${(value * 100).toFixed(1)} %`
export const bytes = (value: number): string => `${thousands(Math.round(value))} B`
export const megabytes = (value: number): string => `${(value / 1e6).toFixed(1)} MB`
export const milliseconds = (value: number): string =>
  value < 20 ? `${value.toFixed(1)} ms` : `${thousands(Math.round(value))} ms`
export const microseconds = (value: number): string => `${thousands(Math.round(value))} µs`
export const perSecond = (value: number): string => `${thousands(Math.round(value))} /s`

/** A figure with its goal in brackets. */
export function inShort({ what, value, show = ratio, goal }: Row): string {
  const wanted = goal && ('most' in goal ? `≤ ${show(goal.most)}` : `≥ ${show(goal.least)}`)
  return `${what}: ${show(value)} (${wanted})`
}

const thousands = (value: number): string => value.toLocaleString('en')

function measured({ value, spread, show = ratio }: Row): string {
  if (Number.isNaN(value)) return '–'
  return spread ? `${show(value)} (${show(spread.from)} – ${show(spread.to)})` : show(value)
}

function goalOf({ goal, value, show = ratio }: Row): string {
  if (!goal) return ''
  if ('most' in goal) return `≤ ${show(goal.most)} ${value <= goal.most ? '✓' : '**missed**'}`
  return `≥ ${show(goal.least)} ${value >= goal.least ? '✓' : '**missed**'}`
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The value below which this share of all values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}

/** The median and the middle half of the rounds' values. */
export const middle = (values: readonly number[]): { value: number; spread: Spread } => ({
  value: median(values),
  spread: { from: quantile(values, 0.25), to: quantile(values, 0.75) },
})
