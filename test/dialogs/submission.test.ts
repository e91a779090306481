import { expect } from 'vitest'
import { attemptKeptUntil } from '../../src/domain/attempt.ts'
import { encodeAttempt, openAttempt } from '../../src/domain/attempt-layout.ts'
import { attemptKey, resealed } from '../../src/storage/documents/attempts.ts'
import type { Fault } from '../../tools/sandbox/sandbox.ts'
import { withStorage } from '../kept-entries.ts'
import { eventually } from '../until.ts'
import { CONTACT, type Participant, story, withAnother, word, ZAHRA } from './walk.ts'

const ORGANIZERS = { ORGANIZERS: '900' }
const instant = { at: 'review', record: { testsAuthRequired: false } } as const

const accepted = ({ submissions }: Participant) => submissions.filter((submission) => submission.accepted)

/** Lets each due check and attempt happen, one after another, until the result is there. */
async function waitsForDelivery(sara: Participant): Promise<void> {
  for (let tries = 0; tries < 8 && sara.files.length === 0; tries++) await sara.waits(61_000)
}

async function organizer({ world, acts }: Participant) {
  const person = world.emulator.person({ id: 900, firstName: 'مدیر' })
  await acts(() => person.start())
  return person
}

story('exactly the chosen answers are sent, in their order', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testsAuthRequired: false } })
  await sara.answers(3, 0, 2, 1, 1, 0, 3)
  await sara.taps(/^submit:/)
  expect(sara.submissions).toEqual([
    { record: ['q1o4', 'q2o1', 'q3o3', 'q4o2', 'q5o2', 'q6o1', 'q7o4'], minutes: 1, accepted: true },
  ])
})

story('answers locked by «send» are submitted although their submit job was lost', async ({ meet }) => {
  const sara = await meet(instant)
  const [, s = ''] = sara.data.find((data) => data.startsWith('submit:'))?.split(':') ?? []
  await withStorage(sara, async ({ store, vault }) => {
    const [entry] = await store.read([attemptKey(s)])
    const attempt = openAttempt(Buffer.from(entry?.value ?? []))
    const value = encodeAttempt(resealed(vault, s, attempt, { state: 'locked' }))
    const expiresAt = attemptKeptUntil(attempt, sara.world.now())
    expect(await store.put({ key: attemptKey(s), value, expiresAt }, entry?.version ?? null)).toBe(true)
  })
  await sara.opens()
  expect(sara.place).toBe('review')
  await sara.taps(/^review:/)
  await sara.taps(/^go:[\w-]+:0/)
  expect(accepted(sara)).toHaveLength(1)
  expect(sara.files).toHaveLength(2)
})

story('the submitted duration counts only the time spent answering', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testsAuthRequired: false } })
  for (const minutes of [1, 2, 600, 1]) {
    sara.world.pass(minutes * 60_000)
    await sara.answers(0)
  }
  await sara.taps(word('button-pause'))
  sara.world.pass(3 * 3_600_000)
  await sara.taps(word('button-continue'))
  await sara.answers(0, 0, 0)
  await sara.taps(/^submit:/)
  expect(sara.submissions).toMatchObject([{ minutes: 9 }])
})

story('incomplete answers are never submitted', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testsAuthRequired: false } })
  await sara.answers(0, 0, 0)
  await sara.forges(`submit:${sara.question.s}`)
  expect(sara.question.position).toBe(4)
  expect(sara.submissions).toEqual([])
})

story('«send» pressed twice sends once', async ({ meet }) => {
  const sara = await meet(instant)
  const review = sara.person.last
  sara.world.sandbox.fault({ kind: 'slow', ms: 150, path: 'record/[^/]+/$' })
  sara.person.tap(/^submit:/, review)
  sara.person.tap(/^submit:/, review)
  await eventually(() => expect(sara.calls).toContain('submit'))
  await sara.opens()
  expect(sara.submissions).toHaveLength(1)
  expect(sara.files).toHaveLength(2)
})

