import { dataOf, type Place } from '../../test/places.ts'
import type { Emulator } from '../emulator/emulator.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Aims } from './aims.ts'
import type { Chance } from './chance.ts'
import { createDesk, type Desk } from './desk.ts'
import { createFamily } from './family.ts'
import type { Guests } from './guests.ts'
import { ENDED_MS } from './model-forgotten.ts'
import type { OthersModel } from './model-others.ts'
import type { Moment, Moments } from './moments.ts'
import { createOrganizer } from './organizer.ts'
import { createParticipant, HESITATES_MS, type Participant } from './person.ts'
import { type Profile, profileOf } from './profile.ts'
import type { Broken } from './promises.ts'
import type { SecondWriter } from './second-writer.ts'
import type { World } from './sizes.ts'
import { answerableIn, issueTasks, linkOf, type Task } from './tasks.ts'
import type { Days } from './time.ts'
import type { Trace } from './trace.ts'
import type { Watch } from './watch.ts'
import { ASKS_MOBILE } from './way-in.ts'

type CrowdDeps = {
  time: Days
  chance: Chance
  trace: Trace
  emulator: Emulator
  sandbox: Sandbox
  watch: Watch
  writer: SecondWriter
  others: OthersModel
  aims: Aims
  moments: Moments
  kind: World
  /** The store may be put back, and know nothing any more of somebody who was forgotten. */
  isForgetful: boolean
} & Guests

/** Of the tests of a roadmap that is one person's. */
const ROADMAP_LENGTHS = [3, 4]
const ALL_LENGTHS = [5, 6, 7, 8, 9, 10]
/** Between two looks at the phone of somebody who takes their time. */
const UNHURRIED_MS = [1_000, 4_000] as const
const RELEASE_LOOK_MS = 300
/** In the middle of what an organizer releases, and from which place of the dialog on they are asked to. */
const RELEASES: readonly { moment?: Moment; from?: Place }[] = [
  {},
  {},
  {},
  { moment: 'auth', from: 'birth' },
  { moment: 'auth', from: 'birth' },
  { moment: 'part', from: 'review' },
]
/** So much of what people are sent waits for the organizer at first, and for so long. */
const WAITS = 0.25
const WAITS_MS = [2_000, 20_000] as const
/** So often somebody tries a link, and what comes of it. */
const TRIES = 12
const TRIES_MS = [2_000, 8_000] as const
/** The same of an invitation with which somebody has begun, as these places show. */
const OLD_TRIES = 40
const OLD_MS = [1_000, 5_000] as const
const BEGUN: ReadonlySet<Place> = new Set(['name', 'question', 'review'])
const LOST_MS = [2_000, 60_000] as const

