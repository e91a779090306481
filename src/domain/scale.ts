import { isFields } from './fields.ts'
import { toAsciiDigits } from './persian/clean.ts'
import { readSaid, readText } from './said.ts'

/** One scale of a test as the result gives it (spec, Result); nothing of it is concluded. */
export type Scale = {
  title?: string
  score?: number
  /** How many of a hundred people score lower. */
  percentile?: number
  interpretation?: string
  /** Words under names that the specification does not give, as they stand there. */
  said?: string[]
}

/** Reads one scale; `undefined` where there is nothing in it to show. */
export function readScale(data: unknown): Scale | undefined {
  if (!isFields(data)) return undefined
  const title = readText(data.title)
  const score = readNumber(data.score)
  const percentile = readNumber(data.percentile)
  const interpretation = readText(data.interpretation)
  const said = readSaid({
    ...data,
    title: undefined,
    ...(interpretation && { interpretation: undefined }),
  })
  const scale: Scale = {
    ...(title && { title }),
    ...(score !== undefined && { score }),
    ...(percentile !== undefined && { percentile }),
    ...(interpretation && { interpretation }),
    ...(said.length > 0 && {
      said: said.map(({ title: head, text }) => (head ? `${head}: ${text}` : text)),
    }),
  }
  return Object.keys(scale).length > 0 ? scale : undefined
}

function readNumber(value: unknown): number | undefined {
  const text =
    typeof value === 'string' ? toAsciiDigits(value.trim()).replace('\u2212', '-').replace('\u066b', '.') : ''
  const number = text ? Number(text) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
