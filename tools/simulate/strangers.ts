import { dataOf, type Place } from '../../test/places.ts'
import type { Emulator } from '../emulator/emulator.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Chance } from './chance.ts'
import type { Shared } from './holders.ts'
import type { Participant } from './person.ts'
import type { Broken } from './promises.ts'
import type { World } from './sizes.ts'
import { answerableIn, linkOf, type Task } from './tasks.ts'
import type { Days } from './time.ts'
import type { Watch } from './watch.ts'
import { ASKS_MOBILE } from './way-in.ts'

/** How often a stranger tries a link. */
const TRIES = 12
const TRIES_MS = [2_000, 8_000] as const
/** The same in hasty worlds. */
const HASTY_TRIES = 60
const HASTY_MS = [200, 1_500] as const
/** The same for a used invitation; these places show that its participant has begun. */
const OLD_TRIES = 40
const OLD_MS = [1_000, 5_000] as const
const BEGUN: ReadonlySet<Place> = new Set(['name', 'question', 'review'])
const LOST_MS = [2_000, 60_000] as const

/** Strangers with links that are not theirs: to the test of a lost phone, a used invitation, the tests of a roadmap. */
export function createStrangers({
  time,
  chance,
  emulator,
  sandbox,
  watch,
  kind,
  watchAnswers,
}: {
  time: Days
  chance: Chance
  emulator: Emulator
  sandbox: Sandbox
  watch: Watch
  kind: Pick<World, 'isHasty'>
  /** Registers a chat with the models, which check what it shows and presses. */
  watchAnswers: (chat: number, mobile: string, tasks: readonly Task[]) => void
}) {
  /** Strangers who must not have read any secret of a participant. */
  const readers: { hasReadSecret: () => boolean }[] = []

  /** A participant loses their phone. */
  function losePhone(participant: Participant): void {
    const [task] = participant.tasks
    // A role of a shared roadmap begins later, because its owner has to send the invitation first.
    const at = chance.between(...LOST_MS) * (task?.family ? 2 : 1)
    time.after(at, () => {
      if (!participant.isDone()) participant.losePhone()
    })
  }

  /** A stranger has the invitation after a release, and guesses the mobile. */
  function guessMobile(participant: Participant, shared: Shared): void {
    const [task] = participant.tasks
    const everyMs: readonly [number, number] = kind.isHasty ? HASTY_MS : TRIES_MS
    const stranger = emulator.person({ firstName: 'x' })
    watch.holders.knows(stranger.id, shared)
    watchAnswers(stranger.id, participant.mobile, participant.tasks)
    readers.push({
      hasReadSecret: () =>
        participant.secrets.some((secret) => JSON.stringify(stranger.messages).includes(secret)),
    })
    const isAsked = () =>
      stranger.messages.some(({ text = '' }) => ASKS_MOBILE.some((each) => text.includes(each)))
    const look = (times: number) => {
      if (participant.isDone()) return
      const link = task && (task.family ? linkOf(task) : participant.linkOf(task))
      if (isAsked()) return void stranger.say('09350000000')
      const isToTry = participant.phones > 1 && participant.memory.newest() !== undefined
      if (isToTry && link) stranger.start(link)
      const left = isToTry ? times - 1 : times
      if (left > 0) time.after(chance.between(...everyMs), () => look(left))
    }
    time.after(chance.between(...everyMs), () => look(kind.isHasty ? HASTY_TRIES : TRIES))
  }

  /** A stranger has an invitation that another participant has used, and tries it again and again. */
  function tryOldInvitation(participant: Participant): void {
    const { person } = participant
    const stranger = emulator.person({ firstName: 'z' })
    let used: string | undefined
    const look = (times: number) => {
      if (participant.isDone()) return
      const isBegun = participant.person === person && BEGUN.has(participant.place ?? 'introduction')
      if (isBegun) used ??= participant.begunWith
      if (used !== undefined) {
        watch.invitations.ends(used, { by: person.id })
        watch.invitations.opens(stranger.id, used)
        stranger.start(used)
      }
      const left = used === undefined ? times : times - 1
      if (left > 0) time.after(chance.between(...OLD_MS), () => look(left))
    }
    time.after(chance.between(...OLD_MS), () => look(OLD_TRIES))
  }

  /** The tests of a roadmap have their own links: a stranger tries them once people answer. */
  function tryLinks({ tasks, memory, mobile, person }: Participant, shared: Shared): void {
    const whole = tasks.filter(({ kind, role }) => kind === 'roadmap' && role === undefined)
    const nested = answerableIn(whole, sandbox)
    if (nested.length === 0) return
    const stranger = emulator.person({ firstName: 'y' })
    watch.holders.knows(stranger.id, shared)
    watchAnswers(stranger.id, mobile, whole)
    const memories = [memory, ...(whole[0]?.family?.memories ?? [])]
    const look = (times: number) => {
      const message = stranger.messages.findLast(({ from }) => from.is_bot)
      const data = message && dataOf(message).find((each) => /^(begin|a|submit):/.test(each))
      const { token, questions } = chance.pick(nested)
      // If a put-back of the store has lost the begin, the stranger could rightly begin the test, so does not tap.
      const isFree = data?.startsWith('begin:') && !watch.invitations.hasBegun(person.id)
      if (message && data && !isFree) stranger.rawTap(message, data)
      else if (memories.some((each) => each.ofLength(questions) !== undefined))
        stranger.start(`record_${token}`)
      if (times > 1) time.after(chance.between(...TRIES_MS), () => look(times - 1))
    }
    time.after(chance.between(...TRIES_MS), () => look(TRIES))
  }

  return {
    losePhone,
    guessMobile,
    tryOldInvitation,
    tryLinks,
    judge: (): Broken[] =>
      readers
        .filter(({ hasReadSecret }) => hasReadSecret())
        .map(() => ({ kind: 'strayed', what: 'a stranger reads a secret of a participant' })),
  }
}
