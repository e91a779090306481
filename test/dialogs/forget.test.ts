import { expect } from 'vitest'
import { keptOf, queuesOf } from '../kept-entries.ts'
import { eventually } from '../until.ts'
import { another, type Participant, story, word, ZAHRA } from './walk.ts'

story('/forget shows what is kept and deletes it only when it is confirmed', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  await sara.says('/forget')
  expect(sara.heard).toContain(`${word('forget-kept')}\n${word('forget-profiles', { count: 1 })}`)
  expect(sara.heard).toContain(word('forget-service'))
  await sara.taps('forget:no')
  expect(sara.heard).toContain(word('forget-kept-all'))
  expect(sara.place).toBe('summary')
  await sara.opens('')
  expect(sara.place).toBe('summary')
  await sara.forgets()
  expect(sara.heard).toBe(word('forgotten'))
  await sara.says('/tests')
  expect(sara.heard).toBe(word('tests-none'))
  const shown = sara.person.transcript()
  expect(shown).not.toContain(ZAHRA.name)
  expect(shown).not.toContain(ZAHRA.mobile)
})

story('/forget names the details that are kept for the next time', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testsAuthRequired: false } })
  await sara.says('/forget')
  const attempts = word('forget-attempts', { count: 1 })
  expect(sara.heard).toContain(`${word('forget-kept')}\n${word('forget-details')}\n${attempts}`)
  await sara.taps('forget:yes')
  await sara.says('/forget')
  expect(sara.heard).toContain(word('forget-nothing'))
})

for (const at of ['summary', 'review'] as const)
  story(
    `/forget at the ${at} leaves no draft, no answer, and nothing to remind of in the store`,
    async ({ meet }) => {
      const sara = await meet({ at, record: { testsAuthRequired: false } })
      await sara.forgets()
      await sara.waits(10_000)
      await sara.world.stop()
      for (const prefix of ['r', 't', 's', 'o'])
        expect([prefix, keptOf(sara.world, prefix)]).toEqual([prefix, 0])
      expect(queuesOf(sara.world).filter((name) => /^(reminder|stuck|expiry)/.test(name))).toEqual([])
    },
  )

for (const at of ['name', 'code', 'question', 'review'] as const)
  story(`after /forget at the ${at} no queue has a message about the test`, async ({ meet }) => {
    const sara = await meet({ at })
    await sara.forgets()
    await sara.waits(1_000)
    await sara.world.stop()
    expect(queuesOf(sara.world)).toEqual([])
  })

story('/forget while the test waits for the organizer leaves nothing in any queue', async ({ meet }) => {
  const sara = await meet({ record: { status: 0 } })
  await sara.opens()
  await sara.forgets()
  await sara.waits(1_000)
  await sara.world.stop()
  expect(queuesOf(sara.world)).toEqual([])
})

story('a forgotten invitation opens for no account, and others are not told why', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false } })
  await sara.answers(0, 1)
  const { data, message } = sara.question
  await sara.forgets()
  await sara.opens()
  expect(sara.heard).toBe(word('invitation-forgotten'))
  await sara.forges(data[0] ?? '', message)
  expect(sara.place).toBeUndefined()
  const reza = another(sara)
  await reza.opens()
  expect(reza.heard).toBe(word('invitation-used'))
  expect(sara.calls).toEqual(['look', 'questions'])
})

story(
  'complete answers that were not accepted are named first, and can be sent instead',
  async ({ meet }) => {
    const sara = await meet({ at: 'review', record: { testsAuthRequired: false } })
    await sara.says('/forget')
    expect(sara.heard).toContain(word('forget-unsent', { title: 'حال این دو هفته (نمونه) · زهرا' }))
    await sara.taps(word('button-forget-send', { title: 'حال این دو هفته (نمونه) · زهرا' }))
    expect(sara.place).toBe('review')
    await sara.taps(/^submit:/)
    expect(sara.submissions).toHaveLength(1)
  },
)