const unclear: readonly [string, Fault][] = [
  ['the connection is cut after they were taken', { kind: 'cut', executed: true }],
  ['the connection is cut before they were taken', { kind: 'cut' }],
  ['a 502 comes after they were taken', { kind: 'status', status: 502, executed: true }],
  ['a 500 comes before they were taken', { kind: 'status', status: 500 }],
  ['an unreadable page comes after they were taken', { kind: 'garbage', executed: true }],
  ['an unreadable page comes instead', { kind: 'garbage', status: 504 }],
]
for (const [what, fault] of unclear) {
  story(`the answers arrive exactly once when ${what}`, async ({ meet }) => {
    const sara = await meet(instant)
    sara.world.sandbox.fault({ ...fault, method: 'POST', path: 'record/[^/]+/$' })
    await sara.taps(/^submit:/)
    expect(sara.heard).toContain(word('submit-delayed'))
    await waitsForDelivery(sara)
    expect(accepted(sara)).toHaveLength(1)
    expect(sara.submissions.filter((each) => each.record !== undefined).length).toBeLessThanOrEqual(2)
    expect(sara.files).toHaveLength(2)
    // After an unclear answer the record is read before anything else.
    expect(sara.calls.slice(sara.calls.indexOf('submit'), sara.calls.indexOf('submit') + 2)).toEqual([
      'submit',
      'look',
    ])
  })
}

story('a 429 is waited out and nothing is sent twice', async ({ meet }) => {
  const sara = await meet(instant)
  sara.world.sandbox.fault({ kind: 'rate-limit', retryAfter: 0, method: 'POST' })
  await sara.taps(/^submit:/)
  await waitsForDelivery(sara)
  expect(sara.submissions).toHaveLength(1)
  expect(sara.files).toHaveLength(2)
})

story('«already completed» after the participant’s own attempt is a success', async ({ meet }) => {
  const sara = await meet(instant)
  const { sandbox } = sara.world
  const message = 'This record is already completed.'
  sandbox.fault({ kind: 'cut', method: 'POST' })
  sandbox.fault({ kind: 'status', status: 409, message, executed: true, method: 'POST' })
  await sara.taps(/^submit:/)
  await waitsForDelivery(sara)
  expect(accepted(sara)).toHaveLength(1)
  expect(sara.files).toHaveLength(2)
  expect(sara.person.transcript()).not.toContain(word('finished-elsewhere'))
})

story('«already completed» of an unfinished record is a matter for the organizer', async ({ meet }) => {
  const sara = await meet(instant)
  const message = 'This record is already completed.'
  sara.world.sandbox.fault({ kind: 'status', status: 409, message, method: 'POST', times: 99 })
  await sara.taps(/^submit:/)
  for (let tries = 0; tries < 12 && sara.place !== 'refused'; tries++) await sara.waits(61_000)
  expect(sara.place).toBe('refused')
  expect(sara.chat).not.toContain(word('finished-elsewhere'))
})

story('with RESULT_TO=organizer the participant is promised no result', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { ...ORGANIZERS, RESULT_TO: 'organizer' } })
  sara.world.sandbox.fault({ kind: 'status', status: 503, times: 9_999 })
  await sara.taps(/^submit:/)
  expect(sara.heard).toContain(word('record-delayed'))
  await sara.opens('')
  expect(sara.heard).toBe(word('record-waiting'))
  await sara.says('چرا؟')
  expect(sara.heard).toContain(word('record-waiting'))
  expect(sara.chat).not.toContain('همین‌جا می‌آید')
})

story(
  'while the service is down the answers wait, survive a restart, and are sent without a tap',
  async ({ meet }) => {
    const sara = await meet(instant)
    const down = sara.world.sandbox.fault({ kind: 'status', status: 503, times: 9_999 })
    await sara.taps(/^submit:/)
    expect(sara.heard).toContain(word('submit-delayed'))
    await sara.opens('')
    expect(sara.heard).toBe(word('submit-waiting'))
    await sara.waits(3_000)
    expect(sara.files).toEqual([])
    await sara.meetsRestart()
    expect(sara.files).toEqual([])
    down.end()
    await waitsForDelivery(sara)
    expect(sara.person.transcript().split(word('submit-delayed'))).toHaveLength(2)
    expect(accepted(sara)).toHaveLength(1)
    expect(sara.files).toHaveLength(2)
  },
)

