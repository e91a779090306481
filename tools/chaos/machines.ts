import { rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { createSurroundings } from '../../test/surroundings.ts'
import type { Chance } from '../simulate/chance.ts'
import type { Guests } from '../simulate/guests.ts'
import { products, tests } from '../simulate/tasks.ts'
import type { Trace } from '../simulate/trace.ts'
import type { Former } from '../simulate/versions.ts'
import { startBalancer } from './balancer.ts'
import { type Bot, createBot } from './bots.ts'
import { openDoor } from './doors.ts'
import type { Plan } from './plan.ts'
import { PLANT } from './plants.ts'
import { freePort, openStore } from './stores.ts'

/** The programs of a run: the bot in one file, and Redis if it is installed. */
export type Programs = {
  bot: string
  redis: string | undefined
  /** Former versions, if they could be built. */
  former?: Partial<Former>
  /** A planted fault of the bot, which the run has to find. */
  plant?: string | undefined
}

export type Machines = Awaited<ReturnType<typeof startMachines>>

const limits = { perMinute: 600, perHour: 20_000 }
const environment = {
  POLL_SECONDS: '1',
  SMS_COOLDOWN_SECONDS: '2',
  SMS_PER_HOUR: '100',
  RATE_PER_MINUTE: String(limits.perMinute),
  RATE_PER_HOUR: String(limits.perHour),
}

/** A replica that starts or works while its store is away may give up. */
const AWAY_MS = 20_000

/** Starts the processes that a plan wants, with store and surroundings; resolves when all are ready. */
export async function startMachines(
  plan: Plan,
  { programs, guests, chance, trace }: { programs: Programs; guests: Guests; chance: Chance; trace: Trace },
) {
  const versions = versionsOf(plan, programs, chance)
  const office = { ORGANIZERS: guests.organizers.join(','), RESULT_TO: guests.resultTo }
  const surroundings = await createSurroundings(
    {
      environment: { ...environment, ...office },
      sandbox: { tests, products, generationSeconds: 3, rateLimits: limits },
      emulator: { webhookBackOffMs: 500, webhookTimeoutMs: 6_000 },
    },
    Date.now,
  )
  const { sandbox, emulator, env, dir } = surroundings
  const bots: Bot[] = []
  const { DATA_DIR: dataDir = '' } = env
  const store = await openStore(plan, { folder: dir, dataDir, program: programs.redis, bots: () => bots })
  const ports: number[] = []
  while (ports.length < plan.replicas) ports.push(await freePort())
  const balancer = await startBalancer(chance, ports)
  const doors: Server[] = []
  const strange: string[] = []
  for (const [number, port] of ports.entries()) {
    const { apiRoot, server } = await openDoor(emulator, number)
    doors.push(server)
    const own = {
      ...{ ...env, ...store.environment, PORT: String(port), TELEGRAM_API_ROOT: apiRoot },
      ...(programs.plant !== undefined && { [PLANT]: programs.plant }),
    }
    const bot = createBot({
      programOf: versions.next,
      number,
      folder: dir,
      env: plan.isPolled ? own : { ...own, WEBHOOK_URL: balancer.url },
      onEnding(ending) {
        trace.note(`bot ${number}`, ending)
        if (Date.now() - store.awayUntil > AWAY_MS) strange.push(`bot ${number} ${ending}`)
      },
    })
    bots.push(bot)
    bot.start()
  }
  await Promise.all(bots.map((bot, number) => bot.answers(ports[number] ?? 0)))
  return {
    sandbox,
    emulator,
    dir,
    bots,
    store,
    balancer,
    upgrade: versions.upgrade,
    /** Processes that ended although no fault explains it. */
    strange: strange as readonly string[],
    /** Ends every process at once when the whole proof is aborted. */
    abandon(): void {
      for (const bot of bots) void bot.down()
      void store.close()
      rmSync(dir, { recursive: true, force: true })
    },
    async close() {
      await Promise.all(bots.map((bot) => bot.down()))
      balancer.close()
      for (const door of doors) {
        door.close()
        door.closeAllConnections()
      }
      await store.close()
      await surroundings.close()
    },
  }
}

/** Picks the version of each process, as the plan wants. */
function versionsOf({ versions }: Plan, { bot, former = {} }: Programs, chance: Chance) {
  let isUpgraded = versions !== 'upgrade'
  return {
    next(): string {
      if (!isUpgraded) return former.upgrade ?? bot
      return versions === 'beside' && chance.is(0.5) ? (former.beside ?? bot) : bot
    },
    upgrade(): void {
      isUpgraded = true
    },
  }
}
