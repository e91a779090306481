import { randomBytes, randomInt } from 'node:crypto'
import { createAccess, type RateLimits } from './access.ts'
import { type App, createApp } from './app.ts'
import type { Call } from './app-deps.ts'
import { catalogue } from './catalogue/index.ts'
import { products as allProducts, type Product } from './catalogue/products.ts'
import { questionsOf, type TestDefinition } from './catalogue/test.ts'
import { createFaultQueue, type Fault, type FaultHandle } from './faults.ts'
import type { Answer } from './http.ts'
import { changePolicy, issueRecord, issueRoadmap, type RecordSpec, type RoadmapSpec } from './invitations.ts'
import { register } from './panel.ts'
import { plantSeeds } from './seeds.ts'
import { emptyState, readSnapshot, type Seed, type Sms, type State } from './state.ts'
import type { World } from './world.ts'

export type { RateLimits } from './access.ts'
export type { Call } from './app-deps.ts'
export type { Product } from './catalogue/products.ts'
export { defineTest, type TestDefinition, type TestSpec } from './catalogue/test.ts'
export type { Fault, FaultHandle } from './faults.ts'
export type { RecordSpec, RoadmapSpec } from './invitations.ts'
export type { Seed, Sms } from './state.ts'

export interface SandboxOptions {
  /** The organizer's key; random if absent. `<key>-revoked` is refused, `<key>-other` is another's. */
  readonly key?: string
  readonly now?: () => number
  /** 100 a minute and 3,000 an hour if absent; `false` switches them off. */
  readonly rateLimits?: RateLimits | false
  readonly generationSeconds?: number
  /** How long a submitted record has status 1 before it is finished. */
  readonly scoringSeconds?: number
  readonly testsAuthRequired?: boolean
  /** The number of records and roadmaps that one mobile may authenticate (SMS mode only). */
  readonly authenticationsPerMobile?: number
  /** Refuse ء أ ؤ ئ in names. */
  readonly strictNames?: boolean
  /** The status of a submission when billing is not in order. */
  readonly billingRefusal?: 402 | 403
  /** Additional tests and products. */
  readonly tests?: readonly TestDefinition[]
  readonly products?: readonly Product[]
  readonly newCode?: () => string
  /** A state that an earlier sandbox passed to `onChange`. */
  readonly snapshot?: unknown
  readonly onChange?: (snapshot: unknown) => void
  readonly onSms?: (sms: Sms) => void
  readonly log?: (line: object) => void
}

interface CallWithoutConnection {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly signal?: AbortSignal
}

interface Submission {
  readonly record: unknown
  readonly minutes: number
  readonly accepted: boolean
}

interface TestSummary {
  readonly id: string
  readonly title: string
  readonly questions: number
}

export interface Sandbox {
  readonly app: App
  readonly key: string
  readonly tests: readonly TestSummary[]
  /** Every call since the last reset, oldest first. */
  readonly calls: readonly Call[]
  /** Serves on a loopback address; returns the base URL, which ends in `/v2`. */
  listen(port?: number, host?: string): Promise<string>
  close(): Promise<void>
  /** Answers a call without a connection. Throws where a connection would be cut. */
  call(request: CallWithoutConnection): Promise<Answer>
  /** Codes that were "sent", newest first. */
  sms(): readonly Sms[]
  /** The submissions for a record, including refused ones. */
  submissions(token: string): readonly Submission[]
  addRecord(spec: RecordSpec): string
  addRoadmap(spec: RoadmapSpec): string
  /** The organizer's change in the panel; status 2 opens a waiting record. False for an unknown token. */
  update(token: string, change: Parameters<typeof changePolicy>[2]): boolean
  /** Registers a record, or roles of a roadmap, as the panel does, with the body of the auth call. */
  register(token: string, body: unknown): boolean
  /** Whether the status stays 0 until the organizer acts. */
  isWaiting(token: string): boolean
  /** Issues the demo's invitations, once per state, and lists them. */
  seed(): readonly Seed[]
  fault(fault: Fault): FaultHandle
  snapshot(): State
  reset(): void
}

