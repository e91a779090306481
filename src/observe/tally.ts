import type { Registry } from 'prom-client'

type Named = { name: string; help: string }
/** A figure with its labels, as Prometheus reads it. */
export type Figure = { labels: Readonly<Record<string, string | number>>; value: number; metricName?: string }

/** Adds a metric whose figures are computed only when they are read. */
export function show(
  register: Registry,
  named: Named & { type: 'counter' | 'gauge' | 'histogram' },
  figures: () => Iterable<Figure>,
): void {
  const get = async () => ({ ...named, values: [...figures()], aggregator: 'sum' })
  // A metric only needs `get`, but the types of prom-client name its own classes.
  register.registerMetric({ ...named, get } as never)
}

/** Adds a counter; prom-client would build the labels at each count. `seen`: what it shows from the start. */
export function tally(
  register: Registry,
  { labels, seen = [], ...named }: Named & { labels: readonly string[]; seen?: readonly string[] },
): (...values: string[]) => void {
  const counts = new Map(seen.map((value) => [value, 0]))
  show(register, { ...named, type: 'counter' }, function* () {
    for (const [key, value] of counts) {
      const values = key.split('\n')
      yield { labels: Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ''])), value }
    }
  })
  return (...values) => {
    const key = values.length === 1 ? (values[0] ?? '') : values.join('\n')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
}

/** Adds a histogram in the same way, over one label; that of prom-client takes only single observations. */
export function timeTally(
  register: Registry,
  { label, buckets, ...named }: Named & { label: string; buckets: readonly number[] },
): (value: string, seconds: number) => void {
  const seen = new Map<string, { counts: number[]; sum: number }>()
  const limits = [...buckets, Number.POSITIVE_INFINITY]
  show(register, { ...named, type: 'histogram' }, function* () {
    for (const [of, { counts, sum }] of seen) {
      const labels = { [label]: of }
      let count = 0
      for (const [at, limit] of limits.entries()) {
        count += counts[at] ?? 0
        const le = limit === Number.POSITIVE_INFINITY ? '+Inf' : limit
        yield { metricName: `${named.name}_bucket`, labels: { le, ...labels }, value: count }
      }
      yield { metricName: `${named.name}_sum`, labels, value: sum }
      yield { metricName: `${named.name}_count`, labels, value: count }
    }
  })
  return (value, seconds) => {
    let of = seen.get(value)
    if (!of) {
      of = { counts: limits.map(() => 0), sum: 0 }
      seen.set(value, of)
    }
    const at = limits.findIndex((limit) => seconds <= limit)
    of.counts[at] = (of.counts[at] ?? 0) + 1
    of.sum += seconds
  }
}
