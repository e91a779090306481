import { expect } from 'vitest'
import type { Fault } from '../../tools/sandbox/sandbox.ts'
import { knownPerson } from './short-tests.ts'
import { type Participant, storyOverSockets as story, word, ZAHRA } from './walk.ts'

type Where = { method: string; path: string }

const look: Where = { method: 'GET', path: '^/record/[^/]+$' }
const auth: Where = { method: 'POST', path: '/auth/$' }
const verify: Where = { method: 'PUT', path: '/verify/$' }
const questions: Where = { method: 'GET', path: '/questions/$' }
const submit: Where = { method: 'POST', path: '^/record/[^/]+/$' }
const result: Where = { method: 'GET', path: '/result/' }

/** Failures whose answer does not tell whether the call was carried out. */
const unclear: Record<string, Fault> = {
  'cut before it is carried out': { kind: 'cut' },
  'refused with 503': { kind: 'status', status: 503 },
  'answered with garbage': { kind: 'garbage' },
}
const carriedOut: Record<string, Fault> = {
  'cut after it is carried out': { kind: 'cut', executed: true },
  'carried out and answered with 500': { kind: 'status', status: 500, executed: true },
  'carried out and answered with garbage': { kind: 'garbage', executed: true },
}
const passing: Record<string, Fault> = {
  slow: { kind: 'slow', ms: 300 },
  'refused with 429': { kind: 'rate-limit', retryAfter: 0 },
}
const breaks = (participant: Participant, fault: Fault, where: Where, times = 1) =>
  participant.world.sandbox.fault({ ...fault, ...where, times })

const accepted = ({ submissions }: Participant) => submissions.filter((each) => each.accepted)
const SMS_PAUSE_MS = 60_000

for (const [what, fault] of Object.entries({ ...passing, ...unclear })) {
  story(`reading the record is ${what} once: the participant does not notice`, async ({ meet }) => {
    const sara = await meet()
    breaks(sara, fault, look)
    await sara.opens()
    expect(sara.place).toBe('introduction')
    expect(sara.person.messages).toHaveLength(2)
  })
}

for (const [what, fault] of Object.entries(unclear)) {
  story(`the questions are ${what} again and again: the participant can retry`, async ({ meet }) => {
    const sara = await meet({ at: 'introduction', ...knownPerson() })
    breaks(sara, fault, questions, 3)
    await sara.taps(/^begin:/)
    expect(sara.heard).toContain(word('failure-unavailable'))
    await sara.taps(/^retry:/)
    expect(sara.question.position).toBe(1)
  })
}

for (const [what, fault] of Object.entries({ ...unclear, ...carriedOut })) {
  story(`the profile is ${what}: no second SMS goes out without a tap`, async ({ meet }) => {
    const sara = await meet({ at: 'summary' })
    breaks(sara, fault, auth)
    await sara.taps('profile:ok')
    expect(sara.heard).toContain(word('sms-unclear', { mobile: ZAHRA.mobile }))
    const sent = sara.codes.length
    expect(sent).toBe('executed' in fault ? 1 : 0)
    await sara.waits(SMS_PAUSE_MS)
    expect(sara.codes).toHaveLength(sent)
    await sara.taps('sms:again')
    expect(sara.place).toBe('code')
    expect(sara.codes).toHaveLength(sent + 1)
    await sara.walksTo('question')
  })

  story(`the code is ${what}: it is not spent twice`, async ({ meet }) => {
    const sara = await meet({ at: 'code' })
    breaks(sara, fault, verify)
    await sara.says(sara.codes[0] ?? '')
    const isDone = 'executed' in fault
    if (!isDone) {
      expect(sara.heard).toContain(word('failure-unavailable'))
      // The participant need not type it again.
      await sara.taps(/^retry:/)
    }
    expect(sara.question.position).toBe(1)
    expect(sara.calls.filter((name) => name === 'verify')).toHaveLength(isDone ? 1 : 2)
    expect(sara.codes).toHaveLength(1)
  })
}

for (const [what, fault] of Object.entries({ ...unclear, ...carriedOut })) {
  story(`a profile without SMS is ${what}: it is made once`, async ({ meet }) => {
    const sara = await meet({ at: 'summary', record: { testsAuthRequired: false } })
    breaks(sara, fault, auth)
    await sara.taps('profile:ok')
    if (!('executed' in fault)) {
      expect(sara.heard).toContain(word('failure-unavailable'))
      await sara.taps(/^retry:/)
    }
    expect(sara.question.position).toBe(1)
  })
}

for (const [what, fault] of Object.entries(passing)) {
  story(`every call is ${what}: the participant does not notice`, async ({ meet }) => {
    const sara = await meet({ at: 'summary' })
    for (const where of [auth, verify, questions, submit, result]) breaks(sara, fault, where)
    await sara.walksTo('review')
    await sara.taps(/^submit:/)
    expect(sara.files).toHaveLength(2)
    expect(accepted(sara)).toHaveLength(1)
    expect(sara.codes).toHaveLength(1)
    expect(sara.person.transcript()).not.toContain(word('button-retry'))
  })
}

