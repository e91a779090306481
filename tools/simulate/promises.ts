import type { Sandbox } from '../sandbox/sandbox.ts'
import { hasReport, type Participant } from './person.ts'
import { linkOf } from './tasks.ts'
import { FORGOTTEN, RELEASED, TROUBLE } from './way-in.ts'

/**
 * A broken promise. `lost`: answers, updates or notices are missing; `shifted`: other answers were sent than confirmed;
 * `doubled`: something came twice; `stuck`: a person cannot reach the end; `strayed`: something went to the wrong
 * account, or was sent although its owner was forgotten; `unlike`: the other store made a different world.
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

/** The inputs of a model: the time of its world, the put-backs of the store, and where to report broken promises. */
export type ModelDeps = {
  elapsed: () => number
  /** Whether a put-back of the store has lost writes between the two moments. */
  hasForgotten: (from: number, to: number) => boolean
  report: (kind: Broken['kind'], what: string) => void
}

type PutBack = { from: number; to: number }
type Found = {
  people: readonly Participant[]
  sandbox: Sandbox
  /** When the store was put back, and to which moment. */
  putBackAt: readonly PutBack[]
  /** Whether another client has answered the record. */
  isOfOthers?: (token: string) => boolean
}

/** Checks the promises to every participant at the end. */
export function lookAtPeople({ people, sandbox, putBackAt, isOfOthers = () => false }: Found): Broken[] {
  const seen = { sandbox, putBackAt, isOfOthers }
  return [
    ...people.flatMap((participant) => [
      ...reportsMissing(participant, people),
      ...partsMissing(participant),
      ...foreignSecrets(participant, people),
      ...wrongSubmissions(participant, seen),
    ]),
    ...wrongFamilySubmissions(people, seen),
  ]
}

function reportsMissing(
  { number, tasks, isFulfilled, forgottenAt }: Participant,
  people: readonly Participant[],
): Broken[] {
  if (forgottenAt !== undefined) return []
  const unfulfilled = tasks.filter((task) => !isFulfilled(task))
  const due = unfulfilled.filter((task) => !isAbandoned(task, people))
  // A person who waits for someone who is gone asks for no other invitation.
  const isWaiting = due.length < unfulfilled.length
  const missing = isWaiting ? due.filter((task) => linkOf(task) !== undefined) : due
  return missing.map(({ title }) => ({ kind: 'stuck', what: `p${number} has no report of ${title}` }))
}

/**
 * Whether a role of a shared roadmap waits for a person who sent /forget and is gone, so that the role is still theirs:
 * an organizer released it, the button of /forget was too old, or its update was set aside after it was confirmed.
 * No other account may answer in their place.
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

/** The parts that are missing beside a report: a part that never arrived must not count as sent. */
function partsMissing({ number, tasks, messages, forgottenAt }: Participant): Broken[] {
  if (forgottenAt !== undefined) return []
  const isOf = (title: string, text = '') => text.includes(title)
  const starts = ['نتیجهٔ', SHARED]
  return tasks
    .filter((task) => hasReport(messages, task))
    .flatMap(({ title }) => {
      // The picture of a roadmap with one test shows that test.
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

/** The report of a shared roadmap, which names its people with their consent. */
const SHARED = 'گزارش ترکیبی'

/** Finds secrets of other people in a participant's chats. */
function foreignSecrets({ number, messages, tasks }: Participant, people: readonly Participant[]): Broken[] {
  // The participant's own messages do not count.
  const read = messages.filter(({ from }) => from.is_bot)
  const all = JSON.stringify(read)
  const own = JSON.stringify(read.filter(({ text = '' }) => !text.startsWith(SHARED)))
  const shares = ({ tasks: others }: Participant) =>
    tasks.some(({ family }) => family && others.some((other) => other.family === family))
  const others = people.filter((other) => other.number !== number)
  const met = others.filter((other) =>
    other.secrets.some((secret) => (shares(other) ? own : all).includes(secret)),
  )
  return met.map((other) => ({ kind: 'strayed', what: `p${number} reads a secret of p${other.number}` }))
}

/** Whether a put-back of the store has lost writes between two moments. */
const forgottenBetween = (putBackAt: readonly PutBack[]) => (since: number, at: number) =>
  putBackAt.some(({ from, to }) => from >= since && to <= at)

type Seen = Required<Omit<Found, 'people'>>

function wrongSubmissions(participant: Participant, { sandbox, putBackAt, isOfOthers }: Seen): Broken[] {
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

/** The sent answers of each role of a shared roadmap have to be those that one of its people has given. */
function wrongFamilySubmissions(
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

/** The records that a person answers alone, with the ids in their buttons: all have different lengths. */
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

/** Finds names and mobiles in clear in the store or the log. */
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

/** Log lines with errors that no injected fault explains. */
export const mistakes = (lines: readonly string[], isExplained = (_: string) => false): Broken[] =>
  lines.filter((line) => MISTAKE.test(line) && !isExplained(line)).map((what) => ({ kind: 'error', what }))

/** Whether a replica ends because a put-back lost its data key, and another replica made one with the same number. */
export const isOfForgottenKey = (line: string): boolean => line.includes(FOREIGN)
