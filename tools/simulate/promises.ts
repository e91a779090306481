import type { Sandbox } from '../sandbox/sandbox.ts'
import { hasReport, type Participant } from './person.ts'
import { linkOf } from './tasks.ts'
import { FORGOTTEN, RELEASED, TROUBLE } from './way-in.ts'

/**
 * What was promised and not held. `lost`: an accepted submission has fewer answers than the test; `shifted`: other ones
 * than were confirmed; `doubled`: something came twice; `stuck`: somebody has not come to the end; `strayed`: something
 * went to somebody else, or away although its owner was forgotten; `unlike`: the other store made another world.
 */
export type Broken = {
  kind:
    | 'lost'
    | 'shifted'
    | 'doubled'
    | 'stuck'
    | 'strayed'
    | 'above budget'
    | 'in clear'
    | 'error'
    | 'unlike'
  what: string
}

/** What a model goes by: the time of its world, what a store that was put back forgot, and whom it tells what is broken. */
export type ModelDeps = {
  elapsed: () => number
  /** Whether the store was put back behind some moment between two. */
  hasForgotten: (from: number, to: number) => boolean
  tell: (kind: Broken['kind'], what: string) => void
}

type PutBack = { from: number; to: number }
type Found = {
  people: readonly Participant[]
  sandbox: Sandbox
  /** When the store was put back, and to when. */
  putBackAt: readonly PutBack[]
  /** Whether somebody else has answered it. */
  isOfOthers?: (token: string) => boolean
}

/** What has become of every participant, held against what was promised to them. */
export function lookAtPeople({ people, sandbox, putBackAt, isOfOthers = () => false }: Found): Broken[] {
  const seen = { sandbox, putBackAt, isOfOthers }
  return [
    ...people.flatMap((participant) => [
      ...whatIsMissing(participant, people),
      ...partsMissing(participant),
      ...strangers(participant, people),
      ...whatWasSent(participant, seen),
    ]),
    ...whatFamiliesSent(people, seen),
  ]
}

function whatIsMissing(
  { number, tasks, isFulfilled, forgottenAt }: Participant,
  people: readonly Participant[],
): Broken[] {
  if (forgottenAt !== undefined) return []
  const unfulfilled = tasks.filter((task) => !isFulfilled(task))
  const due = unfulfilled.filter((task) => !isAbandoned(task, people))
  // Who waits for somebody who is gone asks for no other invitation.
  const isWaiting = due.length < unfulfilled.length
  const missing = isWaiting ? due.filter((task) => linkOf(task) !== undefined) : due
  return missing.map(({ title }) => ({ kind: 'stuck', what: `p${number} has no report of ${title}` }))
}

/**
 * Whether a role of a shared roadmap waits for somebody who wants everything forgotten and is gone: on another account, by
 * an organizer's release, or on this one, where the button of /forget was too old, or was set aside after it had been
 * confirmed. Nobody else may answer in their place.
 */
const isAbandoned = ({ family }: Participant['tasks'][number], people: readonly Participant[]): boolean =>
  family !== undefined &&
  people.some(
    ({ tasks, phones, forgottenAt, messages }) =>
      forgottenAt !== undefined &&
      phones === 1 &&
      tasks.some((task) => task.role !== undefined && task.family?.token === family.token) &&
      (hasRead(messages, RELEASED) || hasRead(messages, TROUBLE) || !hasRead(messages, FORGOTTEN)),
  )

const hasRead = (messages: Participant['messages'], words: string): boolean =>
  messages.some(({ text }) => text?.includes(words))

/** What comes with a report: a part that never arrived must not count as sent. */
function partsMissing({ number, tasks, messages, forgottenAt }: Participant): Broken[] {
  if (forgottenAt !== undefined) return []
  const isOf = (title: string, text = '') => text.includes(title)
  const starts = ['نتیجهٔ', SHARED]
  return tasks
    .filter((task) => hasReport(messages, task))
    .flatMap(({ title }) => {
      // A roadmap of one test draws that test.
      const drawn = [title, title.replace('نقشهٔ', 'آزمون')]
      const hasPicture = messages.some(
        ({ photo, caption }) => photo && drawn.some((each) => isOf(each, caption)),
      )
      const hasWords = messages.some(
        ({ text = '' }) => starts.some((start) => text.startsWith(start)) && isOf(title, text),
      )
      const missing = [...(hasPicture ? [] : ['picture']), ...(hasWords ? [] : ['text'])]
      return missing.map((part) => ({ kind: 'lost' as const, what: `p${number} has no ${part} of ${title}` }))
    })
}

/** The report of a roadmap, in which those who share it are named by consent. */
const SHARED = 'گزارش ترکیبی'

/** Whether something of somebody else stands in a chat. */
function strangers({ number, messages, tasks }: Participant, people: readonly Participant[]): Broken[] {
  // What somebody has typed they know.
  const read = messages.filter(({ from }) => from.is_bot)
  const all = JSON.stringify(read)
  const own = JSON.stringify(read.filter(({ text = '' }) => !text.startsWith(SHARED)))
  const shares = ({ tasks: others }: Participant) =>
    tasks.some(({ family }) => family && others.some((other) => other.family === family))
  const others = people.filter((other) => other.number !== number)
  const met = others.filter((other) =>
    other.secrets.some((secret) => (shares(other) ? own : all).includes(secret)),
  )
  return met.map((other) => ({ kind: 'strayed', what: `p${number} reads something of p${other.number}` }))
}

