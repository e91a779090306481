import type { Place } from '../../test/places.ts'
import type { Emulator } from '../emulator/emulator.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Aims } from './aims.ts'
import type { Chance } from './chance.ts'
import { createDesk, type Desk } from './desk.ts'
import { createFamily, type Family } from './family.ts'
import type { Guests } from './guests.ts'
import { ENDED_MS } from './model-forgotten.ts'
import type { OthersModel } from './model-others.ts'
import type { Moment, Moments } from './moments.ts'
import { createOrganizer } from './organizer.ts'
import { createParticipant, HESITATES_MS, type Participant } from './person.ts'
import { hastyProfileOf, type Profile, profileOf } from './profile.ts'
import type { Broken } from './promises.ts'
import type { SecondWriter } from './second-writer.ts'
import type { World } from './sizes.ts'
import { createStrangers } from './strangers.ts'
import { answerableIn, issueTasks, type Task } from './tasks.ts'
import type { Days } from './time.ts'
import type { Trace } from './trace.ts'
import type { Watch } from './watch.ts'

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
  /** The store may be put back to an earlier state, from before a /forget. */
  isForgetful: boolean
} & Guests

/** The lengths of the tests in a roadmap of one person. */
const ROADMAP_LENGTHS = [3, 4]
const ALL_LENGTHS = [5, 6, 7, 8, 9, 10]
/** The time between two looks at the phone for slow people. */
const UNHURRIED_MS = [1_000, 4_000] as const
/** The same in hasty worlds, so that organizers keep up. */
const PATIENT_MS = [2_000, 8_000] as const
const RELEASE_LOOK_MS = 300
/** The moment in which an organizer presses release, and the place of the dialog at which the release is requested. */
const RELEASES: readonly { moment?: Moment; from?: Place }[] = [
  {},
  {},
  {},
  { moment: 'auth', from: 'birth' },
  { moment: 'auth', from: 'birth' },
  { moment: 'part', from: 'review' },
]
const HASTY_RELEASES: typeof RELEASES = [
  {},
  {},
  { moment: 'auth', from: 'birth' },
  { moment: 'part', from: 'question' },
]
/** How long a task waits for the organizer. */
const WAITS_MS = [2_000, 20_000] as const

/** The tasks of one person: some of their own, some to be asked for at an organizer, some in a shared roadmap. */
export function tasksOf(
  number: number,
  [record, ...others]: readonly Task[],
  { chance, desk, family }: { chance: Chance; desk: Desk | undefined; family: Family | undefined },
): Task[] {
  if (!record) throw new Error('a person needs at least one task')
  const isInvited = desk !== undefined && chance.is(0.5)
  const own = isInvited ? { ...record, sent: { payload: undefined } } : record
  // An organizer releases only people with a single task.
  if (!family) return desk && chance.is(0.7) ? [own] : [own, ...others]
  const { token, title } = family
  const role = family.invited[number - 1]
  const part = { kind: 'roadmap' as const, token, title, family }
  // People who share a roadmap get no roadmap of their own, because its tests would have the same lengths.
  if (number === 0) return [part, own]
  if (!role) return [own, ...others]
  const shared = { ...part, sent: role.sent, role: role.id }
  // A person who may lose the phone has a single task.
  return desk && chance.is(0.5) ? [shared] : [own, shared]
}

