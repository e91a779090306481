import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Chance } from './chance.ts'
import { type Task, tests } from './tasks.ts'
import type { Days } from './time.ts'
import type { Trace } from './trace.ts'

/** The call of the bot that the second writer precedes, or `any` time. */
const STEPS = ['auth', 'verify', 'submit', 'any'] as const
type Step = (typeof STEPS)[number]
/** Registers details (`link`: for one role only), or answers. */
type Act = 'register' | 'link' | 'finish'
type Plan = { token: string; step: Step; act: Act }

/** What the second writer has done to a record or roadmap. */
export type Written = { at: number; roles: readonly number[]; isFinished: boolean }

const ANY_MS = [1_000, 60_000] as const
/** How long people try to continue a test that the second writer has taken. */
const GIVES_UP_MS = 45_000
const KEY = { 'api-key': 'key-panel', 'content-type': 'application/json' }
const ADULT = { name: 'بهمن نادری', birth: '1980-04-04', is_male: true }
const CHILD = { name: 'بهمن نادری', birth: '2011-05-05', is_male: true }
const MOBILE = '09360000001'

export type SecondWriter = ReturnType<typeof createSecondWriter>

/** Another client of the service, the organizer's panel: it registers and answers tests that participants were sent. */
export function createSecondWriter({
  time,
  chance,
  trace,
  sandbox,
}: {
  time: Days
  chance: Chance
  trace: Pick<Trace, 'note'>
  sandbox: Sandbox
}) {
  const plans: Plan[] = []
  const written = new Map<string, Written>()
  /** The roadmap of each nested record. */
  const parents = new Map<string, string>()

  async function call(method: 'POST' | 'PUT', url: string, body: object) {
    const sent = { method, url: `/v2${url}`, headers: KEY, body: JSON.stringify(body) }
    const { status, body: answer } = await sandbox.call(sent)
    return { isDone: status === 200, data: JSON.parse(answer).data }
  }

  /** Registers other details than those of the invited participant. */
  async function register(token: string, isWhole: boolean): Promise<boolean> {
    const { records, roadmaps } = sandbox.snapshot()
    const roadmap = roadmaps[token]
    const roles = (roadmap?.records ?? []).map((each) => records[each]?.role ?? 0).slice(0, isWhole ? 9 : 1)
    const url = `/${roadmap ? 'roadmap' : 'record'}/${token}/auth/`
    const profiles = roles.map((id) => ({ id, profile: id === 43 ? CHILD : ADULT }))
    const body = roadmap ? { mobile: MOBILE, roles: profiles } : { mobile: MOBILE, ...ADULT }
    const { isDone, data } = await call('POST', url, body)
    if (!isDone) return false
    const vcode = sandbox.sms()[0]?.code
    const isLinked =
      !data.tests_auth_required ||
      (await call('PUT', `${url}verify/`, { draft_token: data.draft_token, vcode })).isDone
    if (isLinked) note(token, { roles })
    return isLinked
  }

  /** Answers every question with its last option. */
  async function finish(token: string): Promise<void> {
    const record = sandbox.snapshot().records[token]
    const test = tests.find(({ id }) => id === record?.testId)
    if (!test || (record?.authRequired && !(await register(parents.get(token) ?? token, true)))) return
    const answers = test.sections.map(({ id, questions }) => [
      id,
      questions.map(({ options }) => options.at(-1)?.id),
    ])
    const sent = test.form === 'sections' ? Object.fromEntries(answers) : answers.flatMap(([, each]) => each)
    const body = { record: sent, doing_duration_in_minutes: 1 }
    if ((await call('POST', `/record/${token}/`, body)).isDone) note(token, { isFinished: true })
  }

  function note(token: string, news: Partial<Written>): void {
    const before = written.get(token) ?? { at: time.elapsed(), roles: [], isFinished: false }
    written.set(token, { ...before, ...news, at: time.elapsed() })
    trace.note('panel', `writes ${news.isFinished ? 'answers' : 'details'} of …${token.slice(-4)}`)
  }

  const carryOut = ({ token, act }: Plan): Promise<unknown> =>
    act === 'finish' ? finish(token) : register(token, act === 'register')

  /** The writes to one token or to the records of that roadmap. */
  const about = (token: string) =>
    [...written].filter(([other]) => other === token || parents.get(other) === token).map(([, each]) => each)

  return {
    /** Plans writes to some of the tests that people were invited to. */
    plan(tasks: readonly Task[]): void {
      const { roadmaps } = sandbox.snapshot()
      for (const { kind, token, role } of tasks) {
        if (role !== undefined || !chance.is(0.6)) continue
        const nested = roadmaps[token]?.records ?? []
        for (const each of nested) parents.set(each, token)
        const act = chance.pick<Act>(
          kind === 'roadmap' ? ['register', 'link', 'finish'] : ['register', 'finish'],
        )
        const step = act === 'finish' ? chance.pick(['submit', 'any'] as const) : chance.pick(STEPS)
        const target = act === 'finish' && nested.length > 0 ? chance.pick(nested) : token
        const plan = {
          token: target,
          step: step === 'submit' && act !== 'finish' ? 'auth' : step,
          act,
        } as const
        plans.push(plan)
        if (step === 'any') time.after(chance.between(...ANY_MS), () => void carryOut(plan))
      }
    },
    /** A call of the bot is about to be carried out. */
    async precedes(method: string, path: string): Promise<void> {
      if (method === 'GET') return
      const step: Step = path.endsWith('/verify/') ? 'verify' : path.endsWith('/auth/') ? 'auth' : 'submit'
      const plan = plans.find((each) => each.step === step && path.includes(each.token))
      if (!plan) return
      plans.splice(plans.indexOf(plan), 1)
      await carryOut(plan)
    },
    writtenTo: (token: string): Written | undefined => {
      const [own, whole] = [written.get(token), written.get(parents.get(token) ?? '')]
      return own && whole ? { ...whole, ...own } : (own ?? whole)
    },
    roadmapOf: (token: string): string | undefined => parents.get(token),
    /** Whether the participant has tried long enough to continue with a test that the second writer has changed. */
    isLeft: (token: string): boolean => about(token).some(({ at }) => time.elapsed() - at > GIVES_UP_MS),
  }
}
