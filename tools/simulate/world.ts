import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../src/config.ts'
import type { Texts } from '../../src/texts/texts.ts'
import { createEmulator } from '../emulator/emulator.ts'
import { createSandbox, type Sandbox } from '../sandbox/sandbox.ts'
import { createAims } from './aims.ts'
import { createAsk } from './ask.ts'
import type { Carry, HttpRequest } from './carry.ts'
import { createChance } from './chance.ts'
import { gatherCrowd } from './crowd.ts'
import { createEdges } from './edges.ts'
import { createFaultInjector } from './fault-injector.ts'
import { CALM, weatherOf } from './faults.ts'
import { guestsOf } from './guests.ts'
import { createMachines, type Machines } from './machines.ts'
import { leftByForgotten } from './model-forgotten.ts'
import { createOthersModel } from './model-others.ts'
import { createMoments } from './moments.ts'
import type { NoiseDeps } from './noise.ts'
import { isOfForgottenKey, lookAtPeople, mistakes, whatStandsInClear } from './promises.ts'
import { type FormerReplica, versionsOf } from './replica.ts'
import type { Report } from './report.ts'
import { createSecondWriter } from './second-writer.ts'
import { createSharedBudget } from './shared-budget.ts'
import { openSharedStore } from './shared-store.ts'
import { limitsOf, type Mixed, sizeOf, worlds } from './sizes.ts'
import { enter, leave } from './stand-ins/surroundings.ts'
import { products, tests } from './tasks.ts'
import { createTime, type Host } from './time.ts'
import { createTrace } from './trace.ts'
import { createWatch, type Watch } from './watch.ts'

export type Settings = {
  seed: number
  texts: Texts
  isTraced: boolean
  size: Mixed
  /** A database of a real Redis, instead of the embedded store. */
  redisUrl?: string | undefined
  /** A former version: each life of a replica has this or the former version. */
  former?: FormerReplica | undefined
  /** A planted fault: the run ends once it is found. */
  plant?: string
  /** Nothing fails; instead this many generated updates come between those of the people. */
  noise?: number
}

const STARTS_AT = Date.UTC(2026, 2, 2, 6)
/** Stack traces, which contain the folder of the program. */
const STACK = /"stack":"(?:[^"\\]|\\.)*",?/g
/** The longest time for the last people once nothing fails. */
const LAST_MS = 15 * 60_000

/** One run: builds a world from its seed, lets people act in it, and checks the promises. */
export async function simulate(settings: Settings): Promise<Report> {
  const dir = await mkdtemp(join(tmpdir(), 'porsa-simulation-'))
  try {
    return await live(settings, join(dir, 'data'))
  } finally {
    leave()
    settings.former?.leave()
    await rm(dir, { recursive: true, force: true })
  }
}

