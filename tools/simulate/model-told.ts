import { DAY_MS } from '../../src/domain/durations.ts'
import { NOTICE_DAYS } from '../../src/storage/documents/retention.ts'
import { LOST_IN_COMPANY } from '../../src/storage/store.ts'
import { word } from '../../test/words.ts'
import { type Heard, isSurelyKept } from './history.ts'
import { createEventsModel } from './model-events.ts'
import { EPOCH } from './model-forgotten.ts'
import type { ModelDeps } from './promises.ts'
import type { Committed } from './shared-store.ts'
import type { Answerable } from './tasks.ts'
import type { HasSkipped, Host } from './time.ts'

type Accepted = { token: string; title: string; isNested: boolean; at: number }

/** What has to be told is told within so long, whatever goes wrong. */
const TOLD_MS = 90_000
const FINISHED = word('notice-finished', { title: '', validity: '' }).split('»')[1]?.trim() ?? ''
/** What may bring an SMS, each time once. */
const WISHES = /^(profile:ok|sms:again|retry:)/
/** What is set aside for the operator is kept under such a name. */
const DEAD_LETTERS = 'd:'
/** After so many claims without an end that is right. */
const MOST_IN_VAIN = LOST_IN_COMPANY + 1

export type ToldModel = ReturnType<typeof createToldModel>

