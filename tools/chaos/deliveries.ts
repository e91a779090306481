import type { Call } from '../emulator/emulator.ts'
import type { Broken } from '../simulate/promises.ts'
import type { Older } from './stores.ts'

/** A finished step as a replica logs it: its time span and the trace of its account. */
type Step = { from: number; to: number; trace: unknown }
type Send = Call & { key: string; bot: number; chat: number }

export type Seen = {
  calls: readonly Call[]
  /** For each replica: when it continued after a freeze, and its log. */
  bots: readonly { thaws: readonly number[]; log: string }[]
  older: readonly Older[]
  /** For each chat: when its person followed their link once more. */
  asked: ReadonlyMap<number, readonly number[]>
}

/** A replica that was frozen learns within this time that another one took over. */
const RENEWED_MS = 6_000

/** Parts of results that were sent again although Telegram had confirmed them and the bot had stored that. */
export function partsThatCameAgain({ calls, bots, older, asked }: Seen): Broken[] {
  const steps = bots.map(({ log }) => stepsOf(log))
  const sends = calls.flatMap(readSend)
  const stepsAt = ({ bot, at }: Send) => (steps[bot] ?? []).filter(({ from, to }) => from <= at && at <= to)
  const traces = tracesByChat(sends, stepsAt)
  const broken: Broken[] = []
  const known = new Map<string, { copies: number; keptAt: number[] }>()
  for (const send of sends) {
    const { key, at, ok, bot, chat } = send
    const part = known.get(key) ?? { copies: 0, keptAt: [] }
    known.set(key, part)
    const isForgotten = (keptAt: number) =>
      older.some(({ from, to }) => to <= keptAt && keptAt <= from && from <= at)
    const isKept = part.keptAt.some((keptAt) => keptAt < at && !isForgotten(keptAt))
    const wished = (asked.get(chat) ?? []).filter((asking) => asking <= at).length
    const stoodStill = bots[bot]?.thaws.some((thawed) => thawed <= at && at - thawed < RENEWED_MS)
    if (isKept && part.copies > wished && !stoodStill)
      broken.push({ kind: 'doubled', what: `${key} came again at ${new Date(at).toISOString()}` })
    if (!ok) continue
    part.copies += 1
    const step = stepsAt(send).find(({ trace }) => trace === traces.get(chat))
    if (step) part.keptAt.push(step.to)
  }
  return broken
}

/** For each chat the trace that was in work at each of its sends; nothing where several fit. */
function tracesByChat(sends: readonly Send[], stepsAt: (send: Send) => Step[]): Map<number, unknown> {
  const found = new Map<number, Set<unknown>>()
  for (const send of sends) {
    const here = new Set(stepsAt(send).map(({ trace }) => trace))
    if (!send.ok || here.size === 0) continue
    const before = found.get(send.chat) ?? here
    found.set(send.chat, new Set([...before].filter((trace) => here.has(trace))))
  }
  const alone = [...found].filter(([, traces]) => traces.size === 1)
  return new Map(alone.map(([chat, [trace]]) => [chat, trace]))
}

/** The delivery steps that a replica has stored. */
function stepsOf(log: string): Step[] {
  return readLog(log)
    .filter(({ actor, outcome }) => actor === 'result' && outcome === 'ok')
    .map(({ time, ms, trace }) => {
      const to = Date.parse(String(time))
      return { from: to - Number(ms), to, trace }
    })
}

/** The lines of a log; a killed process may leave half a line. */
export function readLog(log: string): Record<string, unknown>[] {
  return log.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line)] : []
    } catch {
      return []
    }
  })
}

/** An album has one caption. */
const captionOf = (media: unknown) => /"caption":"([^"]*)"/.exec(JSON.stringify(media))?.[1]

/** A part of a result that is sent, identified by its chat and its content. */
function readSend(call: Call): Send[] {
  const { method, payload } = call
  const { chat_id: chat, text = '', caption = '', media = '' } = payload
  const isAlbum = method === 'sendMediaGroup'
  const isFile = method === 'sendPhoto' || method === 'sendDocument' || isAlbum
  const isText = method === 'sendMessage' && String(text).startsWith('<b>نتیجهٔ')
  if (!isFile && !isText) return []
  const key = `${method} ${chat} ${isAlbum ? captionOf(media) : isFile ? caption : text}`
  return [{ ...call, key, chat: Number(chat), bot: Number(payload.bot) }]
}