/** Our implementation of the testing service, for the demo and the tests. It refuses to run in production. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  if (process.env.NODE_ENV === 'production') throw new Error('The sandbox does not run in production.')
  const { now = Date.now, onChange, log = () => undefined } = options
  const key = options.key ?? randomBytes(24).toString('base64url')
  const world = createWorld(options, now)
  const calls: Call[] = []
  const access = createAccess(key, options.rateLimits ?? { perMinute: 100, perHour: 3000 }, now)
  const changed = <T>(result: T): T => {
    onChange?.(structuredClone(world.state))
    return result
  }

  function reset() {
    const planted = world.state.seeds.map(({ token }) => token)
    world.state = emptyState()
    world.faults.clear()
    access.clear()
    calls.length = 0
    if (planted.length > 0) plantSeeds(world, planted)
    changed(undefined)
  }

  const app = createApp({
    world,
    access,
    log,
    reset,
    onCall: (call) => {
      calls.push(call)
      if (calls.length > 20_000) calls.splice(0, 10_000)
    },
    onChange: () => changed(undefined),
    open: (token) => changed(changePolicy(world, token, { status: 2 })),
    register: (token, body) => changed(register(world, token, body)),
  })

  return {
    app,
    key,
    calls,
    tests: testsIn(world),
    async listen(port = 0, host = '127.0.0.1') {
      if (!['127.0.0.1', '::1', 'localhost'].includes(host))
        throw new Error('The sandbox listens on a loopback address only.')
      return `${await app.listen({ port, host })}/v2`
    },
    close: app.close,
    call: ({ headers = {}, body = '', signal = new AbortController().signal, ...asked }) =>
      app.answer({
        ...asked,
        headers: { host: 'localhost', ...inLowerCase(headers) },
        body: Buffer.from(body),
        signal,
      }),
    sms: () => world.state.sms,
    submissions: (token) => submissionsOf(world, token),
    addRecord: (spec) => changed(issueRecord(world, spec)),
    addRoadmap: (spec) => changed(issueRoadmap(world, spec)),
    update: (token, change) => changed(changePolicy(world, token, change)),
    register: (token, body) => changed(register(world, token, body)),
    isWaiting: (token) => (world.state.records[token] ?? world.state.roadmaps[token])?.waiting ?? false,
    seed: () => changed(plantSeeds(world)),
    fault: (fault) => world.faults.add(fault),
    snapshot: () => structuredClone(world.state),
    reset,
  }
}

const inLowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const testsIn = ({ tests }: World): Sandbox['tests'] =>
  [...tests.values()].map((test) => ({
    id: test.id,
    title: test.title,
    questions: questionsOf(test).length,
  }))

const submissionsOf = ({ state }: World, token: string): ReturnType<Sandbox['submissions']> =>
  (state.submissions[token] ?? []).map(({ record, minutes, accepted }) => ({
    record,
    minutes: Number(minutes),
    accepted,
  }))

function createWorld(options: SandboxOptions, now: () => number): World {
  const tests = [...catalogue, ...(options.tests ?? [])]
  const products = [...allProducts, ...(options.products ?? [])]
  return {
    state: options.snapshot === undefined ? emptyState() : readSnapshot(options.snapshot),
    tests: new Map(tests.map((test) => [test.id, test])),
    products: new Map(products.map((product) => [product.id, product])),
    faults: createFaultQueue(),
    now,
    settings: {
      testsAuthRequired: options.testsAuthRequired ?? true,
      generationSeconds: options.generationSeconds ?? 20,
      scoringSeconds: options.scoringSeconds ?? 0,
      authenticationsPerMobile: options.authenticationsPerMobile ?? 20,
      strictNames: options.strictNames ?? false,
      billingRefusal: options.billingRefusal ?? 402,
      newCode: options.newCode ?? (() => String(randomInt(10_000, 100_000))),
      onSms: options.onSms ?? (() => undefined),
    },
  }
}