for (const billingRefusal of [402, 403] as const) {
  story(
    `answers refused for billing (${billingRefusal}) are kept until the organizer has solved it`,
    async ({ meet }) => {
      const sara = await meet({ ...instant, environment: ORGANIZERS, sandbox: { billingRefusal } })
      const manager = await organizer(sara)
      sara.world.sandbox.update(sara.token, { billing: 'refused' })
      await sara.taps(/^submit:/)
      expect(sara.place).toBe('refused')
      expect(sara.screen).toContain(CONTACT)
      expect(manager.last.text).toContain(word('notice-billing', { title: 'حال این دو هفته (نمونه)' }))
      await sara.taps(/^retry:/)
      expect(sara.place).toBe('refused')
      await sara.meetsRestart()
      await sara.opens()
      expect(sara.place).toBe('refused')
      sara.world.sandbox.update(sara.token, { billing: 'ok' })
      await sara.taps(/^retry:/)
      expect(accepted(sara)).toHaveLength(1)
      expect(sara.files).toHaveLength(2)
    },
  )
}

story('of refused answers no message says that they are being sent', async ({ meet }) => {
  const sara = await meet({ ...instant, sandbox: { billingRefusal: 402 } })
  const sending = [word('submit-sending', { total: 7 }), word('submit-again')]
  const sent = () => sending.filter((line) => sara.chat.includes(line))
  sara.world.sandbox.update(sara.token, { billing: 'refused' })
  await sara.taps(/^submit:/)
  expect(sara.place).toBe('refused')
  expect(sent()).toEqual([])
  for (let tries = 0; tries < 2; tries++) {
    const said = sara.person.messages.length
    await sara.taps(/^retry:/)
    expect(sara.place).toBe('refused')
    expect(sent()).toEqual([])
    expect(sara.person.messages).toHaveLength(said)
  }
  sara.world.sandbox.update(sara.token, { billing: 'ok' })
  await sara.taps(/^retry:/)
  expect(sent()).toEqual([])
  expect(sara.files).toHaveLength(2)
})

story(
  'answers that are refused during another test leave the question of that test in place',
  async ({ meet }) => {
    const sara = await meet({ ...instant, sandbox: { billingRefusal: 402 } })
    sara.world.sandbox.update(sara.token, { billing: 'refused' })
    await sara.taps(/^submit:/)
    const refused = sara.person.last
    const retry = sara.data.find((data) => data.startsWith('retry:')) ?? ''
    const next = withAnother(sara, { testId: 'sleep-20', testsAuthRequired: false })
    await next.opens()
    await next.walksTo('gender')
    const asks = sara.person.last
    await sara.forges(retry, refused)
    expect(sara.heard).toContain(word('submit-refused'))
    await next.taps('gender:female', asks)
    expect(next.place).toBe('summary')
  },
)

for (const status of [401, 403]) {
  story(`a refused key (${status}) keeps the answers, and the organizer is told`, async ({ meet }) => {
    const sara = await meet({ ...instant, environment: ORGANIZERS })
    const manager = await organizer(sara)
    const message = 'The key is revoked.'
    const times = status === 403 ? 2 : 1 // a 403 has several meanings, so the record is read
    sara.world.sandbox.fault({ kind: 'status', status, message, path: 'record/[^/]+/?$', times })
    await sara.taps(/^submit:/)
    expect(sara.place).toBe('refused')
    expect(manager.last.text).toContain(word('notice-submit', { title: 'حال این دو هفته (نمونه)' }))
    await sara.taps(/^retry:/)
    expect(accepted(sara)).toHaveLength(1)
  })
}

const unusual = { 401: 'The profile is missing.', 422: 'The answers are not understood.' }
for (const [status, message] of Object.entries(unusual)) {
  story(`a refusal in an unusual form (${status}) is shown, not retried for ever`, async ({ meet }) => {
    const sara = await meet(instant)
    sara.world.sandbox.fault({ kind: 'status', status: Number(status), message, method: 'POST' })
    await sara.taps(/^submit:/)
    expect(sara.place).toBe('refused')
    await sara.taps(/^retry:/)
    expect(accepted(sara)).toHaveLength(1)
    expect(sara.files).toHaveLength(2)
  })
}

