import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Budget } from '../../src/service/budget.ts'
import { createServiceClient, type ServiceClientOptions } from '../../src/service/client.ts'
import { createEmbeddedBudget } from './own-budget.ts'

export type Seen = { method: string; path: string; headers: IncomingMessage['headers']; body: unknown }
export type Reply = (response: ServerResponse, request: Seen, socket: Socket) => void

export const ok = (data: unknown) => json(200, { data, successful: true, messages: [] })
export const refusal = (status: number, ...messages: string[]) =>
  json(status, { data: null, successful: false, messages })

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
}
export const raw = (status: number, body: string | Buffer, headers: Record<string, string> = {}): Reply => {
  return (response) => void response.writeHead(status, headers).end(body)
}
/** Takes the request and cuts the connection without a reply. */
export const cut: Reply = (_response, _request, socket) => void socket.resetAndDestroy()
/** Begins an answer and cuts the connection in the middle of it. */
export const cutInBody: Reply = (response, _request, socket) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{"data":', () => socket.resetAndDestroy())
}
export const silence: Reply = () => undefined

/** A service that gives the listed replies in turn, the last one for ever. */
export async function localService(...replies: Reply[]) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
    seen.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
    const reply = replies[Math.min(seen.length, replies.length) - 1] as Reply
    reply(response, seen.at(-1) as Seen, request.socket)
  })
  const port = await listen(server)
  onTestFinished(() => void server.closeAllConnections())
  /** Closes idle connections; returns how many are left, on either side. */
  const closeIdle = () => {
    server.closeIdleConnections()
    return new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
  }
  return { url: `http://127.0.0.1:${port}/v2`, port, seen, closeIdle }
}

/** Listens on a free port of the loopback until the test is over. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** A port without a listener. */
export async function deadPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * A client with a wide budget whose back-off takes no time; `slept` and `paused` note the waits,
 * `slots` the slots taken, released and cancelled.
 */
export function testClient(url: string, options: Partial<ServiceClientOptions> = {}) {
  const slept: number[] = []
  const paused: (number | undefined)[] = []
  const slots = { taken: 0, released: 0, cancelled: 0 }
  const wide = createEmbeddedBudget({ perMinute: 10_000, perHour: 100_000, now: Date.now })
  const budget: Budget = {
    ...wide,
    async acquire(...asked) {
      const slot = await wide.acquire(...asked)
      slots.taken += 1
      return {
        release() {
          slots.released += 1
          return slot.release()
        },
        cancel() {
          slots.cancelled += 1
          return slot.cancel()
        },
      }
    },
    pause: async (ms?: number) => {
      paused.push(ms)
    },
  }
  const client = createServiceClient({
    url,
    key: 'test-key',
    budget,
    sleep: async (ms) => slept.push(ms),
    ...options,
  })
  onTestFinished(() => client.close())
  return { client, slept, paused, slots }
}

export const token = '6f1c6a52-97a2-4b3f-9a57-1d3b7c1f1a11'
export const profile = { name: 'مریم', mobile: '09121234567', birth: '1990-01-31', is_male: false }
export const roles = {
  mobile: '09121234567',
  roles: [{ id: 1, profile: { name: 'مریم', birth: '1990-01-31', is_male: false } }],
}
export const code = { draft_token: 'draft', vcode: '12345' }
export const answers = { record: ['a', 'b'], doing_duration_in_minutes: 3 }

export const recordData = {
  token,
  status: 2,
  auth_required: true,
  tests_auth_required: true,
  is_finished: false,
  test: {
    id: 't1',
    title: 'آزمون',
    min_age: 18,
    max_age: 80,
    gender_permission: 'both',
    questions_count: 2,
    doing_time_minutes: 5,
    categories: [{ id: 'c', title: 'دسته' }],
  },
  profile: null,
}

export const roadmapData = {
  token,
  roadmap: { id: 'r', title: 'زوج', current_version: 3, roles: [], groups: [], categories: [] },
  display_title: 'زوج',
  group_id: 'g',
  status: 3,
  auth_required: false,
  tests_auth_required: true,
  is_finished: false,
  submit_on: null,
  roles: [{ id: 1, title: 'همسر', min_age: null, max_age: 90, gender: 2 }],
  test_records: [
    {
      token,
      test_id: 't1',
      test_title: 'آزمون',
      status: 2,
      auth_required: false,
      tests_auth_required: true,
      is_finished: false,
      submit_on: null,
      role: 1,
    },
  ],
  create: '2025-01-01T00:00:00Z',
}