story('a call under way brings nothing back after /forget', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  await sara.says('/forget')
  const forget = sara.person.last
  await sara.opens('')
  const summary = sara.person.last
  sara.world.sandbox.fault({ kind: 'slow', ms: 2_000, path: 'auth/$' })
  sara.person.tap('profile:ok', summary)
  await eventually(() => expect(sara.calls).toContain('auth'))
  sara.person.say('/forget')
  await eventually(() => expect(sara.person.last.message_id).toBeGreaterThan(summary.message_id))
  await eventually(() => expect(sara.buttons).toContain('forget:yes'))
  await sara.taps('forget:yes')
  expect(sara.screen).toBe(word('forgotten'))
  await sara.forges('forget:yes', forget)
  await sara.waits(600_000)
  expect(sara.screen).not.toContain(word('code-expired'))
  await sara.says('/tests')
  expect(sara.heard).toBe(word('tests-none'))
})

story(
  'answers under way are submitted once or not at all after /forget, and no result comes back',
  async ({ meet }) => {
    const sara = await meet({ at: 'review', record: { testsAuthRequired: false } })
    sara.world.sandbox.fault({ kind: 'status', status: 503, times: 4 })
    await sara.taps(/^submit:/)
    await sara.says('/forget')
    expect(sara.heard).toContain(word('forget-unsent', { title: 'حال این دو هفته (نمونه) · زهرا' }))
    await sara.taps('forget:yes')
    for (let count = 0; count < 4; count++) await sara.waits(61_000)
    expect(sara.submissions.filter(({ accepted }) => accepted)).toHaveLength(0)
    expect(sara.files).toEqual([])
  },
)

story('an old «delete everything» button deletes nothing', async ({ meet }) => {
  const sara = await meet({ at: 'gender' })
  await sara.says('/forget')
  const forget = sara.person.last
  await sara.opens('')
  await sara.forges('forget:yes', forget)
  expect(sara.person.toasts).toContain(word('button-old'))
  await sara.opens('')
  expect(sara.place).toBe('gender')
})

story('a test that could not be read yet is listed by /tests and deleted by /forget', async ({ meet }) => {
  const sara = await meet({ record: { testsAuthRequired: false } })
  sara.world.sandbox.fault({ kind: 'status', status: 503, method: 'GET', path: '^/record/[^/]+$', times: 3 })
  await sara.opens()
  await sara.says('/tests')
  await sara.taps(/^retry:/)
  await sara.walksTo('question')
  await sara.answers(1)
  await sara.says('/tests')
  expect(sara.buttons).toContainEqual(expect.stringMatching(/^open:/))
  await sara.forgets()
  await sara.opens()
  expect(sara.heard).toBe(word('invitation-forgotten'))
})

story('a test that the service has lost is still deleted by /forget', async ({ meet }) => {
  const sara = await meet({ at: 'summary', record: { testsAuthRequired: false } })
  sara.world.sandbox.fault({ kind: 'status', status: 503, path: 'questions', times: 3 })
  await sara.taps('profile:ok')
  sara.world.sandbox.fault({ kind: 'status', status: 404, method: 'GET', path: '^/record/[^/]+$' })
  await sara.taps(/^retry:/)
  expect(sara.heard).toContain(word('failure-organizer'))
  await sara.says('/forget')
  expect(sara.heard).toContain(word('forget-links', { count: 1 }))
  await sara.taps('forget:yes')
  await sara.opens()
  expect(sara.heard).toBe(word('invitation-forgotten'))
})

for (const [what, at, button, path] of [
  ['the details', 'summary', 'profile:ok', 'auth/$'],
  ['the answers', 'review', /^submit:/, '^/record/[^/]+/$'],
] as const) {
  story(`after /forget ${what} that wait for the budget are not sent`, async ({ meet }) => {
    const sara = await meet({ at, record: { testsAuthRequired: at === 'summary' } })
    const { sandbox, settled } = sara.world
    // The first attempt is refused, and the next one waits.
    sandbox.fault({ kind: 'rate-limit', retryAfter: 3, path })
    const before = sandbox.calls.length
    sara.person.tap(button)
    await eventually(() => expect(sandbox.calls).toHaveLength(before + 1))
    sara.person.say('/forget')
    await eventually(() => expect(sara.buttons).toContain('forget:yes'))
    sara.person.tap('forget:yes')
    await eventually(() => expect(sara.chat).toContain(word('forgotten')))
    expect(sandbox.calls).toHaveLength(before + 1)
    await settled()
    expect(sandbox.calls).toHaveLength(before + 1)
    expect(sara.codes).toEqual([])
    await sara.says('/tests')
    expect(sara.heard).toBe(word('tests-none'))
  })
}

