import { setTimeout as sleep } from 'node:timers/promises'
import { placeOf } from '../../test/places.ts'
import { createChance } from '../simulate/chance.ts'
import { tasksOf } from '../simulate/crowd.ts'
import { createDesk } from '../simulate/desk.ts'
import { createFamily } from '../simulate/family.ts'
import { type Guests, guestsOf } from '../simulate/guests.ts'
import { createOrganizer } from '../simulate/organizer.ts'
import { createParticipant } from '../simulate/person.ts'
import { profileOf } from '../simulate/profile.ts'
import { type Broken, lookAtPeople, mistakes, whatStandsInClear } from '../simulate/promises.ts'
import { type Size, worlds } from '../simulate/sizes.ts'
import { issueTasks } from '../simulate/tasks.ts'
import { createTrace, type Trace } from '../simulate/trace.ts'
import { partsThatCameAgain } from './deliveries.ts'
import { carryOut, type Done } from './fault-injector.ts'
import { type Machines, type Programs, startMachines } from './machines.ts'
import type { Plan } from './plan.ts'
import { bytesIn } from './stores.ts'

/** The outcome of a world. */
export type WorldReport = Done & {
  plan: Plan
  guests: Guests
  people: number
  answers: number
  seconds: number
  broken: Broken[]
  /** What happened, the chats at the end, and the logs. */
  story: string
}

/**
 * A person who makes no progress for this long, although no fault is active, is stuck. A run that looks for a
 * planted fault does not wait for a busy machine.
 */
const [STUCK_MS, STUCK_OF_PLANT_MS] = [240_000, 40_000]
/** How often people look at their phone; rarely enough that replicas on a busy machine can catch up. */
const LOOK_MS = [400, 3_000] as const

/** Runs a plan: people take their tests while everything around them fails; then the promises are checked. */
export async function live(plan: Plan, programs: Programs, size: Size = 'usual'): Promise<WorldReport> {
  const startedAt = Date.now()
  const elapsed = () => Date.now() - startedAt
  const trace = createTrace({ elapsed, isKept: true })
  const guests = guestsOf(plan.seed, worlds[size])
  const machines = await startMachines(plan, { programs, guests, chance: chanceOf(plan, BALANCER), trace })
  const { bots, emulator } = machines
  const crowd = gather(plan, machines, { elapsed, trace, size, guests })
  const { people } = crowd
  process.once('exit', machines.abandon)
  try {
    const note = (what: string) => trace.note('world', what)
    const done = await carryOut({ ...machines, plan, note, onStep: crowd.arrive })
    note('nothing fails any more')
    machines.balancer.calm()
    await untilDone(crowd, programs.plant === undefined ? STUCK_MS : STUCK_OF_PLANT_MS)
    crowd.leave()
    await Promise.all(bots.map((bot) => bot.down()))
    const logs = bots.map((bot) => bot.log() + bot.errors())
    return {
      ...done,
      plan,
      guests,
      people: people.length,
      answers: people.reduce((sum, { memory }) => sum + memory.answers, 0),
      seconds: Math.round(elapsed() / 1_000),
      broken: judge(crowd, machines, startedAt),
      story: [...trace.lines, emulator.transcript(), ...logs].join('\n'),
    }
  } finally {
    crowd.leave()
    await machines.close()
    process.off('exit', machines.abandon)
  }
}

/** Waits until everybody is done, or no person makes progress. */
async function untilDone({ people, offices }: Crowd, stuckMs: number): Promise<void> {
  const met = new Map(people.map(({ number }) => [number, new Set<unknown>()]))
  const all = [...people, ...offices]
  const reached = () =>
    people.reduce(
      (sum, { number, isDone, memory, person }) => {
        const newest = person.messages.findLast(({ from }) => from.is_bot)
        const places = met.get(number)?.add(newest && placeOf(newest))
        return sum + Number(isDone()) + memory.answers + (places?.size ?? 0)
      },
      offices.filter((office) => office.isDone()).length,
    )
  let [before, since] = [reached(), Date.now()]
  while (!all.every(({ isDone }) => isDone()) && Date.now() < since + stuckMs) {
    await sleep(200)
    const now = reached()
    if (now !== before) [before, since] = [now, Date.now()]
  }
}

