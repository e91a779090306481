import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, type TestContext } from 'vitest'
import { shortTest } from '../../test/dialogs/short-tests.ts'
import { type BotProcess, createBotProcess } from '../../test/process/bot-process.ts'
import { builtPackage } from '../../test/process/package.ts'
import { createParticipant, type Participant } from '../../test/process/participant.ts'
import { type Fixtures, type ProcessWorld, story } from '../../test/process/world.ts'
import { findRedisServer, freePort, type RedisServer, startRedis } from '../../test/storage/redis-server.ts'
import { until } from '../../test/until.ts'
import type { RecordSpec } from '../sandbox/sandbox.ts'
import { findPrometheus, type Prometheus, readRules, startPrometheus } from './prometheus.ts'

/** How many times faster time passes for the rules; `ALERTS_FACTOR=1` uses them as they are shipped. */
const FACTOR = Number(process.env.ALERTS_FACTOR ?? 60)
/** The figures are current within 30 s; then Prometheus has to scrape them, on a busy machine. */
const SEEN_MS = 30_000 + 60_000
/** The longest window of a rule after its fault is mended, or the longest back-off of a failed job. */
const OVER_MS = 2 * 3_600_000

const rules = readRules()
const programs = { prometheus: findPrometheus(), redis: findRedisServer() }

/** The world of an operator who is called at night: the bot, its surroundings, and its Prometheus. */
export type Night = Omit<ProcessWorld, 'bot'> & {
  bots: readonly [BotProcess, ...BotProcess[]]
  prometheus: Prometheus
  /** Only with `onRedis`. */
  redis: RedisServer
  /** Moves the clock of the bot and of everything around it. */
  passes(ms: number): void
  /** Moves only the clock of the bot's machine ahead. */
  ahead(ms: number): void
  /** A second process of another version, which is not started yet. */
  otherVersion(): Promise<BotProcess>
  /** A new person with a test of their own. */
  meet(record?: Partial<RecordSpec>): Participant
}

type Fault = {
  /** Other alerts that the same fault may raise. */
  also?: readonly string[]
  environment?: Record<string, string>
  onRedis?: true
  /** Starts a second process. */
  replicas?: 2
  webhook?: true
  /** An upper limit for FACTOR, where the fault depends on the bot's own clock, which runs as usual. */
  factor?: number
  /** Makes the fault; the returned function mends it. */
  make: (night: Night) => Promise<() => unknown>
}

/** Tests that a fault raises an alert in time, that it says what to do, and that it ends with the fault. */
export function fault(alert: string, what: string, options: Fault): void {
  const hasParts = programs.prometheus !== undefined && (!options.onRedis || programs.redis !== undefined)
  const run = hasParts ? story : story.skip
  run(`${alert}: ${what}`, async ({ open, dir, program, onTestFinished }) => {
    const { termMs = Number.NaN, windowMs = Number.NaN } = rules.get(alert) ?? {}
    const factor = Math.min(FACTOR, options.factor ?? FACTOR)
    const { night, prometheus } = await begin({ open, dir, program, onTestFinished }, { ...options, factor })
    const raised = new Set<string>()
    async function within(isTrue: (names: readonly string[]) => boolean, ms: number): Promise<number> {
      const from = performance.now()
      const isSeen = async () => {
        const names = (await prometheus.firing()).map(({ labels }) => labels.alertname)
        for (const name of names) raised.add(name)
        return isTrue(names)
      }
      await until(isSeen, {
        timeoutMs: ms,
        explain: () => `${[...raised]}\n${night.explain().slice(-3_000)}`,
      })
      return Math.round((performance.now() - from) / 1_000)
    }

    const mend = await options.make(night)
    const raisedS = await within((names) => names.includes(alert), SEEN_MS + (termMs + windowMs) / factor)
    const [found] = (await prometheus.firing()).filter(({ labels }) => labels.alertname === alert)
    expect(found?.annotations.action).toMatch(/\w.*[.?]$/)
    await mend()
    const goneS = await within((names) => names.length === 0, 2 * SEEN_MS + OVER_MS / factor)
    expect([...raised].filter((name) => name !== alert && !options.also?.includes(name))).toEqual([])
    console.log(`${alert}: raised after ${raisedS} s, gone ${goneS} s after it was mended`)
  })
}

