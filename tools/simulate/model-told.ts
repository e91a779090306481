import { DAY_MS } from '../../src/domain/durations.ts'
import { NOTICE_DAYS } from '../../src/storage/documents/retention.ts'
import { LOST_AMONG_OTHERS } from '../../src/storage/store.ts'
import { word } from '../../test/words.ts'
import { type Heard, isSurelyKept } from './history.ts'
import { createEventsModel } from './model-events.ts'
import { EPOCH } from './model-forgotten.ts'
import type { ModelDeps } from './promises.ts'
import type { Committed } from './shared-store.ts'
import type { Answerable } from './tasks.ts'
import type { HasSkipped, Host } from './time.ts'

type Accepted = { token: string; title: string; isNested: boolean; at: number }

/** Notices and events are sent within this time, whatever goes wrong. */
const TOLD_MS = 90_000
const FINISHED = word('notice-finished', { title: '', validity: '' }).split('»')[1]?.trim() ?? ''
/** Buttons that may cause one SMS each. */
const WISHES = /^(profile:ok|sms:again|retry:)/
/** The prefix of messages that are set aside for the operator. */
const DEAD_LETTERS = 'd:'
/** Setting a message aside is right after this many claims without an end. */
const MOST_IN_VAIN = LOST_AMONG_OTHERS + 1

export type ToldModel = ReturnType<typeof createToldModel>

