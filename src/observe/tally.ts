import { Counter, type Registry } from 'prom-client'

type Named = { name: string; help: string }

/**
 * A counter: prom-client puts the labels together at each count, this only when somebody looks. `seen`: what it shows from
 * the start.
 */
export function tally<Label extends string>(
  register: Registry,
  { labels, seen = [], ...named }: Named & { labels: readonly Label[]; seen?: readonly string[] },
): (...values: string[]) => void {
  const counts = new Map(seen.map((value) => [value, 0]))
  new Counter({
    ...named,
    labelNames: labels,
    registers: [register],
    collect() {
      this.reset()
      for (const [key, count] of counts) {
        const values = key.split('\n')
        this.inc(
          Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ''])) as Record<Label, string>,
          count,
        )
      }
    },
  })
  return (...values) => {
    const key = values.length === 1 ? (values[0] ?? '') : values.join('\n')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
}

/** A histogram in the same way, over one label: prom-client's own takes nothing but single observations. */
export function timeTally(
  register: Registry,
  { name, help, label, buckets }: Named & { label: string; buckets: readonly number[] },
): (value: string, seconds: number) => void {
  const seen = new Map<string, { counts: number[]; sum: number }>()
  const limits = [...buckets, Number.POSITIVE_INFINITY]

  function* rows() {
    for (const [value, { counts, sum }] of seen) {
      const labels = { [label]: value }
      let count = 0
      for (const [at, limit] of limits.entries()) {
        count += counts[at] ?? 0
        const le = limit === Number.POSITIVE_INFINITY ? '+Inf' : limit
        yield { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count }
      }
      yield { metricName: `${name}_sum`, labels, value: sum }
      yield { metricName: `${name}_count`, labels, value: count }
    }
  }

  const type = 'histogram'
  const get = async () => ({ name, help, type, values: [...rows()], aggregator: 'sum' })
  // A metric is what can be asked for its values; the types of prom-client name its own classes only.
  register.registerMetric({ name, help, type, get } as never)

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