/** All people of a world: participants with their tasks, organizers and strangers. */
export function gatherCrowd(deps: CrowdDeps) {
  const { chance, kind, sandbox, watch, isShared, isForgetful, writer, others, isMeddled, aims } = deps
  const desk = deps.organizers.length > 0 ? createDesk() : undefined
  const strangers = createStrangers({ ...deps, watchAnswers })
  const count = chance.between(...kind.crowd)
  const family = isShared
    ? createFamily({ chance, sandbox, members: count > 2 && chance.is(0.5) ? 2 : 1 })
    : undefined

  function waitAtFirst(task: Task): void {
    const { token } = task
    // The tests of a roadmap wait too; they have their own links.
    for (const each of [token, ...answerableIn([task], sandbox).map((own) => own.token)]) watch.waits(each)
    sandbox.update(token, { status: 0 })
    deps.time.after(chance.between(...WAITS_MS), () => sandbox.update(token, { status: 2 }))
  }

  /** The profile of a person. The owner of a shared roadmap does not use /forget, since the others depend on them. */
  function profileIn(tasks: readonly Task[]): { profile?: Profile } {
    const part = tasks.find((task) => task.family)
    if (!part) return kind.isHasty ? { profile: hastyProfileOf(chance, tasks.length) } : {}
    const profile = profileOf(chance, kind.profile)
    return { profile: part.role === undefined || isForgetful ? { ...profile, forgets: 0 } : profile }
  }

  /** Registers a chat with the models, which check what it shows and presses. */
  function watchAnswers(chat: number, mobile: string, tasks: readonly Task[]): void {
    const records = answerableIn(tasks, sandbox)
    watch.answers.knows(chat, records)
    const links = tasks.map(({ token }) => token)
    others.knows(chat, links, records)
    watch.told.knows(chat, mobile, records, links)
  }

  const people = Array.from({ length: family ? Math.max(2, count) : count }, (_, number) => {
    const tasks = tasksOf(number, issueTasks(sandbox, chance, kind), { chance, desk, family })
    const isOfFamily = family !== undefined && tasks.some((task) => task.family)
    const shared = isOfFamily
      ? { name: 'family', lengths: family.lengths }
      : { name: `p${number}`, lengths: [...ROADMAP_LENGTHS, ...ALL_LENGTHS] }
    const isOnly = desk !== undefined && tasks.length === 1
    // A slow person is released in the middle of a test.
    const isReleased = isOnly && chance.is(0.7)
    const how = profileIn(tasks)
    let isForgetting = false
    const isUnhurried = isReleased && !how.profile?.forgetsAt && !how.profile?.isDouble
    const participant = createParticipant({
      ...deps,
      ...(isUnhurried && { kind: { ...kind, lookMs: kind.isHasty ? PATIENT_MS : UNHURRIED_MS } }),
      ...how,
      tasks,
      number,
      onOpen: watch.asksAgain,
      onStart(chat, payload, title) {
        watch.owed.opens(title, payload)
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
        // A role is taken back only before it is begun, so no answers end with it.
        if (data.startsWith('unhand:')) watch.holders.passes(shared.name, family?.lengthIn(data))
      },
      onType: watch.answers.types,
      isTaken: (token) => writer.isLeft(token) || others.isLeft(token),
      onMobile(chat) {
        watch.holders.passes(shared.name)
        aims.begins(chat, 'take-over')
      },
      onPlace(place) {
        aims.visits(place)
        const isToForget = place === how.profile?.forgetsAt && !isForgetting
        if (isToForget) forgetMidway(participant)
        isForgetting ||= isToForget
      },
    })
    const chat = participant.person.id
    watchAnswers(chat, participant.mobile, tasks)
    aims.visits(tasks.some(({ sent }) => sent) ? 'invited' : 'free')
    for (const { title, role } of tasks) if (role === undefined) watch.owed.knows(title)
    if (isMeddled) writer.plan(tasks)
    for (const task of tasks) if (!task.family && chance.is(kind.waits)) waitAtFirst(task)
    watch.holders.knows(chat, shared)
    if (chance.is(0.5)) strangers.tryLinks(participant, shared)
    if (isOnly && tasks[0]?.sent && !isOfFamily) strangers.tryOldInvitation(participant)
    if (isReleased && chance.is(0.7)) releaseAnyway(participant)
    else if (isOnly && chance.is(0.7)) strangers.losePhone(participant)
    if (isOnly && chance.is(0.5)) strangers.guessMobile(participant, shared)
    participant.begin()
    return participant
  })

  /** The participant sends /forget as soon as the next call about their task leaves. */
  const forgetMidway = ({ tasks: [task], says }: Participant): void =>
    deps.moments.awaits({ moment: 'call', about: task?.token ?? '', act: () => says('/forget') })

  /** An organizer releases a test while the participant is still answering it. */
  function releaseAnyway(participant: Participant): void {
    const { moment, from } = chance.pick(kind.isHasty ? HASTY_RELEASES : RELEASES)
    const { person, tasks, memory } = participant
    const about = moment === 'auth' ? (tasks[0]?.token ?? '') : String(person.id)
    const answered = kind.isHasty ? chance.between(1, 2) : chance.below(4)
    const isThere = () => (from ? from === participant.place : memory.answers >= answered)
    const look = () => {
      if (participant.isDone()) return
      if (!isThere()) return deps.time.after(RELEASE_LOOK_MS, look)
      const s = memory.newest()
      if (kind.isHasty && s) deps.moments.awaits({ moment: 'release', about: s, act: participant.look })
      participant.isReleasedAnyway(moment && { moment, about })
    }
    deps.time.after(chance.between(1_000, 10_000), look)
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
  /** A hasty world waits for the notices and events that are still due. */
  const isPatient = () => kind.isHasty === true && watch.told.isAwaited()

  return {
    people,
    isDone: () => areDone() && offices.every((office) => office.isDone()) && !isPatient(),
    secrets: people.flatMap(({ secrets }) => secrets),
    judge: (): Broken[] => [...offices.flatMap((office) => office.judge()), ...strangers.judge()],
  }
}