/** The model of what is told and sent besides results: a notice and an event for each test that was done, an SMS for each wish. */
export function createToldModel({
  elapsed,
  now,
  hasSkipped,
  hasForgotten,
  tell,
  actorOf,
}: ModelDeps & {
  /** The clock, in which days pass. */
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
  /** What leads there, too. */
  const tokens = new Map<string, ReadonlySet<string>>()
  /** Of people who had everything forgotten, perhaps before the bot heard that it was accepted. */
  const forgotten = new Set<string>()
  /** Released by an organizer, and taken over by nobody since; from which chat. */
  const released = new Map<string, string>()
  /** The result was begun in vain so often that it was set aside: nobody goes on with it but whoever repeats it. */
  const setAside = new Set<string>()
  /** So was the submission itself: nobody here has heard that it was accepted. */
  const unheard = new Set<string>()
  /** How often each submission, delivery and event was claimed without an end. */
  const claims = new Map<string, number>()
  /** Organizers who have chosen which notices they get. */
  const choosy = new Set<string>()
  /** Everything that an organizer has read: several notices may come in one message. */
  const read = new Map<string, string>()

  const isForgotten = (token: string) => forgotten.has(token)
  const { taken, setsAside, ends, judge, isAwaited, ...posting } = createEventsModel({
    ...{ elapsed, now, hasForgotten, isForgotten, tell },
  })

  const isKept = (copy: Heard) => isSurelyKept(copy, hasForgotten)
  const ofTitle = (title: string) => [...accepted.values()].filter((each) => each.title === title)
  const isTold = (organizer: string, title: string) =>
    read.get(organizer)?.includes(`«${title}» ${FINISHED}`) === true
  /** Whether an organizer has heard of as many as are done. */
  const isToldOfAll = (organizer: string, title: string) =>
    isTold(organizer, title) && (notices.get(`${organizer} ${title}`) ?? []).length >= ofTitle(title).length
  /** Whether it was released before the bot heard of it: it looks at the service again for whoever takes it over. */
  const isNobodys = ({ token, title }: Accepted) =>
    released.has(token) &&
    !events.has(`${token} submitted`) &&
    ![...read.keys()].some((organizer) => isToldOfAll(organizer, title))
  /** The tests of a roadmap may be told of together. */
  const isLate = (done: Accepted) => {
    const { at, token } = done
    const isKnown = !forgotten.has(token) && !unheard.has(token) && !isNobodys(done)
    return elapsed() - at > TOLD_MS && isKnown && !hasForgotten(at - TOLD_MS, at + TOLD_MS)
  }

  /** What was released goes on in another chat, or begins anew there. */
  function goesOn(chat: string): void {
    for (const { token } of answerable.get(chat) ?? []) {
      const done = accepted.get(token)
      if ((released.get(token) ?? chat) === chat) continue
      released.delete(token)
      if (done) accepted.set(token, { ...done, at: elapsed() })
    }
  }

  function lookAtNotices(organizer: string, isPerhapsOurs: (token: string) => boolean): void {
    for (const title of new Set([...records.values()].map((each) => each.title))) {
      const copies = notices.get(`${organizer} ${title}`) ?? []
      const owed = ofTitle(title)
      const isAllowed = ([token, each]: [string, Answerable]) => each.title === title && isPerhapsOurs(token)
      const most = owed.length + [...records].filter(isAllowed).length
      if (copies.filter(isKept).length > most)
        tell('doubled', `organizer ${organizer} was told ${copies.length} times of ${owed.length} × ${title}`)
      // What has waited for too long is told no more.
      const isOld = ({ at }: Accepted) => hasSkipped(NOTICE_DAYS * DAY_MS, at, at + TOLD_MS)
      const isOwed = owed.some((each) => isLate(each) && !each.isNested && !isOld(each))
      if (isOwed && !isTold(organizer, title) && !choosy.has(organizer))
        tell('lost', `organizer ${organizer} was never told that ${title} is done`)
    }
  }

  function lookAtEvents(isPerhapsOurs: (token: string) => boolean): void {
    for (const [token, { isNested }] of records) {
      if (isNested) continue
      const done = accepted.get(token)
      for (const type of ['submitted', 'delivered']) {
        const at = [...(events.get(`${token} ${type}`)?.values() ?? [])]
        // A replica may have stood still between the commit of an event and its post.
        const since = Math.min(done?.at ?? Infinity, ...at)
        if (at.length > 1 && !hasForgotten(since, elapsed()))
          tell('doubled', `${at.length} events say that …${token.slice(-4)} was ${type}`)
        if (at.length === 0 && done && type === 'submitted' && isLate(done) && !isAwaited(token))
          tell('lost', `no event says that …${token.slice(-4)} was ${type}`)
        if (at.length > 0 && !done && !isPerhapsOurs(token))
          tell('strayed', `an event says that …${token.slice(-4)} was ${type}`)
      }
    }
  }

  /** It is kept that an account is forgotten: what waits to be told of what nobody else could have ends. */
  function endEvents(actor: string): void {
    const [, own = []] = [...tokens].find(([chat]) => actorOf(Number(chat)) === actor) ?? []
    for (const token of own)
      if ([...tokens.values()].filter((each) => each.has(token)).length === 1) ends(token)
  }

  return {
    ...posting,
    /** `links` are the tokens of what somebody came for, such as a whole roadmap. */
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
    /** A chat is told that a test is not its own any more. */
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
      // Whose it was is told so.
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
    /** An event was posted. */
    announced(body: string): void {
      const { id, type, token } = JSON.parse(body)
      taken(id)
      const key = `${token} ${type}`
      const known = events.get(key) ?? new Map<string, number>()
      if (!known.has(id)) known.set(id, elapsed())
      events.set(key, known)
    },
    /** Whether something was done so lately that the word of it may still come. */
    isAwaited: (): boolean => [...accepted.values()].some(({ at }) => elapsed() - at <= TOLD_MS),
    /** The titles of what was done, as far as its result must be there by now. */
    doneLongAgo: (): string[] =>
      [...accepted.values()]
        .filter((each) => isLate(each) && !each.isNested && !setAside.has(each.token))
        .map(({ title }) => title),
    /** Whether an organizer gets notices of all kinds. */
    hearsAll: (organizer: number): boolean => !choosy.has(String(organizer)),
    /** At the end; `sms` are the mobiles to which a code was sent. */
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
      for (const organizer of organizers) lookAtNotices(String(organizer), isPerhapsOurs)
      if (isAnnounced) lookAtEvents(isPerhapsOurs)
      judge()
      for (const mobile of new Set(mobiles.values())) {
        const sent = sms.filter((each) => each === mobile).length
        const wished = wishes.get(mobile) ?? 0
        if (sent > wished && !hasForgotten(0, elapsed()))
          tell('doubled', `${sent} SMS were sent for ${wished} wishes`)
      }
    },
  }
}

/** Without tags and marks of direction. */
export const bare = (text: string): string => text.replace(/<[^>]+>|[\u200e\u200f\u2066-\u2069]/g, '')