story('when the service has lost the profile only the profile is asked for again', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  sara.world.sandbox.update(sara.token, { authRequired: true })
  await sara.taps(/^submit:/)
  expect(sara.heard).toContain(word('submit-profile-again'))
  expect(sara.place).toBe('name')
  await sara.waits(60_000)
  await sara.meetsRestart()
  await sara.opens()
  expect(sara.place).toBe('name')
  while (sara.files.length === 0) await sara.goesOn()
  expect(accepted(sara)).toHaveLength(1)
  expect(sara.calls.filter((call) => call === 'questions')).toHaveLength(1)
})

story('accepted answers lead to their result although the event about it was lost', async ({ meet }) => {
  const sara = await meet(instant)
  const news = sara.world.emulator.fault({
    kind: 'error',
    status: 400,
    description: 'Bad Request: it is so',
    when: ({ text }) => String(text).startsWith(word('submitted', { total: 7 })),
    times: Number.POSITIVE_INFINITY,
  })
  await sara.taps(/^submit:/)
  for (let tries = 0; tries < 6; tries++) await sara.waits(10_000)
  expect(sara.world.lines.join()).toContain('message set aside')
  expect(sara.person.transcript()).toContain(word('trouble').slice(0, 40))
  news.end()
  await sara.opens('')
  expect(sara.place).toBe('refused')
  expect(sara.screen).toBe(word('submit-stalled'))
  await sara.taps(/^retry:/)
  expect(sara.submissions).toHaveLength(1)
  expect(sara.files).toHaveLength(2)
})

story('answers survive a restart while they are being sent', async ({ meet }) => {
  const sara = await meet(instant)
  sara.world.sandbox.fault({ kind: 'slow', ms: 60, method: 'POST', path: 'record/[^/]+/$' })
  sara.person.tap(/^submit:/)
  await eventually(() => expect(sara.calls).toContain('submit'))
  await sara.meetsRestart()
  await waitsForDelivery(sara)
  expect(accepted(sara)).toHaveLength(1)
  expect(sara.files).toHaveLength(2)
})

story('unfinished answers are kept as long as promised, and no longer', async ({ meet }) => {
  const sara = await meet({
    at: 'question',
    environment: { RETENTION_DAYS: '2' },
    record: { authRequired: false },
  })
  await sara.answers(0, 1)
  await sara.waits(1.9 * 86_400_000)
  await sara.opens()
  expect(sara.question.position).toBe(3)
  await sara.answers(2)
  await sara.waits(1.9 * 86_400_000)
  await sara.opens()
  expect(sara.question.position).toBe(4)
  await sara.waits(2.1 * 86_400_000)
  await sara.opens()
  expect(sara.person.transcript()).toContain(word('attempt-expired'))
  expect(sara.question.position).toBe(1)
})

story('complete answers are kept much longer', async ({ meet }) => {
  const sara = await meet({
    at: 'review',
    environment: { RETENTION_DAYS: '2' },
    record: { authRequired: false },
  })
  await sara.waits(60 * 86_400_000)
  await sara.opens()
  expect(sara.place).toBe('review')
  await sara.taps(/^submit:/)
  expect(accepted(sara)).toHaveLength(1)
})

story('the log has nothing personal, whatever happens', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  sara.world.sandbox.fault({
    kind: 'status',
    status: 400,
    message: `نام «${ZAHRA.name}» درست نیست`,
    path: 'auth/$',
  })
  await sara.walksTo('summary')
  await sara.taps('profile:ok')
  await sara.walksTo('code')
  const [code = ''] = sara.codes
  sara.world.emulator.fault({
    kind: 'error',
    status: 400,
    description: 'Bad Request: odd',
    method: 'sendMessage',
  })
  sara.world.emulator.fault({ kind: 'error', method: 'editMessageText' })
  await sara.walksTo('question')
  await sara.says('۲')
  await sara.walksTo('review')
  sara.world.sandbox.fault({ kind: 'cut', executed: true, method: 'POST' })
  await sara.taps(/^submit:/)
  await waitsForDelivery(sara)
  const log = sara.world.lines.join('\n')
  expect(log).toContain('service call')
  const secrets = [
    ZAHRA.name,
    ZAHRA.mobile,
    ZAHRA.iso,
    code,
    sara.token,
    sara.world.sandbox.key,
    sara.world.emulator.token,
    String(sara.person.id),
    'q1o',
  ]
  for (const secret of secrets) expect(log, secret).not.toContain(secret)
})