story('/forget says what stays in the chat, and how to clear it', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  await sara.says('/forget')
  expect(sara.heard).toContain(word('forget-history'))
  expect(word('forgotten')).toContain('Clear History')
})

story('a message that could not be handled before /forget is not reported after it', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testsAuthRequired: false } })
  await sara.says('/forget')
  const said = [word('forgotten'), word('trouble')].map((each) => each.slice(0, 15))
  const fails = sara.world.emulator.fault({
    ...{ kind: 'error', status: 500, times: Infinity, method: 'sendMessage' },
    when: ({ text = '' }) => !said.some((each) => String(text).startsWith(each)),
  })
  sara.person.say('/help')
  await eventually(() => expect(fails.hits).toBeGreaterThan(0))
  sara.person.tap('forget:yes')
  for (let minutes = 0; minutes < 17; minutes += 1) await sara.waits(61_000)
  expect(sara.world.lines.join('')).toContain('message set aside')
  expect(sara.screen).toBe(word('forgotten'))
})

story.for([
  ['the link is looked at', undefined, (sara: Participant) => sara.person.start(sara.payload), 'look'],
  ['the code is checked', 'code', (sara: Participant) => sara.person.say(sara.codes[0] ?? ''), 'verify'],
  ['the questions come', 'summary', (sara: Participant) => sara.person.tap('profile:ok'), 'questions'],
] as const)(
  '/forget while %s leaves nothing, and nothing comes after it',
  async ([, at, act, call], { meet }) => {
    const sara = await meet({ ...(at && { at }), record: { testsAuthRequired: call === 'verify' } })
    const path = call === 'look' ? `^/record/${sara.token}$` : call
    const held = sara.world.sandbox.fault({ kind: 'slow', ms: 600_000, path })
    act(sara)
    await eventually(() => expect(sara.calls).toContain(call))
    sara.person.say('/forget')
    await eventually(() => expect(sara.buttons).toContain('forget:yes'))
    sara.person.tap('forget:yes')
    const forgotten = word('forgotten')
    await eventually(() => expect(sara.screen).toBe(forgotten))
    held.end()
    await sara.world.settled()
    await sara.waits(600_000)
    expect(sara.screen).toBe(forgotten)
    await sara.world.stop()
    // The file of a link with which no account has begun stays: it belongs to no account.
    const kept = { r: at === undefined ? 1 : 0, t: 0, s: 0, o: 0 }
    for (const [prefix, count] of Object.entries(kept))
      expect([prefix, keptOf(sara.world, prefix)]).toEqual([prefix, count])
  },
)

story('a text typed at an introduction is deleted from the chat by /forget', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  await sara.says(ZAHRA.name)
  await sara.forgets()
  expect(sara.chat).not.toContain(ZAHRA.name)
})

for (const said of ['نه', word('button-forget-no')])
  story(`the question of /forget can be answered with «${said}»`, async ({ meet }) => {
    const sara = await meet({ at: 'summary' })
    await sara.says('/forget')
    await sara.says(said)
    expect(sara.heard).toContain(word('forget-kept-all'))
    expect(sara.place).toBe('summary')
  })

story('the question of /forget takes the words of its button, but not a plain yes', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  await sara.says('/forget')
  await sara.says('بله')
  expect(sara.chat).not.toContain(word('forgotten').slice(0, 30))
  await sara.says('/forget')
  await sara.says(word('button-forget-yes'))
  expect(sara.chat).toContain(word('forgotten').slice(0, 30))
})

story('«نه» below a question of the test is for that, though /forget has asked since', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  await sara.says('/forget')
  await sara.says('نه')
  expect(sara.heard).not.toContain(word('forget-kept-all'))
})
