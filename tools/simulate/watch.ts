import type { ResultTo } from '../../src/domain/invitation.ts'
import type { Lane } from '../../src/service/endpoints.ts'
import { SEEN_FOR_MS } from '../../src/storage/store.ts'
import { createDeliveries } from './deliveries.ts'
import { createHistory, type Heard } from './history.ts'
import { createHolders, UNDER_WAY_MS } from './holders.ts'
import { createAnswersModel } from './model-answers.ts'
import { createForgottenModel, EPOCH } from './model-forgotten.ts'
import { createInvitationsModel } from './model-invitations.ts'
import { createOwedModel } from './model-owed.ts'
import { bare, createToldModel } from './model-told.ts'
import type { Broken } from './promises.ts'
import type { Committed, StoreNews } from './shared-store.ts'
import type { HasSkipped, Host } from './time.ts'
import { FORGOTTEN, RELEASED, TAKEN_OVER, TROUBLE } from './way-in.ts'

type PutBack = { from: number; to: number }

/** The longest time that a call can count for the limit per minute, including its own duration. */
const COUNTED_MS = 90_000
const CHAT = /"chat":\{"id":(\d+)/

export type Watch = ReturnType<typeof createWatch>

/** Watches promises that cannot be checked at the end. */
export function createWatch({
  elapsed,
  now,
  hasSkipped,
  isOrganized,
  resultTo,
  actorOf,
}: {
  elapsed: () => number
  now: () => number
  hasSkipped: HasSkipped
  /** Whether there are organizers, whose checks of records run in the background lane. */
  isOrganized: boolean
  /** The receivers of results, unless an organizer chooses others. */
  resultTo: ResultTo
  /** The queue of a chat. */
  actorOf: (chat: number) => string
}) {
  const broken: Broken[] = []
  const putBackAt: PutBack[] = []
  const seen = createHistory<number>(elapsed)
  const fences = createHistory<string>(elapsed)
  /** When the lease of each actor ends, by the store's clock. */
  const leases = new Map<string, number>()
  const revisions = createHistory<number>(elapsed)
  const slots = new Map<Host, Record<Lane, number>>()
  /** The chats that were notified that /forget is done, and when its commit was stored. */
  const forgotten = new Map<string, { host: Host; keptAt?: number }>()
  /** Tokens that wait for the organizer at first; the bot checks them in the background. */
  const waiting = new Set<string>()
  /** When the bot last received an update of a chat, and when it first received the confirmation of /forget. */
  const handedAt = new Map<string, number>()
  const lastWordAt = new Map<string, number>()
  /** Calls under way that may make a profile, and when a release was last pressed. */
  const profileCalls = new Set<Heard & { chat: string }>()
  let pressedAt = Number.NEGATIVE_INFINITY
  /** The last skip of the calendar: the bot and the service may date calls that were under way then differently. */
  let skip = { offset: now() - Math.floor(elapsed()), at: Number.NEGATIVE_INFINITY }
  const report = (kind: Broken['kind'], what: string) => void broken.push({ kind, what })
  const skippedMs = () => now() - Math.floor(elapsed())
  const deliveries = createDeliveries({ elapsed, skippedMs, report })
  const hasForgotten = (since: number, at: number) =>
    putBackAt.some(({ from, to }) => from >= since && to <= at)
  const answers = createAnswersModel({ elapsed, now, hasForgotten, report })
  const told = createToldModel({ elapsed, now, hasSkipped, hasForgotten, report, actorOf })
  const owed = createOwedModel({ elapsed, resultTo, hasForgotten, report })
  const invitations = createInvitationsModel({ elapsed, hasForgotten, report, actorOf })
  const underWay = createForgottenModel({ elapsed, report })
  const holders = createHolders({ elapsed, stray: (what) => report('strayed', what) })

  /** A store that was put back has lost all writes since its state was saved. */
  function forget(news: PutBack) {
    putBackAt.push(news)
    for (const { putBack } of [seen, fences, revisions, deliveries, holders, answers, underWay, invitations])
      putBack(news.to)
    leases.clear()
    for (const [chat, { keptAt = Infinity }] of forgotten) if (keptAt >= news.to) forgotten.delete(chat)
  }

  /** No test is released while the service may be making the participant's profile. */
  function checkRelease(chat: string): void {
    for (const { chat: owner, host, at } of profileCalls) {
      const isTheirs = owner === chat && at <= pressedAt && host.diedAt === undefined
      if (isTheirs && host.frozenUntil < at && skip.at < at && !hasForgotten(at - COUNTED_MS, elapsed()))
        report('strayed', `…${chat.slice(-3)} was released while a call with their details was under way`)
    }
  }

  /** Only the worker with the newest claim may change a message. */
  function checkFence({ kind, actor, fence }: { kind: string; actor: string; fence: string }): void {
    if (fence !== fences.get(actor))
      report('doubled', `${actor.split(':')[0]} was ${kind} by a worker that had lost it`)
  }

  /** The commit of /forget follows its message: from then on nothing is owed to the chat. */
  function keepForgotten({ host, actor, writes }: Committed & { host: Host }): void {
    if (!writes.some(({ key }) => key.startsWith(EPOCH))) return
    for (const [chat, said] of forgotten) {
      if (said.host !== host || actorOf(Number(chat)) !== actor || said.keptAt !== undefined) continue
      said.keptAt = elapsed()
      owed.loses(chat, '', { host, at: elapsed() })
    }
  }

  /** When the commit of a chat's /forget was stored. */
  const forgottenAt = (chat: string): number | undefined => forgotten.get(chat)?.keptAt

  /** The same, for a chat without updates after the confirmation of /forget. */
  function goneAt(chat: string): number | undefined {
    const at = (handedAt.get(chat) ?? 0) < (lastWordAt.get(chat) ?? 0) ? forgottenAt(chat) : undefined
    return at !== undefined && underWay.isUpdated(actorOf(Number(chat)), at) ? undefined : at
  }

  /** A forgotten chat gets no more messages; those that were under way before may come late. */
  function checkGone(chat: string, text: string, host: Host, sentAt: number): void {
    const at = goneAt(chat)
    if (at === undefined || sentAt <= at) return
    const isLate = elapsed() - Math.max(at, host.frozenUntil) > UNDER_WAY_MS
    if (isLate || (underWay.isTold(actorOf(Number(chat)), host, at) && !text.includes(TROUBLE)))
      report('strayed', `…${chat.slice(-3)} got a message after /forget`)
  }

  return {
    broken: broken as readonly Broken[],
    putBackAt: putBackAt as readonly PutBack[],
    hasForgotten,
    report,
    holders,
    answers,
    told,
    owed,
    invitations,
    underWay,
    goneAt,

    waits: (token: string): void => void waiting.add(token),
    /** An organizer presses the button of a release. */
    releases(): void {
      pressedAt = elapsed()
    },
    /** Details or a code are sent for a person's profile; the returned function is called when that call is over. */
    profiles(chat: string, host: Host): () => void {
      const call = { chat, host, at: elapsed() }
      profileCalls.add(call)
      return () => void profileCalls.delete(call)
    },

    /** A replica receives `count` updates; `taken` returns how many updates it has put into the store. */
    updates: (taken: () => number, count = 1) => {
      const before = taken()
      return () => {
        if (taken() - before < count) report('lost', 'an update was confirmed before it was kept')
      }
    },

    store(news: StoreNews) {
      switch (news.kind) {
        case 'put back':
          return forget(news)
        case 'posted':
          if (now() - (seen.get(news.id) ?? Number.NEGATIVE_INFINITY) < SEEN_FOR_MS)
            report('doubled', 'a message of one id was posted twice')
          return seen.set(news.id, now())
        case 'claimed':
          for (const { claimed } of [deliveries, underWay, told]) claimed(news)
          if ((leases.get(news.actor) ?? 0) > now())
            report('doubled', `${news.actor.split(':')[0]} was claimed during the lease of another worker`)
          leases.set(news.actor, now() + news.leaseMs)
          return fences.set(news.actor, news.fence)
        case 'renewed':
        case 'begun':
          checkFence(news)
          leases.set(news.actor, now() + news.leaseMs)
          return news.kind === 'begun' ? deliveries.begun(news) : undefined
        case 'committed':
          checkFence(news)
          keepForgotten(news)
          leases.delete(news.actor)
          for (const { committed } of [underWay, told, invitations]) committed(news)
          return deliveries.ended(news, true)
        case 'overwritten':
          return report('lost', `another write to ${news.key.split(':')[0]} was overwritten`)
        case 'told as lost':
          return report('lost', `a carried-out commit of ${news.actor.split(':')[0]} was answered as lost`)
        case 'not committed':
          // After a conflict the step continues.
          return news.outcome === 'lost' ? deliveries.ended(news, false) : undefined
        case 'locked':
          return answers.locked(news.key)
        case 'moved': {
          const { key, isAccepted, answer, revision } = news
          answers.moved(news)
          const tapped = isAccepted ? answer?.revision : undefined
          // An attempt that starts again begins at revision 1.
          const isOther = tapped !== undefined && tapped > 1 && tapped !== (revisions.get(key) ?? tapped)
          if (isOther) report('shifted', 'an answer was taken that belonged to another revision')
          revisions.set(key, revision)
        }
      }
    },

    /** The bot sends a part of a result. */
    sends(part: string, host: Host): void {
      if (!owed.isOfSeveral(part)) deliveries.sends(part, host)
      owed.sends(part.split(' ')[1] ?? '', part, { host, since: deliveries.hasSince(host) })
    },
    confirmed: deliveries.confirmed,
    asksAgain: deliveries.asksAgain,

    granted(host: Host, lane: Lane) {
      const own = slots.get(host) ?? { participant: 0, background: 0 }
      own[lane] += 1
      slots.set(host, own)
    },
    standsInLine: ({ name }: Host): void => report('stuck', `${name} is dead and still waits in line`),
    /** The bot calls the service: it needs a slot of the right lane, and no call may be for a forgotten chat. */
    calls(host: Host, method: string, path: string, ownerOf: (token: string) => string | undefined) {
      const offset = skippedMs()
      if (offset !== skip.offset) skip = { offset, at: elapsed() }
      const own = slots.get(host)
      const lanes: Lane[] =
        method === 'GET' && (isOrganized || waiting.has(path.split('/')[3] ?? ''))
          ? ['background', 'participant']
          : path.endsWith('/generate/status/')
            ? ['background']
            : path.includes('/result/')
              ? ['participant', 'background']
              : ['participant']
      const lane = lanes.find((each) => (own?.[each] ?? 0) > 0)
      if (own && lane) own[lane] -= 1
      else report('above budget', `${method} ${path} had no slot of its lane`)
      if (method === 'GET') return
      const at = forgottenAt(ownerOf(path) ?? '')
      const isLate = at !== undefined && elapsed() - Math.max(at, host.frozenUntil) > UNDER_WAY_MS
      if (isLate) report('strayed', `${method} ${path} left after /forget`)
    },
    /** The service refused a call above the limit. After a put-back it may count calls that the store has lost. */
    refuses(call: string) {
      const since = elapsed() - COUNTED_MS
      if (skip.at < since && !hasForgotten(since, elapsed()))
        report('above budget', `the service refused ${call}`)
    },
    /** The bot receives updates of any chats. */
    hands(updates: string): void {
      for (const update of updates.split('"update_id"')) {
        const chat = CHAT.exec(update)?.[1]
        if (chat === undefined) continue
        if (!update.includes('"forget:yes"}')) handedAt.set(chat, elapsed())
        else if (!lastWordAt.has(chat)) lastWordAt.set(chat, elapsed())
      }
    },
    /** The bot sends a text. */
    said(chat: string, text: string, host: Host, sentAt: number) {
      // If its commit failed, the text about /forget is sent again.
      if (!text.includes(FORGOTTEN)) checkGone(chat, text, host, sentAt)
      const heard = { host, at: elapsed() }
      if (text.includes(RELEASED)) {
        const title = /«([^»]*)»/.exec(bare(text))?.[1] ?? ''
        owed.loses(chat, title, heard)
        told.loses(chat, title)
        checkRelease(chat)
      }
      if (text.includes(TAKEN_OVER)) told.goesOn(chat)
      if (!text.includes(FORGOTTEN)) return
      forgotten.set(chat, { host })
      holders.leaves(chat)
    },
  }
}

/** Whether it is a board or a list for an organizer; organizers have short ids. */
const isOfOffice = (chat: string | undefined, caption: string | undefined) =>
  chat !== undefined && chat.length < 6 && !/^(نمودار|گزارش)/.test(caption ?? '')

/** The name of a part of a result, from its chat and caption; `undefined` for other messages. */
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
