import type { Lane } from '../src/service/endpoints.ts'
import { SEEN_FOR_MS } from '../src/store/store.ts'
import { createHolders } from './holders.ts'
import type { Broken } from './promises.ts'
import type { StoreNews } from './shared-store.ts'
import type { Host } from './time.ts'

type Part = { actor: string | undefined; confirmedAt: number; isKept: boolean; copies: number }
type PutBack = { from: number; to: number }

/** Whatever was read before somebody was forgotten may still be under way for so long. */
const UNDER_WAY_MS = 6_000
/** A worker hears so late at the most that it has lost its lease. */
const RENEWED_MS = 5_000
const FORGOTTEN = 'همهٔ اطلاعات شما از این‌جا پاک شد'

export type Watch = ReturnType<typeof createWatch>

/** Watches what cannot be seen at the end any more. */
export function createWatch({
  elapsed,
  now,
  isOrganized,
}: {
  elapsed: () => number
  now: () => number
  /** Organizers look at records, in the background. */
  isOrganized: boolean
}) {
  const broken: Broken[] = []
  const putBackAt: PutBack[] = []
  const parts = new Map<string, Part>()
  const asked = new Map<string, number>()
  const seen = new Map<string, { at: number; date: number }>()
  const fences = new Map<string, string>()
  const revisions = new Map<string, number>()
  /** The deliveries that a host has under way. */
  const deliveries = new Map<Host, Set<string>>()
  const slots = new Map<Host, Record<Lane, number>>()
  const forgottenAt = new Map<string, number>()
  const tell = (kind: Broken['kind'], what: string) => void broken.push({ kind, what })
  const holders = createHolders({ elapsed, stray: (what) => tell('strayed', what) })

  /** A store that was put back knows nothing of what came after it was remembered. */
  function forget(news: PutBack) {
    putBackAt.push(news)
    holders.forgets(news.to)
    for (const [key, { confirmedAt }] of parts) if (confirmedAt >= news.to) parts.delete(key)
    for (const [id, { at }] of seen) if (at >= news.to) seen.delete(id)
    for (const [chat, at] of forgottenAt) if (at >= news.to - UNDER_WAY_MS) forgottenAt.delete(chat)
    fences.clear()
    revisions.clear()
  }

  return {
    broken: broken as readonly Broken[],
    putBackAt: putBackAt as readonly PutBack[],
    tell,
    holders,

    store(news: StoreNews) {
      switch (news.kind) {
        case 'put back':
          return forget(news)
        case 'posted':
          if (now() - (seen.get(news.id)?.date ?? Number.NEGATIVE_INFINITY) < SEEN_FOR_MS)
            tell('doubled', 'a message of one id was posted twice')
          return void seen.set(news.id, { at: elapsed(), date: now() })
        case 'claimed':
          fences.set(news.actor, news.fence)
          if (news.actor.startsWith('result:'))
            deliveries.set(news.host, (deliveries.get(news.host) ?? new Set()).add(news.actor))
          return
        case 'committed': {
          const { host, actor, fence } = news
          if (fence !== (fences.get(actor) ?? fence))
            tell('doubled', `${actor.split(':')[0]} was committed by a worker that had lost it`)
          deliveries.get(host)?.delete(actor)
          for (const part of parts.values()) if (part.actor === actor) part.isKept = true
          return
        }
        case 'moved': {
          const { key, tapped, revision } = news
          // A sitting that starts over begins with the first.
          const isOther = tapped !== undefined && tapped > 1 && tapped !== (revisions.get(key) ?? tapped)
          if (isOther) tell('shifted', 'an answer was taken that belonged to another revision')
          revisions.set(key, revision)
        }
      }
    },

    /** A part of a result leaves. Once Telegram has confirmed it and the bot has kept that, it must not come again. */
    sends(key: string, host: Host) {
      // Whoever stood still does not know yet that somebody else went on.
      if (host.frozenUntil > 0 && elapsed() - host.frozenUntil < RENEWED_MS) return
      const { isKept, copies } = parts.get(key) ?? { isKept: false, copies: 0 }
      if (isKept && copies > (asked.get(key.split(' ')[1] ?? '') ?? 0)) tell('doubled', `${key} came again`)
    },
    confirmed(key: string, host: Host) {
      const copies = (parts.get(key)?.copies ?? 0) + 1
      const [actor, ...others] = deliveries.get(host) ?? []
      // Which of several it was is not to be seen from here.
      const only = others.length > 0 ? undefined : actor
      parts.set(key, { actor: only, confirmedAt: elapsed(), isKept: false, copies })
    },
    /** Somebody may have asked for their result once more. */
    asksAgain(chat: number) {
      asked.set(String(chat), (asked.get(String(chat)) ?? 0) + 1)
    },

    granted(host: Host, lane: Lane) {
      const own = slots.get(host) ?? { participant: 0, background: 0 }
      own[lane] += 1
      slots.set(host, own)
    },
    /** A call leaves for the service: of a slot of its lane, and for nobody who was forgotten. */
    calls(host: Host, method: string, path: string, ownerOf: (token: string) => string | undefined) {
      const own = slots.get(host)
      const lanes: Lane[] =
        isOrganized && method === 'GET'
          ? ['background', 'participant']
          : path.endsWith('/generate/status/')
            ? ['background']
            : path.includes('/result/')
              ? ['participant', 'background']
              : ['participant']
      const lane = lanes.find((each) => (own?.[each] ?? 0) > 0)
      if (own && lane) own[lane] -= 1
      else tell('above budget', `${method} ${path} had no slot of its lane`)
      if (method === 'GET') return
      const at = forgottenAt.get(ownerOf(path) ?? '')
      const isLate = at !== undefined && elapsed() - at > UNDER_WAY_MS && host.frozenUntil < at
      if (isLate) tell('strayed', `${method} ${path} left after /forget`)
    },
    /** The bot has said something. */
    said(chat: string, text: string) {
      if (!text.includes(FORGOTTEN)) return
      forgottenAt.set(chat, elapsed())
      holders.leaves(chat)
    },
  }
}

/** Organizers, whose ids are short, get other pictures and files too: boards and lists. */
const isOfOffice = (chat: string | undefined, caption: string | undefined) =>
  chat !== undefined && chat.length < 6 && !/^(نمودار|گزارش)/.test(caption ?? '')

/** Names a part of a result by its chat and what it says of itself; `undefined` for everything else. */
export function partOf(method: string, body: string): string | undefined {
  if (method === 'sendPhoto' || method === 'sendDocument') {
    const chat = /name="chat_id"\r\n\r\n(\d+)/.exec(body)?.[1]
    const caption = /name="caption"\r\n\r\n([^\r]*)/.exec(body)?.[1]
    if (isOfOffice(chat, caption)) return undefined
    return `${method} ${chat} ${caption?.split('\n')[0]}`
  }
  if (method === 'sendMediaGroup') {
    const chat = /name="chat_id"\r\n\r\n(\d+)/.exec(body)?.[1]
    return `${method} ${chat} ${/name="media"\r\n\r\n[^\r]*?"caption":"([^"]*)"/.exec(body)?.[1]}`
  }
  if (method !== 'sendMessage' || !body.includes('<b>نتیجهٔ')) return undefined
  const { chat_id: chat, text } = JSON.parse(body)
  return String(text).startsWith('<b>نتیجهٔ') ? `${method} ${chat} ${String(text)}` : undefined
}
