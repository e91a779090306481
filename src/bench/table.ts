export type Row = {
  what: string
  value: number
  /** How the value is shown; the default is two decimals. */
  show?: (value: number) => string
  /** `most` or `least` that is good enough. */
  goal?: { most: number } | { least: number }
}

/** Prints what was measured beside what it should be. */
export function printTable(title: string, rows: readonly Row[]): void {
  const cells = rows.map(({ what, value, goal, show = ratio }) => [
    what,
    show(value),
    goalOf(goal, value, show),
  ])
  const width = (column: number) => Math.max(...cells.map((row) => row[column]?.length ?? 0))
  const [first, second] = [width(0), width(1)]
  console.log(`\n${title}`)
  for (const [what = '', value = '', goal = ''] of cells) {
    console.log(`  ${what.padEnd(first)}  ${value.padStart(second)}  ${goal}`.trimEnd())
  }
}

export const ratio = (value: number): string => value.toFixed(2)
export const count = (value: number): string => String(Math.round(value * 100) / 100)
export const percent = (value: number): string => `${(value * 100).toFixed(1)} %`
export const bytes = (value: number): string => `${Math.round(value)} B`
export const milliseconds = (value: number): string => `${Math.round(value)} ms`
export const microseconds = (value: number): string => `${Math.round(value)} µs`

function goalOf(goal: Row['goal'], value: number, show: (value: number) => string): string {
  if (!goal) return ''
  if ('most' in goal) return `≤ ${show(goal.most)} ${value <= goal.most ? 'yes' : 'MISSED'}`
  return `≥ ${show(goal.least)} ${value >= goal.least ? 'yes' : 'MISSED'}`
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
