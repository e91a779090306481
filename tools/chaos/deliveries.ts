import type { Call } from '../emulator/emulator.ts'
import type { Broken } from '../simulate/promises.ts'
import type { Older } from './stores.ts'

/** A replica says in its log that it has kept what came of a step, for whom, and how long the step took. */
type Step = { from: number; to: number; trace: unknown }
type Send = Call & { key: string; bot: number; chat: number }

export type Seen = {
  calls: readonly Call[]
  /** By replica: when it went on after it had stood still, and what its log says. */
  bots: readonly { thaws: readonly number[]; log: string }[]
  older: readonly Older[]
  /** When somebody has followed their link once more. */
  asked: ReadonlyMap<number, readonly number[]>
}

/** Whoever stood still hears so late at the most that somebody else went on. */
const RENEWED_MS = 6_000

/** Parts of results that came once more although Telegram had confirmed them and the bot had kept that. */
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

/** By chat: whose steps there were whenever something of this chat was sent. Nothing where that leaves a choice. */
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

/** The steps of deliveries that a replica has kept. */
function stepsOf(log: string): Step[] {
  return readLog(log)
    .filter(({ actor, outcome }) => actor === 'result' && outcome === 'ok')
    .map(({ time, ms, trace }) => {
      const to = Date.parse(String(time))
      return { from: to - Number(ms), to, trace }
    })
}

/** The lines of a log; a process that was killed may have left half of one. */
export function readLog(log: string): Record<string, unknown>[] {
  return log.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line)] : []
    } catch {
      return []
    }
  })
}

/** The one caption of an album. */
const captionOf = (media: unknown) => /"caption":"([^"]*)"/.exec(JSON.stringify(media))?.[1]

/** A part of a result on its way, named by its chat and what it says of itself. */
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