/** Whether the store has forgotten something that it knew at some moment between two. */
const forgottenBetween = (putBackAt: readonly PutBack[]) => (since: number, at: number) =>
  putBackAt.some(({ from, to }) => from >= since && to <= at)

type Seen = Required<Omit<Found, 'people'>>

function whatWasSent(participant: Participant, { sandbox, putBackAt, isOfOthers }: Seen): Broken[] {
  const { number, memory } = participant
  const broken: Broken[] = []
  const hasForgotten = forgottenBetween(putBackAt)
  for (const { token, attempts, questions } of recordsOf(participant, sandbox)) {
    const accepted = sandbox.submissions(token).filter((submission) => submission.accepted)
    const [submission] = accepted
    if (!submission || isOfOthers(token)) continue
    if (accepted.length > 1)
      broken.push({ kind: 'doubled', what: `p${number} has ${accepted.length} submissions` })
    const sent = optionsOf(submission.record)
    if (sent.length !== questions)
      broken.push({ kind: 'lost', what: `p${number} has sent ${sent.length} of ${questions}` })
    const wrong = attempts.map((s) => memory.contradiction(s, sent, hasForgotten))
    if (wrong.every((each) => each !== undefined))
      broken.push({ kind: 'shifted', what: `p${number}: ${wrong.join(', ') || 'never answered'}` })
  }
  return broken
}

/** What was sent of each role of a shared roadmap has to be what one of its people has given, whoever that is in the end. */
function whatFamiliesSent(
  people: readonly Participant[],
  { sandbox, putBackAt, isOfOthers }: Seen,
): Broken[] {
  const hasForgotten = forgottenBetween(putBackAt)
  const { records, roadmaps } = sandbox.snapshot()
  const broken: Broken[] = []
  for (const { family, role } of people.flatMap(({ tasks }) => tasks)) {
    if (!family || role !== undefined) continue
    for (const token of roadmaps[family.token]?.records ?? []) {
      const [submission, ...more] = sandbox.submissions(token).filter(({ accepted }) => accepted)
      if (!submission || isOfOthers(token)) continue
      if (more.length > 0) broken.push({ kind: 'doubled', what: `a role has ${more.length + 1} submissions` })
      const questions = Number(records[token]?.testId.split('-')[1])
      const sent = optionsOf(submission.record)
      if (sent.length !== questions)
        broken.push({ kind: 'lost', what: `a role has sent ${sent.length} of ${questions}` })
      const wrong = family.memories.map((memory) => {
        const s = memory.ofLength(questions)
        return s === undefined ? 'never answered' : memory.contradiction(s, sent, hasForgotten)
      })
      if (wrong.every((each) => each !== undefined))
        broken.push({ kind: 'shifted', what: `a role of ${questions}: ${wrong.join(', ')}` })
    }
  }
  return broken
}

/** The records that somebody answers alone, with the ids that their buttons have: no two are of one length. */
function recordsOf({ tasks, memory }: Participant, sandbox: Sandbox) {
  const { records, roadmaps } = sandbox.snapshot()
  return tasks
    .filter(({ family }) => !family)
    .flatMap(({ token }) => roadmaps[token]?.records ?? [token])
    .map((token) => {
      const questions = Number(records[token]?.testId.split('-')[1])
      return { token, questions, attempts: memory.sendable(questions) }
    })
}

/** The positions of the options of a submission, in the order of the questions. */
export function optionsOf(record: unknown): number[] {
  const ids = Array.isArray(record) ? record : Object.values(record as object).flat()
  return ids.map((id) => Number(String(id).split('o')[1]) - 1)
}

/** Names and mobiles that can be read where they must not stand. */
export function whatStandsInClear(
  secrets: readonly string[],
  { store, log }: { store: readonly Buffer[]; log: string },
): Broken[] {
  const all = Buffer.concat(store)
  return secrets.flatMap((secret) => [
    ...(all.includes(secret) ? [{ kind: 'in clear' as const, what: `${secret} in the store` }] : []),
    ...(log.includes(secret) ? [{ kind: 'in clear' as const, what: `${secret} in the log` }] : []),
  ])
}

const MISTAKE =
  /"(UnreadableError|ForeignKeyringError|TypeError|RangeError|ReferenceError|SyntaxError|ZodError)/

const FOREIGN = '"type":"ForeignKeyringError"'

/** Lines of the log about what no fault around the bot explains. */
export const mistakes = (lines: readonly string[], isExplained = (_: string) => false): Broken[] =>
  lines.filter((line) => MISTAKE.test(line) && !isExplained(line)).map((what) => ({ kind: 'error', what }))

/** Whoever made a data key that the store has forgotten ends where somebody else has made one of the same number. */
export const isOfForgottenKey = (line: string): boolean => line.includes(FOREIGN)