/** Each person has a chance of their own, so that when one person acts changes nothing for the others. */
const chanceOf = ({ seed }: Plan, number: number) => createChance(seed * 1_000 + number)
const [BALANCER, FAMILY, OFFICE] = [999, 998, 900]

type Crowd = ReturnType<typeof gather>

/** The people of a plan, who arrive as its faults proceed. */
function gather(
  plan: Plan,
  { emulator, sandbox }: Machines,
  { elapsed, trace, size, guests }: { elapsed: () => number; trace: Trace; size: Size; guests: Guests },
) {
  const kind = { ...worlds[size], lookMs: LOOK_MS }
  const { organizers, isShared, resultTo } = guests
  const desk = organizers.length > 0 ? createDesk() : undefined
  const ofFamily = chanceOf(plan, FAMILY)
  const members = ofFamily.is(0.5) ? 2 : 1
  const family = isShared ? createFamily({ chance: ofFamily, sandbox, members }) : undefined
  const timers = new Set<NodeJS.Timeout>()
  const asked = new Map<number, number[]>()
  let isOver = false
  function after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, ms)
    if (!isOver) timers.add(timer)
    else clearTimeout(timer)
  }
  const time = { elapsed, after }
  const people = plan.people.map((_, number) => {
    const chance = chanceOf(plan, number)
    // Drawn before the task, so that a seed keeps its people.
    const drawn = profileOf(chance, kind.profile)
    const tasks = tasksOf(number, issueTasks(sandbox, chance, kind), { chance, desk, family })
    // No person leaves a roadmap to the others, because a store that was put back may have forgotten them.
    const profile = tasks.some((task) => task.family) ? { ...drawn, forgets: 0 } : drawn
    return createParticipant({
      time,
      chance,
      trace,
      emulator,
      sandbox,
      tasks,
      number,
      kind,
      profile,
      desk,
      resultTo,
      onOpen: (chat) => void asked.set(chat, [...(asked.get(chat) ?? []), Date.now()]),
    })
  })
  const words = people.flatMap(({ secrets: [name = ''], tasks: [task] }) => [name, task?.token ?? ''])
  const offices = organizers.map((id, nth) =>
    createOrganizer({
      ...{ time, trace, emulator, id, words, desk: desk ?? createDesk() },
      chance: chanceOf(plan, OFFICE + nth),
      // No result is released here.
      moments: { awaits: () => undefined },
      isEverybodyDone: () => people.every((participant) => participant.isDone()),
      onResultAsked: () => undefined,
      onTap: () => undefined,
    }),
  )
  for (const office of offices) office.begin()
  return {
    people,
    offices,
    /** Organizers: their chats get results of many people, as often as they ask. */
    organizers,
    asked: asked as ReadonlyMap<number, readonly number[]>,
    arrive(step: number): void {
      for (const [number, participant] of people.entries())
        if (plan.people[number] === step) participant.begin()
    },
    leave(): void {
      isOver = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** The broken promises when all is over. */
function judge(
  { people, offices, organizers, asked }: Crowd,
  machines: Machines,
  startedAt: number,
): Broken[] {
  const { sandbox, emulator, store, bots, dir, strange } = machines
  const logs = bots.map((bot) => bot.log())
  const kept = bytesIn(dir, (path) => !/bot-\d+\.\w+$/.test(path))
  const secrets = people.flatMap((participant) => participant.secrets)
  const seen = bots.map(({ thaws }, number) => ({ thaws, log: logs[number] ?? '' }))
  const putBackAt = store.older.map(({ from, to }) => ({ from: from - startedAt, to: to - startedAt }))
  const calls = emulator.calls.filter(({ payload }) => !organizers.includes(Number(payload.chat_id)))
  return [
    ...lookAtPeople({ people, sandbox, putBackAt }),
    ...offices.flatMap((office) => office.judge()),
    ...partsThatCameAgain({ calls, bots: seen, older: store.older, asked }),
    ...whatStandsInClear(secrets, { store: kept, log: logs.join('') }),
    ...mistakes(logs.flatMap((log) => log.split('\n'))),
    ...strange.map((what) => ({ kind: 'error' as const, what })),
  ]
}
