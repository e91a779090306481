import { onTestFinished } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../tools/sandbox/sandbox.ts'

/** Any JSON of an answer; the tests say what they expect of it. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads answers as they are on the wire
type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly data: Json
  readonly messages: readonly string[]
  readonly successful: boolean
}

export interface Service {
  readonly sandbox: Sandbox
  readonly base: string
  /** Moves the sandbox's clock. */
  pass(seconds: number): void
  call(method: string, path: string, body?: unknown, key?: string | null): Promise<Answer>
  get(path: string): Promise<Answer>
  /** Calls a control beside `/v2`. */
  lever(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
}

export const key = 'test-key'

/** A sandbox for one test, over HTTP, with a clock that the test moves. */
export async function startService(options: SandboxOptions = {}): Promise<Service> {
  let now = Date.parse('2026-03-10T08:00:00Z')
  const sandbox = createSandbox({ key, rateLimits: false, now: () => now, ...options })
  const base = await sandbox.listen()
  onTestFinished(() => sandbox.close())

  async function call(
    method: string,
    path: string,
    body?: unknown,
    asKey: string | null = key,
  ): Promise<Answer> {
    const headers: Record<string, string> = {}
    if (asKey !== null) headers['API-KEY'] = asKey
    if (body !== undefined) headers['content-type'] = 'application/json'
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const response = await fetch(base + path, init)
    const { data, messages, successful } = (await response.json()) as Json
    return { status: response.status, headers: response.headers, data, messages, successful }
  }

  return {
    sandbox,
    base,
    call,
    pass: (seconds) => {
      now += seconds * 1000
    },
    get: (path) => call('GET', path),
    lever: (method, path, body, headers = {}) =>
      fetch(base.replace(/\/v2$/, '') + path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}

/** An applicant that every test without a gender limit admits. */
export const person = { name: 'رؤیا مؤمنی', mobile: '09123456789', birth: '1996-08-02', is_male: false }

/** A record whose profile is linked already. */
export async function authenticated(service: Service, testId: string, changes: object = {}): Promise<string> {
  const token = service.sandbox.addRecord({ testId, testsAuthRequired: false })
  const { status } = await service.call('POST', `/record/${token}/auth/`, { ...person, ...changes })
  if (status !== 200) throw new Error(`auth was answered with ${status}`)
  return token
}

/** Answers all questions of a record with the option of `pick` (0 the first, 1 the last) and submits. */
export async function answerAll(service: Service, token: string, pick = 0): Promise<Answer> {
  const { data } = await service.get(`/record/${token}/questions/`)
  return service.call('POST', `/record/${token}/`, {
    record: answersTo(data, pick),
    doing_duration_in_minutes: 3,
  })
}

/** The answers in the shape that the questions require. */
export function answersTo(data: Json, pick = 0): unknown {
  const choose = (questions: Json[]) => questions.map(({ options }) => options.at(pick === 0 ? 0 : -1).id)
  if (Array.isArray(data)) return choose(data)
  if (data.questions) return choose(data.questions)
  if (data.html) return radioValues(data.html).map((values) => values.at(pick === 0 ? 0 : -1))
  return Object.fromEntries(data.sections.map(({ id, questions }: Json) => [id, choose(questions)]))
}

/** The values of each radio group of a form, in document order. */
export function radioValues(html: string): string[][] {
  const groups = new Map<string, string[]>()
  for (const [input] of html.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1] ?? ''
    const value = /value="([^"]*)"/.exec(input)?.[1] ?? ''
    groups.set(name, [...(groups.get(name) ?? []), value])
  }
  return [...groups.values()]
}

/** The people of the family product, with changes by role id. */
export function family(changes: Record<number, object> = {}) {
  const people = [
    { id: 21, profile: { name: 'مریم احمدی', birth: '1985-01-01', is_male: false } },
    { id: 22, profile: { name: 'علی احمدی', birth: '1983-01-01', is_male: true } },
    { id: 23, profile: { name: 'سارا احمدی', birth: '2012-01-01', is_male: false } },
  ]
  const roles = people.map(({ id, profile }) => ({ id, profile: { ...profile, ...changes[id] } }))
  return { mobile: '09123456789', roles }
}

/** A roadmap whose tests are all submitted. */
export async function answeredRoadmap(service: Service, pick = 0): Promise<string> {
  const token = service.sandbox.addRoadmap({ productId: 'family', testsAuthRequired: false })
  const { status } = await service.call('POST', `/roadmap/${token}/auth/`, family())
  if (status !== 200) throw new Error(`auth was answered with ${status}`)
  const { data } = await service.get(`/roadmap/${token}`)
  for (const record of data.test_records) await answerAll(service, record.token, pick)
  return token
}
