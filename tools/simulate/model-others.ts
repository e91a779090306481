import { word } from '../../test/words.ts'
import { isSurelyKept, KEPT_MS } from './history.ts'
import { RETENTION_MS } from './model-answers.ts'
import { bare } from './model-told.ts'
import type { ModelDeps } from './promises.ts'
import type { SecondWriter } from './second-writer.ts'
import type { Answerable } from './tasks.ts'
import type { HasSkipped, Host } from './time.ts'

/** What is said of a test that was done, after its title. */
const RECORD_DONE = word('record-finished', { title: '' }).split('»')[1]?.trim() ?? ''
/** What is said of a test that may have been sent before the store was put back, around its title. */
const UNCERTAIN =
  word('submitted-uncertain', { title: '' })
    .split(/«»|[.؛،]/)[1]
    ?.trim() ?? ''

/** The first words of what is said after a title. */
const afterTitle = (text: string): string => text.split('»')[1]?.split(/[.؛،]/)[0]?.trim() ?? ''
const isToldIn = (text: string, title: string, words: readonly string[]) =>
  text.includes(`«${title}`) && words.some((each) => text.includes(each))
/** What is said plainly of what somebody else has done, after its title. */
const ELSEWHERE = [word('done-elsewhere', { title: '' }), word('overtaken-elsewhere', { title: '' })].map(
  afterTitle,
)
const ELSEWHERE_NOTICES = [
  word('notice-done-elsewhere', { title: '' }),
  word('notice-finished-elsewhere', { title: '' }),
].map(afterTitle)
/** What is said where the service has other details than those that were typed. */
const REGISTERED_ELSEWHERE = word('registered-elsewhere').split('.')[0] ?? ''
/** What has to be told is told within so long, whatever goes wrong. */
const TOLD_MS = 90_000
/** So long people try to go on with what was registered otherwise. */
const GIVES_UP_MS = 45_000

/**
 * Answers on their way to the service, from when the bot has noted that they are going to leave, and when it has heard what
 * became of them.
 */
type Attempt = { host: Host; hasLeft: boolean; heardAt?: number }

/** `isKnown`: what others had written was known to the bot when it made the call. */
type Call = {
  method: string
  path: string
  body: string
  status: number
  payload: string
  isKnown: boolean
}

const RECORD = /^\/v2\/(record|roadmap)\/([0-9a-f-]{36})\/$/

/**
 * The model of what others do at the service: what they answered is nobody's thanks and nobody's result here, and what
 * they registered takes no answers of somebody who gave other details.
 */