/** Everybody of a world: people with their tasks, some with a shared one, and whoever has invited them. */
export function gatherCrowd(deps: CrowdDeps) {
  const { chance, kind, sandbox, emulator, watch, isShared, isForgetful, writer, others, isMeddled, aims } =
    deps
  const desk = deps.organizers.length > 0 ? createDesk() : undefined
  const strangers: { isToldOf: () => boolean }[] = []
  const count = chance.between(...kind.crowd)
  const family = isShared
    ? createFamily({ chance, sandbox, members: count > 2 && chance.is(0.5) ? 2 : 1 })
    : undefined

  function tasksOf(number: number): Task[] {
    const [record, ...others] = issueTasks(sandbox, chance, kind)
    if (!record) throw new Error('nobody comes for nothing')
    const isInvited = desk !== undefined && chance.is(0.5)
    const own = isInvited ? { ...record, sent: { payload: undefined } } : record
    // Only who comes for one thing is released.
    if (!family) return desk && chance.is(0.7) ? [own] : [own, ...others]
    const { token, title } = family
    const role = family.invited[number - 1]
    const part = { kind: 'roadmap' as const, token, title, family }
    // Nobody who shares a roadmap has one of their own, whose tests are as long.
    if (number === 0) return [part, own]
    if (!role) return [own, ...others]
    const shared = { ...part, sent: role.sent, role: role.id }
    // Whoever may lose the phone comes for one thing only.
    return desk && chance.is(0.5) ? [shared] : [own, shared]
  }

  function waitAtFirst({ token }: Task): void {
    watch.waits(token)
    sandbox.update(token, { status: 0 })
    deps.time.after(chance.between(...WAITS_MS), () => sandbox.update(token, { status: 2 }))
  }

  /** Whoever began a roadmap does not leave the others alone with it. */
  function profileIn(tasks: readonly Task[]): { profile?: Profile } {
    const part = tasks.find((task) => task.family)
    if (!part) return {}
    const profile = profileOf(chance, kind.profile)
    return { profile: part.role === undefined || isForgetful ? { ...profile, forgets: 0 } : profile }
  }

  /** What a chat shows and presses is held against the model. */
  function watchAnswers(chat: number, mobile: string, tasks: readonly Task[]): void {
    const records = answerableIn(tasks, sandbox)
    watch.answers.knows(chat, records)
    others.knows(chat, records)
    watch.told.knows(chat, mobile, records)
  }

  const people = Array.from({ length: family ? Math.max(2, count) : count }, (_, number) => {
    const tasks = tasksOf(number)
    const isOfFamily = family !== undefined && tasks.some((task) => task.family)
    const shared = isOfFamily
      ? { name: 'family', lengths: family.lengths }
      : { name: `p${number}`, lengths: [...ROADMAP_LENGTHS, ...ALL_LENGTHS] }
    const isOnly = desk !== undefined && tasks.length === 1
    // Who takes their time is released in the middle of it.
    const isReleased = isOnly && chance.is(0.7)
    const participant = createParticipant({
      ...deps,
      ...(isReleased && { kind: { ...kind, lookMs: UNHURRIED_MS } }),
      ...profileIn(tasks),
      tasks,
      number,
      onOpen: watch.asksAgain,
      onStart(chat, payload) {
        if (tasks.length === 1) watch.invitations.opens(chat, payload)
      },
      resultTo: deps.resultTo,
      desk,
      onOtherPhone(chat) {
        watch.holders.knows(chat, shared)
        watchAnswers(chat, participant.mobile, tasks)
      },
      onTap(chat, data) {
        watch.answers.taps(data)
        watch.told.taps(chat, data)
        if (data === 'forget:yes') aims.begins(chat, 'forget')
        if (/^(begin|hand):/.test(data)) aims.visits(data.startsWith('begin') ? 'taken' : 'handed')
        if (data === 'forget:yes') watch.answers.mayEnd(chat)
        // Nothing that was begun is taken back, so that no answers end with it.
        if (data.startsWith('unhand:')) watch.holders.passes(shared.name, family?.lengthIn(data))
      },
      onType: watch.answers.types,
      isTaken: writer.isLeft,
      onMobile(chat) {
        watch.holders.passes(shared.name)
        aims.begins(chat, 'take-over')
      },
      onPlace: aims.visits,
    })
    const chat = participant.person.id
    watchAnswers(chat, participant.mobile, tasks)
    aims.visits(tasks.some(({ sent }) => sent) ? 'invited' : 'free')
    for (const { title, role } of tasks) if (role === undefined) watch.owed.knows(title)
    if (isMeddled) writer.plan(tasks)
    for (const task of tasks) if (!task.family && chance.is(WAITS)) waitAtFirst(task)
    watch.holders.knows(chat, shared)
    if (chance.is(0.5)) triesLinks(participant, shared)
    if (isOnly && tasks[0]?.sent && !isOfFamily) triesOldInvitation(participant)
    if (isReleased && chance.is(0.7)) releaseAnyway(participant)
    else if (isOnly && chance.is(0.7)) losePhone(participant, shared)
    participant.begin()
    return participant
  })

  /** An organizer releases what somebody goes on with meanwhile. */
  function releaseAnyway(participant: Participant): void {
    const { moment, from } = chance.pick(RELEASES)
    const { person, tasks, memory } = participant
    const about = moment === 'auth' ? (tasks[0]?.token ?? '') : String(person.id)
    const answered = chance.below(4)
    const isThere = () => (from ? from === participant.place : memory.answers >= answered)
    const look = () => {
      if (participant.isDone()) return
      if (!isThere()) return deps.time.after(RELEASE_LOOK_MS, look)
      participant.isReleasedAnyway(moment && { moment, about })
    }
    deps.time.after(chance.between(1_000, 10_000), look)
  }

  /** Somebody loses their phone, and somebody else tries to get hold of what was begun with it. */
  function losePhone(participant: Participant, shared: { name: string; lengths: readonly number[] }): void {
    const { time } = deps
    const [task] = participant.tasks
    // What others have to send first is begun later.
    const at = chance.between(...LOST_MS) * (task?.family ? 2 : 1)
    time.after(at, () => {
      if (!participant.isDone()) participant.losePhone()
    })
    if (!chance.is(0.5)) return
    const stranger = emulator.person({ firstName: 'x' })
    watch.holders.knows(stranger.id, shared)
    watchAnswers(stranger.id, participant.mobile, participant.tasks)
    strangers.push({
      isToldOf: () =>
        participant.secrets.some((secret) => JSON.stringify(stranger.messages).includes(secret)),
    })
    time.after(at + chance.between(500, 20_000), () => {
      const link = task && (task.family ? linkOf(task) : participant.linkOf(task))
      if (participant.memory.newest() && link) stranger.start(link)
    })
    time.after(at + chance.between(20_000, 30_000), () => {
      const isAsked = stranger.messages.some(({ text = '' }) =>
        ASKS_MOBILE.some((each) => text.includes(each)),
      )
      // Whoever has the invitation that a release made, but not the mobile.
      if (isAsked) stranger.say('09350000000')
    })
  }

  /** Somebody has got hold of an invitation with which somebody else has begun, and tries it again and again. */
  function triesOldInvitation(participant: Participant): void {
    const { tasks, person } = participant
    const stranger = emulator.person({ firstName: 'z' })
    let used: string | undefined
    const look = (times: number) => {
      if (participant.isDone()) return
      const isBegun = participant.person === person && BEGUN.has(participant.place ?? 'introduction')
      if (isBegun) used ??= tasks[0]?.sent?.payload
      if (used !== undefined) {
        watch.invitations.ends(used)
        watch.invitations.opens(stranger.id, used)
        stranger.start(used)
      }
      const left = used === undefined ? times : times - 1
      if (left > 0) deps.time.after(chance.between(...OLD_MS), () => look(left))
    }
    deps.time.after(chance.between(...OLD_MS), () => look(OLD_TRIES))
  }

  /** The tests of a roadmap have links of their own: somebody who has those tries them, once people answer. */
  function triesLinks(
    { tasks, memory, mobile }: Participant,
    shared: { name: string; lengths: readonly number[] },
  ): void {
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
      if (message && data) stranger.rawTap(message, data)
      else if (memories.some((each) => each.ofLength(questions) !== undefined))
        stranger.start(`record_${token}`)
      if (times > 1) deps.time.after(chance.between(...TRIES_MS), () => look(times - 1))
    }
    deps.time.after(chance.between(...TRIES_MS), () => look(TRIES))
  }

  const isForgotten = ({ forgottenAt }: Participant) =>
    forgottenAt === undefined || deps.time.elapsed() - forgottenAt > ENDED_MS + HESITATES_MS
  const areDone = () => people.every((participant) => participant.isDone() && isForgotten(participant))
  const words = people.flatMap(({ secrets: [name = ''], tasks: [task] }) => [name, task?.token ?? ''])
  const offices = (desk ? deps.organizers : []).map((id) =>
    createOrganizer({
      ...deps,
      id,
      desk: desk as Desk,
      words,
      isEverybodyDone: areDone,
      onResultAsked: watch.asksAgain,
      onTap(chat, data) {
        watch.told.taps(chat, data)
        watch.owed.taps(chat, data)
        if (!/^release:[^:]+:/.test(data)) return
        watch.releases()
        others.releases()
        aims.begins(chat, 'release')
      },
    }),
  )
  for (const office of offices) office.begin()

  return {
    people,
    isDone: () => areDone() && offices.every((office) => office.isDone()),
    secrets: people.flatMap(({ secrets }) => secrets),
    judge: (): Broken[] => [
      ...offices.flatMap((office) => office.judge()),
      ...strangers
        .filter(({ isToldOf }) => isToldOf())
        .map(() => ({ kind: 'strayed' as const, what: 'a stranger reads something of somebody' })),
    ],
  }
}