/** The model of everything sent besides results: a notice and an event for each finished test, an SMS for each request. */
export function createToldModel({
  elapsed,
  now,
  hasSkipped,
  hasForgotten,
  report,
  actorOf,
}: ModelDeps & {
  /** The calendar, which can skip days. */
  now: () => number
  hasSkipped: HasSkipped
  /** The queue of a chat. */
  actorOf: (chat: number) => string
}) {
  const records = new Map<string, Answerable>()
  const accepted = new Map<string, Accepted>()
  const notices = new Map<string, Heard[]>()
  const events = new Map<string, Map<string, number>>()
  const wishes = new Map<string, number>()
  const mobiles = new Map<string, string>()
  const answerable = new Map<string, readonly Answerable[]>()
  /** The tokens of each chat, including those of roadmaps. */
  const tokens = new Map<string, ReadonlySet<string>>()
  /** Tokens of people who used /forget, perhaps before the bot heard that their answers were accepted. */
  const forgotten = new Set<string>()
  /** Released tests that no account has taken over, with the former chat. */
  const released = new Map<string, string>()
  /** Tests whose result was set aside after too many failed claims; only the operator can repeat it. */
  const setAside = new Set<string>()
  /** Tests whose submission was set aside: the bot has not heard that it was accepted. */
  const unheard = new Set<string>()
  /** How often each submission, delivery and event was claimed without a commit. */
  const claims = new Map<string, number>()
  /** Organizers who have changed which notices they get. */
  const choosy = new Set<string>()
  /** All text that an organizer was sent: one message may have several notices. */
  const read = new Map<string, string>()

  const isForgotten = (token: string) => forgotten.has(token)
  const { taken, setsAside, ends, judge, isAwaited, ...posting } = createEventsModel({
    ...{ elapsed, now, hasForgotten, isForgotten, report },
  })

  const isKept = (copy: Heard) => isSurelyKept(copy, hasForgotten)
  const ofTitle = (title: string) => [...accepted.values()].filter((each) => each.title === title)
  const isTold = (organizer: string, title: string) =>
    read.get(organizer)?.includes(`«${title}» ${FINISHED}`) === true
  /** Whether an organizer was notified of all finished tests of a title. */
  const isToldOfAll = (organizer: string, title: string) =>
    isTold(organizer, title) && (notices.get(`${organizer} ${title}`) ?? []).length >= ofTitle(title).length
  /** Whether a test was released before the bot heard that it was accepted: the next take-over asks the service again. */
  const hasNoAssignee = ({ token, title }: Accepted) =>
    released.has(token) &&
    !events.has(`${token} submitted`) &&
    ![...read.keys()].some((organizer) => isToldOfAll(organizer, title))
  /** Whether the notice and the event of a finished test are overdue. */
  const isLate = (done: Accepted) => {
    const { at, token } = done
    const isKnown = !forgotten.has(token) && !unheard.has(token) && !hasNoAssignee(done)
    return elapsed() - at > TOLD_MS && isKnown && !hasForgotten(at - TOLD_MS, at + TOLD_MS)
  }

  /** A released test continues or begins again in another chat. */
  function goesOn(chat: string): void {
    for (const { token } of answerable.get(chat) ?? []) {
      const done = accepted.get(token)
      if ((released.get(token) ?? chat) === chat) continue
      released.delete(token)
      if (done) accepted.set(token, { ...done, at: elapsed() })
    }
  }

  function checkNotices(organizer: string, isPerhapsOurs: (token: string) => boolean): void {
    for (const title of new Set([...records.values()].map((each) => each.title))) {
      const copies = notices.get(`${organizer} ${title}`) ?? []
      const owed = ofTitle(title)
      const isAllowed = ([token, each]: [string, Answerable]) => each.title === title && isPerhapsOurs(token)
      const most = owed.length + [...records].filter(isAllowed).length
      if (copies.filter(isKept).length > most)
        report('doubled', `organizer ${organizer} got ${copies.length} notices for ${owed.length} × ${title}`)
      // Notices that have waited too long are dropped.
      const isOld = ({ at }: Accepted) => hasSkipped(NOTICE_DAYS * DAY_MS, at, at + TOLD_MS)
      const isOwed = owed.some((each) => isLate(each) && !each.isNested && !isOld(each))
      if (isOwed && !isTold(organizer, title) && !choosy.has(organizer))
        report('lost', `organizer ${organizer} was never told that ${title} is done`)
    }
  }

  function checkEvents(isPerhapsOurs: (token: string) => boolean): void {
    for (const [token, { isNested }] of records) {
      if (isNested) continue
      const done = accepted.get(token)
      for (const type of ['submitted', 'delivered']) {
        const at = [...(events.get(`${token} ${type}`)?.values() ?? [])]
        // A replica may have been frozen between the commit of an event and its post.
        const since = Math.min(done?.at ?? Infinity, ...at)
        if (at.length > 1 && !hasForgotten(since, elapsed()))
          report('doubled', `${at.length} events say that …${token.slice(-4)} was ${type}`)
        if (at.length === 0 && done && type === 'submitted' && isLate(done) && !isAwaited(token))
          report('lost', `no event says that …${token.slice(-4)} was ${type}`)
        if (at.length > 0 && !done && !isPerhapsOurs(token))
          report('strayed', `an event says that …${token.slice(-4)} was ${type}`)
      }
    }
  }

  /** An account's /forget is stored: waiting events end for tokens that no other account could have. */
  function endEvents(actor: string): void {
    const [, own = []] = [...tokens].find(([chat]) => actorOf(Number(chat)) === actor) ?? []
    for (const token of own)
      if ([...tokens.values()].filter((each) => each.has(token)).length === 1) ends(token)
  }

  return {
    ...posting,
    /** `links` are the tokens of the person's tasks, such as a whole roadmap. */
    knows: (chat: number, mobile: string, own: readonly Answerable[], links: readonly string[] = []) => {
      mobiles.set(String(chat), mobile)
      tokens.set(String(chat), new Set([...links, ...own.map(({ token }) => token)]))
      answerable.set(String(chat), own)
      for (const record of own) records.set(record.token, record)
    },
    taps(chat: number, data: string): void {
      const mobile = mobiles.get(String(chat)) ?? ''
      if (WISHES.test(data)) wishes.set(mobile, (wishes.get(mobile) ?? 0) + 1)
      if (data.startsWith('notice:')) choosy.add(String(chat))
      if (data.startsWith('begin:')) goesOn(String(chat))
      if (data === 'forget:yes') for (const token of tokens.get(String(chat)) ?? []) forgotten.add(token)
    },
    /** A chat is notified that it has lost a test. */
    loses(chat: string, title: string): void {
      for (const each of answerable.get(chat) ?? []) if (each.title === title) released.set(each.token, chat)
    },
    goesOn,
    claimed({ actor }: Pick<Committed, 'actor'>): void {
      if (/^(submit|result|event):/.test(actor)) claims.set(actor, (claims.get(actor) ?? 0) + 1)
    },
    committed({ actor, writes, posts }: Committed): void {
      const isInVain = (claims.get(actor) ?? 0) > MOST_IN_VAIN
      claims.delete(actor)
      if (writes.some(({ key }) => key.startsWith(EPOCH))) endEvents(actor)
      if (!isInVain || !writes.some(({ key }) => key.startsWith(DEAD_LETTERS))) return
      if (actor.startsWith('event:')) {
        setsAside()
        return
      }
      const aside = actor.startsWith('submit:') ? unheard : setAside
      // The commit notifies the chat of the assignee.
      for (const [chat, own] of answerable)
        if (posts.includes(actorOf(Number(chat)))) for (const { token } of own) aside.add(token)
    },
    /** The service has accepted answers from the bot. */
    submitted(token: string): void {
      const { title, isNested } = records.get(token) ?? {}
      if (title !== undefined && isNested !== undefined)
        accepted.set(token, { token, title, isNested, at: elapsed() })
    },
    /** Telegram has confirmed a message. */
    confirmed(chat: string, text: string, host: Host): void {
      if (chat.length < 6) read.set(chat, `${read.get(chat) ?? ''}\n${bare(text)}`)
      const [, title, rest] = /^«([^»]*)»(.*)/s.exec(bare(text)) ?? []
      if (title === undefined || !rest?.trim().startsWith(FINISHED)) return
      const key = `${chat} ${title}`
      notices.set(key, [...(notices.get(key) ?? []), { host, at: elapsed() }])
    },
    /** The organizer's software has accepted an event. */
    announced(body: string): void {
      const { id, type, token } = JSON.parse(body)
      taken(id)
      const key = `${token} ${type}`
      const known = events.get(key) ?? new Map<string, number>()
      if (!known.has(id)) known.set(id, elapsed())
      events.set(key, known)
    },
    /** Whether a test was finished so recently that its notice may still come. */
    isAwaited: (): boolean => [...accepted.values()].some(({ at }) => elapsed() - at <= TOLD_MS),
    /** The titles of finished tests whose result is due by now. */
    doneLongAgo: (): string[] =>
      [...accepted.values()]
        .filter((each) => isLate(each) && !each.isNested && !setAside.has(each.token))
        .map(({ title }) => title),
    /** Whether an organizer gets notices of all kinds. */
    hearsAll: (organizer: number): boolean => !choosy.has(String(organizer)),
    /** Called at the end; `sms` are the mobiles to which a code was sent. */
    judge({
      organizers,
      isAnnounced,
      sms,
      isPerhapsOurs,
    }: {
      organizers: readonly number[]
      isAnnounced: boolean
      sms: readonly string[]
      isPerhapsOurs: (token: string) => boolean
    }): void {
      for (const organizer of organizers) checkNotices(String(organizer), isPerhapsOurs)
      if (isAnnounced) checkEvents(isPerhapsOurs)
      judge()
      for (const mobile of new Set(mobiles.values())) {
        const sent = sms.filter((each) => each === mobile).length
        const wished = wishes.get(mobile) ?? 0
        if (sent > wished && !hasForgotten(0, elapsed()))
          report('doubled', `${sent} SMS were sent for ${wished} wishes`)
      }
    },
  }
}

/** The text without tags and direction marks. */
export const bare = (text: string): string => text.replace(/<[^>]+>|[\u200e\u200f\u2066-\u2069]/g, '')