type Given = Fixtures & Pick<TestContext, 'onTestFinished'>

/** Starts everything, and waits until Prometheus has seen that all is well. */
async function begin({ open, dir, program, onTestFinished }: Given, options: Fault & { factor: number }) {
  const redis = options.onRedis && (await startRedis(programs.redis ?? ''))
  const time = createTime(dir)
  const ports = [await freePort(), await freePort()].slice(0, options.replicas ?? 1)
  const environment = {
    NODE_OPTIONS: `--import=${time.moving}`,
    PORT: String(ports[0]),
    ...(options.webhook && { WEBHOOK_URL: `http://127.0.0.1:${ports[0]}/telegram` }),
    ...(redis && { REDIS_URL: redis.url, DATA_KEY: randomBytes(32).toString('base64') }),
    ...options.environment,
  }
  const { bot, ...world } = await open({ now: time.now, environment, sandbox: { tests: [shortTest()] } })
  for (const { app } of [world.sandbox, world.emulator]) sendTime(app.server, time.now)
  const bots: [BotProcess, ...BotProcess[]] = [bot]
  const beside = (other: URL) => {
    const one = createBotProcess(other, { ...world.env, PORT: String(ports[1]) })
    bots.push(one)
    return one
  }
  if (options.replicas) beside(program)
  for (const each of bots) {
    each.start()
    await each.ready()
  }
  const targets = ports.map((port) => `127.0.0.1:${port}`)
  const prometheus = await startPrometheus({
    program: programs.prometheus ?? '',
    targets,
    factor: options.factor,
  })
  onTestFinished(async () => {
    await prometheus.stop()
    await Promise.all(bots.map((each) => each.kill()))
    await redis?.remove()
  })
  const meet = (record: Partial<RecordSpec> = {}) => {
    const token = world.sandbox.addRecord({ testId: 'short', authRequired: false, ...record })
    const participant = createParticipant({ ...world, person: world.emulator.person(), token })
    void participant.opens()
    return participant
  }
  const explain = () =>
    [world.emulator.transcript(), ...bots.map(({ output }) => output.stdout + output.stderr)].join('\n')
  const own = {
    explain,
    bots,
    prometheus,
    redis: redis as RedisServer,
    meet,
    passes: time.passes,
    ahead: time.ahead,
  }
  // The built bot reports another version than the test bundle.
  const otherVersion = async () => beside(pathToFileURL(join(await builtPackage(), 'dist/main.js')))
  const night: Night = { ...world, ...own, otherVersion }
  await seesThatAllIsWell(prometheus, targets.length)
  return { night, prometheus }
}

async function seesThatAllIsWell(prometheus: Prometheus, targets: number): Promise<void> {
  const isSeen = async () => (await prometheus.figures('count_over_time(up[10m]) > 2')).length === targets
  await until(isSeen, { timeoutMs: SEEN_MS + 4 * prometheus.scrapedMs })
  expect(await prometheus.firing()).toEqual([])
}

/** The clock of the world, the clock of the bot, and a module that moves the bot's clock as files say. */
function createTime(dir: string) {
  const files = [join(dir, 'passed'), join(dir, 'ahead')] as const
  let passed = 0
  const read = `files.reduce((ms,file)=>{try{return ms+Number(readFileSync(file,'utf8'))}catch{return ms}},0)`
  const module = `import {readFileSync} from 'node:fs';const files=${JSON.stringify(files)},now=Date.now;Date.now=()=>now()+${read}`
  return {
    moving: `data:text/javascript,${encodeURIComponent(module)}`,
    now: () => Date.now() + passed,
    passes(ms: number) {
      passed += ms
      writeFileSync(files[0], String(passed))
    },
    ahead: (ms: number) => writeFileSync(files[1], String(ms)),
  }
}

/** Makes a server send the time of this clock in its headers. */
function sendTime(server: Server, now: () => number): void {
  server.prependListener('request', (_, response) =>
    response.setHeader('date', new Date(now()).toUTCString()),
  )
}