export function createOthersModel({
  elapsed,
  writer,
  hasForgotten,
  hasSkipped,
  tokenOf,
  tell,
}: ModelDeps & {
  hasSkipped: HasSkipped
  /** The record of a record id. */
  tokenOf: (s: string) => string
  writer: Pick<SecondWriter, 'writtenTo' | 'roadmapOf'>
}) {
  /** When the bot has sent details last, and what they were accepted for. */
  const typed = new Map<string, number>()
  const registered = new Map<string, number>()
  /** Where other details were refused than those that the bot itself had registered, and when. */
  const refusedIn = new Map<string, number>()
  let hasReleased = false
  /** What the bot has read since somebody else wrote to it. */
  const known = new Set<string>()
  const answerable = new Map<string, readonly Answerable[]>()
  const invited = new Map<string, ReadonlySet<string>>()
  /** When the questions of a record were fetched first: since then it may have been sent. */
  const begunAt = new Map<string, number>()
  /** What the bot has said to be perhaps somebody else's. */
  const uncertain = new Set<string>()
  /** What was refused since somebody else had answered it, and when; and who was told so. */
  const refused = new Map<string, number>()
  const toldOf = new Set<string>()
  const titleOf = (token: string) =>
    [...answerable.values()].flat().find((each) => each.token === token)?.title ?? ''
  const attempts = new Map<string, Attempt[]>()
  const isUnclear = ({ host, heardAt }: Attempt) =>
    heardAt === undefined || !isSurelyKept({ host, at: heardAt }, hasForgotten)
  /** Whether answers have left of which the bot never learned what became: it counts what it finds as its own. */
  const mayBeOurs = (token: string): boolean =>
    writer.writtenTo(token)?.isFinished === true && (attempts.get(token) ?? []).some(isUnclear)
  /** What this account may have tried to answer, and surely somebody else has. */
  const finishedIn = (chat: string) =>
    (answerable.get(chat) ?? []).filter(
      ({ token }) => writer.writtenTo(token)?.isFinished && !mayBeOurs(token),
    )
  const nameOf = (token: string) => `…${token.slice(-4)}`

  return {
    /** What somebody was invited to, and the records that this has. */
    knows(chat: number, tokens: readonly string[], records: readonly Answerable[]): void {
      invited.set(String(chat), new Set(tokens))
      answerable.set(String(chat), records)
    },
    /** The bot notes that answers are going to leave: who dies before they do is not known from who dies after. */
    begins({ actor, host }: { actor: string; host: Host }): void {
      const [job, s = ''] = actor.split(':')
      const token = tokenOf(s)
      if (job === 'submit') attempts.set(token, [...(attempts.get(token) ?? []), { host, hasLeft: false }])
    },
    /** Answers leave; resolves to what is to be told once the bot has heard a word that decides. */
    sends(token: string, host: Host): () => void {
      const all = attempts.get(token) ?? []
      const noted = all.findLast((each) => each.host === host && !each.hasLeft)
      const attempt: Attempt = noted ?? { host, hasLeft: true }
      attempt.hasLeft = true
      if (!noted) attempts.set(token, [...all, attempt])
      return () => {
        attempt.heardAt = elapsed()
      }
    },
    /**
     * Whether somebody has tried long enough to go on with details that differ from those that the bot had registered itself,
     * which a store that was put back has forgotten.
     */
    isLeft(token: string): boolean {
      const at = registered.get(token)
      const isRefused = ([chat, told]: [string, number]) =>
        invited.get(chat)?.has(token) && told > (at ?? 0) && elapsed() - told > GIVES_UP_MS
      return at !== undefined && hasForgotten(at, at + KEPT_MS) && [...refusedIn].some(isRefused)
    },
    isPerhapsOurs: (token: string): boolean => uncertain.has(token) || mayBeOurs(token),
    /** Whether the bot knows what others have written to what a path is about. */
    isKnown: (path: string): boolean => known.has(path.split('/')[3] ?? ''),
    /** A call of the bot was carried out. */
    called({ method, path, body, status, payload, isKnown }: Call): void {
      const token = path.split('/')[3] ?? ''
      const written = writer.writtenTo(token)
      if (method === 'GET' && status === 200 && written) known.add(token)
      if (path.includes('/questions/') && !begunAt.has(token)) begunAt.set(token, elapsed())
      if (method === 'GET') return
      const owner = writer.roadmapOf(token) ?? token
      if (status === 200 && /\/auth\//.test(path) && /"profile":\{/.test(payload))
        registered.set(token, elapsed())
      if (path.endsWith('/auth/')) {
        typed.set(token, elapsed())
        const roles: { id: number }[] = JSON.parse(body).roles ?? []
        if (status === 200 && isKnown && roles.some(({ id }) => written?.roles.includes(id)))
          tell('strayed', `details of ${nameOf(token)} were sent for a role that somebody else has`)
      }
      if (method === 'POST' && RECORD.test(path) && status === 409 && written?.isFinished)
        refused.set(token, refused.get(token) ?? elapsed())
      if (method !== 'POST' || !RECORD.test(path) || status !== 200 || !written || written.isFinished) return
      const at = typed.get(owner)
      // What was typed is kept no longer, and who opens the link then goes on with the profile that is there.
      const isKept = at !== undefined && !hasSkipped(RETENTION_MS, at, elapsed())
      if (isKept && !registered.has(owner) && !hasReleased)
        tell('strayed', `answers of ${nameOf(token)} went to the profile of somebody else`)
    },
    /** Something is released: who begins it anew may go on with a profile that others have made. */
    releases(): void {
      hasReleased = true
    },
    /** A message stands in a chat. */
    says(chat: string, text: string): void {
      const isOffice = !answerable.has(chat)
      if (text.includes(REGISTERED_ELSEWHERE) && !refusedIn.has(chat)) refusedIn.set(chat, elapsed())
      for (const token of refused.keys())
        if (isToldIn(bare(text), titleOf(token), isOffice ? ELSEWHERE_NOTICES : ELSEWHERE))
          toldOf.add(isOffice ? `${chat} ${token}` : token)
      const own = finishedIn(chat)
      for (const { token, title, questions } of own) {
        const said = bare(text)
        if (said.includes(`«${title}`) && said.includes(UNCERTAIN)) {
          uncertain.add(token)
          if (!hasForgotten(begunAt.get(token) ?? 0, Number.POSITIVE_INFINITY))
            tell('strayed', `${nameOf(token)} is called uncertain although nothing was forgotten`)
        }
        const isThanks = said.includes(bare(word('submitted', { total: questions })))
        if (isThanks || (said.includes(`«${title}`) && said.includes(RECORD_DONE)))
          tell('strayed', `thanks for answers of ${nameOf(token)} that somebody else gave`)
      }
    },
    /** At the end: what was done elsewhere was told to whoever answered it here, and to the organizers. */
    judge(organizers: readonly number[], forgotten: readonly number[]): void {
      const isForgotten = (token: string) =>
        forgotten.some((chat) => answerable.get(String(chat))?.some((each) => each.token === token))
      for (const [token, at] of refused) {
        const isLate = elapsed() - at > TOLD_MS && !hasForgotten(0, elapsed())
        if (!isLate || mayBeOurs(token) || isForgotten(token)) continue
        if (!toldOf.has(token)) tell('lost', `whoever answered ${nameOf(token)} was not told that others did`)
        for (const id of organizers)
          if (!toldOf.has(`${id} ${token}`))
            tell('lost', `organizer ${id} was not told that ${nameOf(token)} was done elsewhere`)
      }
    },
    /** A part of a result was confirmed. */
    brings(chat: string, part: string): void {
      const own = finishedIn(chat)
      for (const { isNested, token, title } of own)
        if (!isNested && part.includes(title) && !uncertain.has(token))
          tell('strayed', `the result of ${nameOf(token)} is of answers that somebody else gave`)
    },
  }
}

export type OthersModel = ReturnType<typeof createOthersModel>
