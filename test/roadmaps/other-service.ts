import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export const OTHER_TOKEN = '3d7f1c9a-52b6-4e08-9f41-8a2b6c0d7e15'

type Answer = { status: number; data?: unknown }

type Nested = { token: string; role: number; answers: unknown }
type State = { nested: Nested[]; isAuthenticated: boolean; generations: number; looks: number }

const ok = (data: unknown): Answer => ({ status: 200, data })
const refused = (status: number): Answer => ({ status })
const isFinished = ({ looks }: State) => looks > 1

const ROADMAP = {
  id: 77,
  title: 'همراهی',
  current_version: '4',
  roles: [
    { id: '1', title: 'همسر اول', min_age: null, max_age: null, gender: 0 },
    { id: '2', title: 'همسر دوم', min_age: '18', max_age: null, gender: 2, colour: 'blue' },
  ],
}

const QUESTIONS = [
  {
    id: 9,
    text: 'می‌شنوید؟',
    options: [
      { id: 1, label: 'بله' },
      { id: 2, label: 'نه' },
    ],
  },
]

const RESULT = [
  {
    name: 'همسر اول',
    results: [{ test: { title: 'همدلی' }, outcome: { scales: [{ title: 'شنیدن', score: '12.5' }] } }],
  },
  {
    name: 'همسر دوم',
    results: [{ test: { title: 'همدلی' }, outcome: { scales: [{ title: 'شنیدن', percentile: 40 }] } }],
  },
  { overview: ['نزدیک به هم.'], chart: { kind: 'radar', points: [[1, 2]] }, text: '<h1>نه</h1>' },
  null,
]

function roadmapOf(state: State) {
  const auth_required = !state.isAuthenticated
  return {
    token: OTHER_TOKEN,
    roadmap: ROADMAP,
    display_title: null,
    group_id: null,
    status: isFinished(state) ? 1 : '3',
    auth_required,
    tests_auth_required: false,
    is_finished: isFinished(state),
    roles: [],
    test_records: state.nested.map(({ token, role, answers }) => ({
      token,
      test_id: 5,
      test_title: 'همدلی',
      status: answers ? 1 : 2,
      auth_required,
      tests_auth_required: false,
      is_finished: answers !== undefined,
      submit_on: null,
      role: String(role),
    })),
    create: '2026-01-01T00:00:00Z',
    unknown: { deep: [1, null] },
  }
}

function answer(state: State, method: string, path: string, body: unknown): Answer {
  const record = state.nested.find(({ token }) => path.startsWith(`/v2/record/${token}`))
  const at = path.replace('/v2', '').replace(record?.token ?? OTHER_TOKEN, '{token}')
  switch (`${method} ${at}`) {
    case 'GET /auth/connect/':
      return ok({ connected: true })
    case 'GET /roadmap/{token}':
      return ok(roadmapOf(state))
    case 'POST /roadmap/{token}/auth/':
      state.isAuthenticated = true
      return ok({ tests_auth_required: false, roles: [] })
    case 'GET /record/{token}/questions/':
      return ok({ questions: QUESTIONS })
    case 'POST /record/{token}/':
      if (!record || record.answers) return refused(409)
      record.answers = (body as { record: unknown }).record
      return ok({})
    case 'POST /roadmap/{token}/generate/':
      state.generations += 1
      return ok({ state: 'queued' })
    case 'GET /roadmap/{token}/generate/status/':
      state.looks += 1
      return ok({ state: isFinished(state) ? 'Completed' : 'PROCESSING' })
    case 'GET /roadmap/{token}/result/html/':
      return ok({ html: '<!doctype html><title>گزارش</title>' })
    case 'GET /roadmap/{token}/result/json/':
      return ok(RESULT)
    default:
      return refused(404)
  }
}

/**
 * A service that reads the specification differently than the sandbox: roles only in the product, numbers as
 * text, flat questions, no single record, `state` for `status`, no waiting time, another shape of result.
 */
export async function startOtherService() {
  const nested: Nested[] = [
    { token: '11111111-1111-4111-8111-111111111111', role: 1, answers: undefined },
    { token: '22222222-2222-4222-8222-222222222222', role: 2, answers: undefined },
  ]
  const state: State = { nested, isAuthenticated: false, generations: 0, looks: 0 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body: unknown = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
    const { status, data = null } = answer(state, request.method ?? '', request.url ?? '', body)
    const isOk = status === 200
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data, successful: isOk, messages: isOk ? [] : 'refused' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    get answers() {
      return nested.map(({ answers }) => answers)
    },
    get generations() {
      return state.generations
    },
  }
}
