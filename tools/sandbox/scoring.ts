import { type Band, questionsOf, type Scale, type TestDefinition } from './catalogue/test.ts'

export interface ScaleResult {
  readonly scale: Scale
  readonly score: number
  /** 1 to 99: how many of a hundred people in the norm group score lower. */
  readonly percentile: number
  readonly band: Band
  /** The scores that are neither low nor high. */
  readonly usual: readonly [low: number, high: number]
  readonly interpretation: string
}

export interface TestResult {
  readonly scales: readonly ScaleResult[]
  readonly summary: string
}

/** Scores a test; `answers` are option ids in the order of its questions. */
export function score(test: TestDefinition, answers: readonly string[]): TestResult {
  const chosen = new Map(
    questionsOf(test).map(({ id, options }, index) => [
      id,
      options.findIndex((option) => option.id === answers[index]),
    ]),
  )
  const scales = test.scales.map((scale) => scoreScale(scale, chosen))
  return { scales, summary: summarise(test, scales) }
}

function scoreScale(scale: Scale, chosen: ReadonlyMap<string, number>): ScaleResult {
  let total = 0
  for (const [question, points] of scale.key) total += points[chosen.get(question) ?? -1] ?? 0
  const percentile = percentileOf(total, scale.norm)
  const band = bandOf(percentile)
  const interpretation = `${scale.texts[band]} ${comparison(percentile)}`
  return { scale, score: total, percentile, band, usual: usualOf(scale), interpretation }
}

function bandOf(percentile: number): Band {
  if (percentile < 31) return 'low'
  return percentile > 69 ? 'high' : 'middle'
}

/** The middle scores. Where no whole score is in the middle, the half point between low and high. */
function usualOf({ highest, norm }: Scale): [low: number, high: number] {
  const scores = Array.from({ length: highest + 1 }, (_, points) => points)
  const middle = scores.filter((points) => bandOf(percentileOf(points, norm)) === 'middle')
  const [first] = middle
  const last = middle.at(-1)
  if (first !== undefined && last !== undefined) return [first, last]
  const lowest = scores.filter((points) => bandOf(percentileOf(points, norm)) === 'low').length
  return [lowest - 0.5, lowest - 0.5]
}

/** Whether a result needs care: a high strain or a low strength. */
export function needsCare({ scale, band }: ScaleResult): boolean {
  return (scale.tone === 'strain' && band === 'high') || (scale.tone === 'strength' && band === 'low')
}

function comparison(percentile: number): string {
  return `از هر ۱۰۰ نفر، حدود ${persian(percentile)} نفر نمره‌ای پایین‌تر از این می‌گیرند.`
}

function summarise(test: TestDefinition, results: readonly ScaleResult[]): string {
  const top = (tone: Scale['tone']) =>
    results.filter(({ scale }) => scale.tone === tone).toSorted((a, b) => b.percentile - a.percentile)[0]
  const strength = top('strength')
  const strain = top('strain')
  const style = top('style')
  const sentences = [test.about]

  if (strength && strength.band !== 'low')
    sentences.push(`در پاسخ‌های شما «${strength.scale.title}» از همه پررنگ‌تر است؛ می‌توانید روی آن حساب کنید.`)
  if (strength?.band === 'low')
    sentences.push(
      'توانایی‌هایی که این آزمون می‌سنجد این روزها کم‌جان‌تر از معمول‌اند؛ با تمرین و همراهی دوباره قوت می‌گیرند.',
    )
  if (strain?.band === 'high')
    sentences.push(
      `«${strain.scale.title}» بیش از بقیه جای مراقبت دارد؛ اگر مدتی است سنگینی می‌کند، گفتگو با یک روان‌شناس کمک می‌کند.`,
    )
  if (strain && strain.band !== 'high')
    sentences.push('فشاری که بیشتر از اندازهٔ معمول باشد در پاسخ‌ها دیده نمی‌شود.')
  if (style) sentences.push(`سبکی که بیش از همه به چشم می‌آید «${style.scale.title}» است.`)
  return sentences.join(' ')
}

/** The percentage of a normal distribution below a score, whole and never 0 or 100. */
function percentileOf(value: number, { mean, sd }: Scale['norm']): number {
  const share = 100 * normalCdf((value - mean) / sd)
  return Math.min(99, Math.max(1, Math.round(share)))
}

/** Abramowitz and Stegun 7.1.26; its error is below 1.5e-7. */
function normalCdf(z: number): number {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  const erf = 1 - series * Math.exp(-x * x)
  return z < 0 ? (1 - erf) / 2 : (1 + erf) / 2
}

const numberFormat = new Intl.NumberFormat('fa-IR', { maximumFractionDigits: 2, useGrouping: false })

/** A number in Persian digits. */
export function persian(value: number): string {
  return numberFormat.format(value)
}