for (const [what, fault] of Object.entries({ ...unclear, ...carriedOut })) {
  story(`the result is ${what}: it comes a little later, once`, async ({ meet }) => {
    const sara = await meet({ at: 'review', ...knownPerson() })
    breaks(sara, fault, result, 2)
    await sara.taps(/^submit:/)
    expect(sara.chat).toContain(word('submit-sent', { total: 3 }))
    for (const seconds of [1, 3, 5, 10]) await sara.waits(seconds * 1_000)
    expect(sara.files).toHaveLength(2)
  })
}

story('a service that stays busy is reported, and the retry sends one SMS', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  breaks(sara, { kind: 'rate-limit', retryAfter: 0 }, auth, 6)
  await sara.taps('profile:ok')
  expect(sara.heard).toContain(word('failure-busy'))
  await sara.taps(/^retry:/)
  expect(sara.place).toBe('code')
  expect(sara.codes).toHaveLength(1)
})

for (const status of [401, 403]) {
  for (const [name, where, at] of [
    ['the profile', auth, 'summary'],
    ['the code', verify, 'code'],
    ['the questions', questions, 'code'],
  ] as const) {
    story(`a key refused with ${status} at ${name} is reported to the organizer`, async ({ meet }) => {
      const sara = await meet({ at, environment: { ORGANIZERS: '900' } })
      const organizer = sara.world.emulator.person({ id: 900 })
      organizer.start()
      breaks(sara, { kind: 'status', status }, where)
      await (at === 'summary' ? sara.taps('profile:ok') : sara.says(sara.codes[0] ?? ''))
      expect(sara.heard).toContain(word('failure-organizer'))
      const refused = word('notice-refused', { title: 'حال این دو هفته (نمونه)' })
      expect(organizer.last.text).toContain(status === 401 ? word('notice-key') : refused)
      await sara.taps(/^retry:/)
      await sara.walksTo('question')
    })
  }
}

story('a key that is refused when the link is opened is reported to the organizer', async ({ meet }) => {
  const sara = await meet({ environment: { ORGANIZERS: '900' } })
  const organizer = sara.world.emulator.person({ id: 900 })
  organizer.start()
  breaks(sara, { kind: 'status', status: 401 }, look)
  await sara.opens()
  expect(sara.heard).toBe(word('failure-organizer'))
  expect(organizer.last.text).toBe(word('notice-key'))
  await sara.taps(/^retry:/)
  expect(sara.place).toBe('introduction')
})

for (const { path } of [verify, questions, { path: '^/record/' }]) {
  story(`a 404 at ${path} does not make a begun invitation unknown`, async ({ meet }) => {
    const isLasting = path === '^/record/'
    const sara = await meet({ at: isLasting ? 'summary' : 'code', environment: { ORGANIZERS: '900' } })
    const organizer = sara.world.emulator.person({ id: 900 })
    organizer.start()
    sara.world.sandbox.fault({ kind: 'status', status: 404, path, times: isLasting ? 9 : 1 })
    await sara.goesOn()
    expect(sara.place).toBe('refused')
    expect(sara.heard).not.toContain(word('invitation-unknown'))
    expect(organizer.last.text).toContain(word('notice-refused', { title: 'حال این دو هفته (نمونه)' }))
    await sara.taps(/^retry:/)
    expect(sara.place).toBe(isLasting ? 'refused' : 'question')
  })
}

story('a retry reaches a service that came back a moment ago', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  // Six failures in a row open the breaker for a while.
  breaks(sara, { kind: 'status', status: 503 }, { method: 'GET', path: '^/record/' }, 6)
  await sara.goesOn()
  await sara.taps(/^retry:/)
  expect(sara.heard).toContain(word('failure-unavailable'))
  await sara.waits(1_500)
  await sara.taps(/^retry:/)
  expect(sara.question.position).toBe(1)
})

story('typed details survive a service that is away', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  breaks(sara, { kind: 'rate-limit', retryAfter: 0 }, auth, 6)
  await sara.taps('profile:ok')
  await sara.opens()
  expect(sara.place).toBe('summary')
  expect(sara.screen).toContain(ZAHRA.name)
  expect(sara.screen).toContain(ZAHRA.mobile)
})

story('organizers are notified once of answers that stay unsent for an hour', async ({ meet }) => {
  const sara = await meet({ at: 'review', environment: { ORGANIZERS: '900' } })
  const manager = sara.world.emulator.person({ id: 900 })
  manager.start()
  breaks(sara, { kind: 'status', status: 500 }, submit, 1_000)
  await sara.taps(/^submit:/)
  const notice = word('notice-submit', { title: 'حال این دو هفته (نمونه)' })
  for (let tries = 0; tries < 30; tries += 1) await sara.waits(61_000)
  expect(manager.transcript()).not.toContain(notice)
  for (let tries = 0; tries < 40; tries += 1) await sara.waits(61_000)
  expect(manager.transcript().split(notice)).toHaveLength(2)
  expect(sara.chat.split(word('submit-delayed'))).toHaveLength(2)
})