async function live(
  { seed, texts, isTraced, size, redisUrl, former, plant, noise: count = 0 }: Settings,
  dir: string,
): Promise<Report> {
  // With noise, people only answer alone; noise itself opens enough tests that no account has begun.
  const world = worlds[sizeOf(seed, size)]
  const kind = count > 0 ? { ...world, families: 0, offices: 0, meddled: 0, waits: 0 } : world
  const chance = createChance(seed)
  const time = createTime({ startsAt: STARTS_AT })
  const trace = createTrace({ elapsed: time.elapsed, isKept: isTraced })
  const guests = guestsOf(seed, kind)
  const { organizers, isAnnounced, resultTo } = guests
  const isOrganized = organizers.length > 0
  const aims = createAims({ ...kind, chance: createChance(-700_000 - seed), isCalm: count > 0 })
  const { elapsed, worldNow: now, hasSkipped } = time
  const watch = createWatch({ elapsed, now, hasSkipped, isOrganized, resultTo, actorOf: aims.actorOf })
  const rough = count > 0 ? CALM : weatherOf(chance, kind)
  let weather = rough
  let machines: Machines | undefined
  let crashes = 0
  const way = { time, chance, trace, weather: () => weather }
  const moments = createMoments({ chance, ...kind })
  const ends = {
    crash: (host: Host) => machines?.crash(host),
    stop: (host: Host) => machines?.stop(host),
  }
  const ask = createAsk({ ...way, aims, ...ends })

  const limits = limitsOf(chance, kind)
  const owners = new Map<string, string>()
  const chanceOfStores = createChance(-900_000 - seed)
  const surroundings = { time, chance, chanceOfStores, carry: (request: HttpRequest) => carry(request) }
  for (const one of [{ enter }, former]) one?.enter(surroundings)
  const sandbox = createSandbox({
    ...{ key: 'key', now, rateLimits: limits, generationSeconds: 10 },
    ...{ tests, products },
  })
  const emulator = createEmulator({ now, spinGuardMs: 0, webhookTimeoutMs: 10_000 })
  const days = {
    elapsed: time.elapsed,
    after: (ms: number, run: () => void) => time.add(time.world, ms, run),
  }
  const writer = createSecondWriter({ time: days, chance: createChance(-500_000 - seed), trace, sandbox })
  const others = createOthersModel({
    ...{ elapsed: time.elapsed, writer, tokenOf: watch.answers.tokenOf },
    ...{ hasForgotten: watch.hasForgotten, hasSkipped, report: watch.report },
  })
  const ownerOf = (path: string) => owners.get(path.split('/')[3] ?? '')
  const carry = createEdges({
    time,
    chance,
    ask,
    watch,
    emulator,
    sandbox,
    writer,
    others,
    aims,
    moments,
    ...{ machines: () => machines, ownerOf },
    updates: (host, many) => watch.updates(() => store.taken(host), many),
  })

  const store = await openSharedStore({
    ...{ dir, redisUrl, time, ask },
    ...{ stepOfCommit: aims.stepOfCommit, lastsMs: moments.commits },
    onNews(news) {
      if (news.kind === 'committed' && aims.stepOfCommit(news) === 'release') watch.underWay.released(news)
      if (news.kind === 'committed') aims.committed(news)
      if (news.kind === 'begun') others.begins(news)
      watch.store(news)
    },
  })
  const budgetOf = createSharedBudget({
    ...{ limits, time, storeOf: store.of },
    ...{ onGrant: watch.granted, onLate: watch.standsInLine },
  })
  const dataKeys = [randomBytes(32), randomBytes(32)]
  const isRotating = chance.is(0.3)
  const replicas = chance.between(1, 4)
  // Noise goes to the webhook, and the bot does not store all of it.
  const isPolling = chance.is(0.3) && count === 0
  const { token } = emulator
  const given = { dir, limits, dataKeys, isPolling, replicas, organizers, isAnnounced, resultTo, token }
  const { config, next } = versionsOf(given, { seed, texts, former })
  const lines: string[] = []
  const explained = new Set<string>()
  machines = createMachines({
    ...way,
    count: replicas,
    deadMs: kind.deadMs,
    onCrash() {
      crashes += 1
    },
    onUpdate: (host) => (count > 0 ? () => undefined : watch.updates(() => store.taken(host))),
    start(host) {
      const startedAt = time.elapsed()
      const { start, ...version } = next((what) => trace.note(host.name, what))
      const replica = start({
        ...version,
        dataKeys: isRotating && chance.is(0.5) ? dataKeys.toReversed() : dataKeys,
        store: store.of(host),
        budget: budgetOf(host),
        now: time.now,
        write(line) {
          lines.push(line)
          const isOlder = watch.putBackAt.some(({ from }) => from >= startedAt)
          if (isOlder && isOfForgottenKey(line)) explained.add(line)
          if (line.includes('"event given up"')) watch.told.givesUp()
          trace.note(host.name, line.trim().replace(STACK, ''))
        },
      })
      void replica.then(({ actorOf }) => aims.knowsActors(actorOf)).catch(() => undefined)
      return replica
    },
  })

  const crowd = gatherCrowd({
    time: days,
    chance,
    trace,
    emulator,
    sandbox,
    watch,
    writer,
    others,
    aims,
    moments,
    kind,
    isForgetful: rough.putBacks > 0,
    ...guests,
  })
  const { people } = crowd
  for (const { tasks, person } of people)
    for (const { token, role } of tasks) if (role === undefined) owners.set(token, String(person.id))
  const injector = createFaultInjector({
    time,
    chance,
    trace,
    weather: rough,
    machines,
    store,
    emulator,
    people,
  })
  injector.begin()
  const noise =
    count > 0
      ? await makeNoise(
          { time: days, now, chance, emulator, sandbox, people, config, take: carry, watch },
          count,
        )
      : undefined
  time.add(time.world, kind.roughMs, () => {
    trace.note('world', 'nothing fails any more')
    weather = CALM
    injector.end()
  })

  if (guests.isMeddled) aims.visits('meddled')
  const isFound = () => plant !== undefined && watch.broken.length > 0
  await time.run(
    () =>
      (crowd.isDone() && noise?.isOver() !== false) || isFound() || time.elapsed() > kind.roughMs + LAST_MS,
  )
  const sms = sandbox.sms().map(({ mobile }) => mobile)
  watch.told.judge({ organizers, isAnnounced, sms, isPerhapsOurs: others.isPerhapsOurs })
  watch.owed.judge(organizers, watch.told.doneLongAgo())
  const forgotten = people.filter(({ forgottenAt }) => forgottenAt !== undefined)
  others.judge(
    organizers.filter(watch.told.hearsAll),
    forgotten.map(({ person }) => person.id),
  )
  const isOfOthers = (token: string) => writer.writtenTo(token)?.isFinished === true
  const secrets = [...crowd.secrets, ...(noise?.secrets ?? [])]
  const [values, names] = [await store.values(), await store.names()]
  const broken = [
    ...watch.broken,
    ...lookAtPeople({ people, sandbox, putBackAt: watch.putBackAt, isOfOthers }),
    ...crowd.judge(),
    ...whatStandsInClear(secrets, { store: values, log: lines.join('') }),
    ...leftByForgotten(people, {
      goneAt: watch.goneAt,
      elapsed: time.elapsed(),
      names,
      wasReleased: watch.underWay.wasReleased,
      ...{ hasForgotten: watch.hasForgotten, hasSkipped },
      actorOf: aims.actorOf,
    }),
    ...mistakes(lines, (line) => explained.has(line)),
    ...(noise?.judge(lines) ?? []),
  ]
  await store.close()
  return {
    seed,
    hash: trace.hash,
    replicas: machines.hosts().length,
    crashes,
    people: people.length,
    updates: noise?.sent ?? 0,
    answers: people.reduce((sum, { memory }) => sum + memory.answers, 0),
    seconds: Math.round(time.elapsed() / 1_000),
    broken,
    visits: aims.all,
    trace: trace.lines,
    chats: emulator.transcript(),
  }
}

type Parts = Pick<NoiseDeps, 'time' | 'now' | 'chance' | 'emulator' | 'people'> & {
  sandbox: Sandbox
  config: Config
  take: Carry
  watch: Watch
}

/** Adds people who only make noise, each with their own invitation. */
async function makeNoise({ sandbox, config, watch, ...parts }: Parts, count: number) {
  const { createNoise } = await import('./noise.ts')
  const invitations = [true, false].map(
    (testsAuthRequired) => `record_${sandbox.addRecord({ testId: 'of-5', testsAuthRequired })}`,
  )
  const { asksAgain, told, answers } = watch
  const onTap = (chat: number, data: string) => {
    answers.taps(data)
    told.taps(chat, data)
  }
  const how = { secret: config.webhookSecret, asksAgain, onTap }
  const noise = createNoise({ ...parts, ...how, invitations }, count)
  noise.begin()
  return noise
}
