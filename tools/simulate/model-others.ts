import { word } from '../../test/words.ts'
import { isSurelyKept, KEPT_MS } from './history.ts'
import { RETENTION_MS } from './model-answers.ts'
import { bare } from './model-told.ts'
import type { ModelDeps } from './promises.ts'
import type { SecondWriter } from './second-writer.ts'
import type { Answerable } from './tasks.ts'
import type { HasSkipped, Host } from './time.ts'

/** The text after the title of a finished test. */
const RECORD_DONE = word('record-finished', { title: '' }).split('»')[1]?.trim() ?? ''
/** The text about a test that may have been sent before the store was put back, next to its title. */
const UNCERTAIN =
  word('submitted-uncertain', { title: '' })
    .split(/«»|[.؛،]/)[1]
    ?.trim() ?? ''

/** The first words after a title. */
const afterTitle = (text: string): string => text.split('»')[1]?.split(/[.؛،]/)[0]?.trim() ?? ''
const isToldIn = (text: string, title: string, words: readonly string[]) =>
  text.includes(`«${title}`) && words.some((each) => text.includes(each))
/** The text, after its title, about a test that another client has surely answered. */
const ELSEWHERE = [word('done-elsewhere', { title: '' }), word('overtaken-elsewhere', { title: '' })].map(
  afterTitle,
)
const ELSEWHERE_NOTICES = [
  word('notice-done-elsewhere', { title: '' }),
  word('notice-finished-elsewhere', { title: '' }),
].map(afterTitle)
/** The text for details at the service that differ from the typed ones. */
const REGISTERED_ELSEWHERE = word('registered-elsewhere').split('.')[0] ?? ''
/** Notices are sent within this time, whatever goes wrong. */
const TOLD_MS = 90_000
/** How long people try to continue a test that was registered with other details. */
const GIVES_UP_MS = 45_000

/**
 * Answers on their way to the service, from the moment when the bot records that it is going to send them. `heardAt` is
 * when it has received a reply that decides.
 */
type Attempt = { host: Host; hasLeft: boolean; heardAt?: number }

/** `isKnown`: when the bot made the call, it had read what another client had written. */
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
 * The model of other clients of the service: no participant gets thanks or a result for their answers, and no answers are
 * sent to a profile that they registered with other details.
 */
export function createOthersModel({
  elapsed,
  writer,
  hasForgotten,
  hasSkipped,
  tokenOf,
  report,
}: ModelDeps & {
  hasSkipped: HasSkipped
  /** The token of a record id. */
  tokenOf: (s: string) => string
  writer: Pick<SecondWriter, 'writtenTo' | 'roadmapOf'>
}) {
  /** When the bot last sent details for a token, and when they were accepted. */
  const typed = new Map<string, number>()
  const registered = new Map<string, number>()
  /** The chats that read that other details are registered, and when they first did. */
  const refusedIn = new Map<string, number>()
  let hasReleased = false
  /** The tokens that the bot has read since another client wrote to them. */
  const known = new Set<string>()
  const answerable = new Map<string, readonly Answerable[]>()
  const invited = new Map<string, ReadonlySet<string>>()
  /** When the questions of a record were first fetched: since then it may have been sent. */
  const begunAt = new Map<string, number>()
  /** The records whose answers the bot has called perhaps another client's. */
  const uncertain = new Set<string>()
  /** When submissions were refused because another client had answered, and which chats were notified. */
  const refused = new Map<string, number>()
  const toldOf = new Set<string>()
  const titleOf = (token: string) =>
    [...answerable.values()].flat().find((each) => each.token === token)?.title ?? ''
  const attempts = new Map<string, Attempt[]>()
  const isUnclear = ({ host, heardAt }: Attempt) =>
    heardAt === undefined || !isSurelyKept({ host, at: heardAt }, hasForgotten)
  /** Whether the bot sent answers and never learned the outcome: then it counts the answers at the service as its own. */
  const mayBeOurs = (token: string): boolean =>
    writer.writtenTo(token)?.isFinished === true && (attempts.get(token) ?? []).some(isUnclear)
  /** Records of this account that another client has surely answered. */
  const finishedIn = (chat: string) =>
    (answerable.get(chat) ?? []).filter(
      ({ token }) => writer.writtenTo(token)?.isFinished && !mayBeOurs(token),
    )
  const nameOf = (token: string) => `…${token.slice(-4)}`

  return {
    /** The tokens that a person was invited to, and their records. */
    knows(chat: number, tokens: readonly string[], records: readonly Answerable[]): void {
      invited.set(String(chat), new Set(tokens))
      answerable.set(String(chat), records)
    },
    /** The bot records that it is going to send answers: a death before the call looks the same as one after it. */
    begins({ actor, host }: { actor: string; host: Host }): void {
      const [job, s = ''] = actor.split(':')
      const token = tokenOf(s)
      if (job === 'submit') attempts.set(token, [...(attempts.get(token) ?? []), { host, hasLeft: false }])
    },
    /** The bot sends answers. The returned function is called when it has received a reply that decides. */
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
     * Whether a person has tried long enough to continue with details that differ from the bot's own registration, which
     * a put-back of the store has lost.
     */
    isLeft(token: string): boolean {
      const at = registered.get(token)
      const isRefused = ([chat, told]: [string, number]) =>
        invited.get(chat)?.has(token) && told > (at ?? 0) && elapsed() - told > GIVES_UP_MS
      return at !== undefined && hasForgotten(at, at + KEPT_MS) && [...refusedIn].some(isRefused)
    },
    isPerhapsOurs: (token: string): boolean => uncertain.has(token) || mayBeOurs(token),
    /** Whether the bot has read what another client has written to the token of a path. */
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
          report('strayed', `details of ${nameOf(token)} were sent for another client's role`)
      }
      if (method === 'POST' && RECORD.test(path) && status === 409 && written?.isFinished)
        refused.set(token, refused.get(token) ?? elapsed())
      if (method !== 'POST' || !RECORD.test(path) || status !== 200 || !written || written.isFinished) return
      const at = typed.get(owner)
      // Typed details expire; after that, the next account continues with the existing profile.
      const isKept = at !== undefined && !hasSkipped(RETENTION_MS, at, elapsed())
      if (isKept && !registered.has(owner) && !hasReleased)
        report('strayed', `answers of ${nameOf(token)} went to a profile that another client registered`)
    },
    /** A test is released: the next account may continue with a profile that another client has made. */
    releases(): void {
      hasReleased = true
    },
    /** A message is shown in a chat. */
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
            report('strayed', `${nameOf(token)} is called uncertain although the store was not put back`)
        }
        const isThanks = said.includes(bare(word('submitted', { total: questions })))
        if (isThanks || (said.includes(`«${title}`) && said.includes(RECORD_DONE)))
          report('strayed', `thanks for answers of ${nameOf(token)} that another client gave`)
      }
    },
    /** At the end: checks that participants and organizers were notified of tests that were answered elsewhere. */
    judge(organizers: readonly number[], forgotten: readonly number[]): void {
      const isForgotten = (token: string) =>
        forgotten.some((chat) => answerable.get(String(chat))?.some((each) => each.token === token))
      for (const [token, at] of refused) {
        const isLate = elapsed() - at > TOLD_MS && !hasForgotten(0, elapsed())
        if (!isLate || mayBeOurs(token) || isForgotten(token)) continue
        if (!toldOf.has(token)) report('lost', `no notice that ${nameOf(token)} was done elsewhere`)
        for (const id of organizers)
          if (!toldOf.has(`${id} ${token}`))
            report('lost', `organizer ${id} was not notified that ${nameOf(token)} was done elsewhere`)
      }
    },
    /** Telegram has confirmed a part of a result. */
    brings(chat: string, part: string): void {
      const own = finishedIn(chat)
      for (const { isNested, token, title } of own)
        if (!isNested && part.includes(title) && !uncertain.has(token))
          report('strayed', `the result of ${nameOf(token)} is of answers that another client gave`)
    },
  }
}

export type OthersModel = ReturnType<typeof createOthersModel>
