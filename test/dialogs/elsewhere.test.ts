import { expect } from 'vitest'
import { finishesElsewhere, registersElsewhere } from './second-writer.ts'
import { type Participant, story, word, ZAHRA } from './walk.ts'

const environment = { ORGANIZERS: '900' }
const title = 'حال این دو هفته (نمونه)'
const instant = { at: 'review', record: { testsAuthRequired: false }, environment } as const

const doneElsewhere = word('done-elsewhere', { title: `${title} · زهرا` })
const registered = word('registered-elsewhere')

async function organizer({ world, acts }: Participant) {
  const person = world.emulator.person({ id: 900, firstName: 'مدیر' })
  await acts(() => person.start())
  return person
}

story('a test that others finish before «send» is said to be finished elsewhere', async ({ meet }) => {
  const sara = await meet(instant)
  const manager = await organizer(sara)
  await finishesElsewhere(sara)
  await sara.taps(/^submit:/)
  expect(sara.heard).toContain(doneElsewhere)
  expect(sara.chat).not.toMatch(/پاسخ شما رسید/)
  expect(sara.files).toEqual([])
  // The organizer gets this notice, and not the one that says how the participant finished.
  expect(manager.transcript()).toContain(word('notice-done-elsewhere', { title }))
  expect(manager.transcript()).not.toContain(word('notice-finished', { title, validity: '' }))
  expect(JSON.stringify(manager.last.reply_markup)).toContain(`card:r:${sara.token}`)
  await sara.opens()
  expect(sara.heard).toContain(word('finished-elsewhere'))
  await sara.waits(3_600_000)
  expect(sara.files).toEqual([])
  // The notice's button brings the result that the service has.
  await sara.acts(() => manager.tap(/^send:/))
  expect(manager.transcript()).not.toContain(word('send-not-yet'))
  expect(manager.transcript()).toContain(word('send-coming'))
  expect(manager.messages.filter(({ document }) => document)).not.toEqual([])
})

story(
  'answers that are noted as sent are the participant’s, also after a restart and a lost key',
  async ({ meet }) => {
    const sara = await meet(instant)
    const { sandbox } = sara.world
    sandbox.fault({ kind: 'cut', executed: true, method: 'POST' })
    // Reading the record fails for another reason, and the participant retries much later.
    const key = sandbox.fault({ kind: 'status', status: 401, message: 'The key is revoked.', times: 9 })
    await sara.taps(/^submit:/)
    for (let tries = 0; tries < 6 && sara.place !== 'refused'; tries++) await sara.waits(61_000)
    expect(sara.place).toBe('refused')
    key.end()
    await sara.meetsRestart()
    await sara.taps(/^retry:/)
    expect(sara.submissions.filter(({ accepted }) => accepted)).toHaveLength(1)
    expect(sara.files).toHaveLength(2)
    expect(sara.chat).not.toContain(doneElsewhere)
  },
)

story('answers that were never sent do not claim a record that was finished elsewhere', async ({ meet }) => {
  const sara = await meet(instant)
  const away = sara.world.sandbox.fault({ kind: 'rate-limit', retryAfter: 1, method: 'POST', times: 99 })
  await sara.taps(/^submit:/)
  await finishesElsewhereOnce(sara, away.end)
  for (let tries = 0; tries < 6 && !sara.chat.includes(doneElsewhere); tries++) await sara.waits(61_000)
  expect(sara.chat).toContain(doneElsewhere)
  expect(sara.files).toEqual([])
})

async function finishesElsewhereOnce(sara: Participant, isBack: () => void): Promise<void> {
  isBack()
  await finishesElsewhere(sara)
}

const others = [
  ['another name', { name: 'مریم کریمی' }],
  ['another birth', { birth: '1990-01-01' }],
  ['another sex', { is_male: true }],
  ['another mobile', { mobile: '09351112233' }],
] as const

for (const [what, other] of others) {
  story(
    `a record that is registered with ${what} while the summary is read is not claimed`,
    async ({ meet }) => {
      const sara = await meet({ at: 'summary', record: { testsAuthRequired: false }, environment })
      const manager = await organizer(sara)
      registersElsewhere(sara, other)
      await sara.taps('profile:ok')
      expect(sara.heard).toContain(registered)
      expect(manager.transcript()).toContain(word('notice-registered-elsewhere', { title }))
      expect(JSON.stringify(manager.last.reply_markup)).toContain(`card:r:${sara.token}`)
      expect(sara.screen).not.toContain(ZAHRA.name)
      // Whatever the participant tries, the bot asks no question of this record.
      await sara.opens()
      expect(sara.heard).toContain(registered)
      await sara.meetsRestart()
      await sara.opens()
      expect(sara.calls).not.toContain('questions')
    },
  )
}

story('the same person, registered in the panel with other spellings, goes on', async ({ meet }) => {
  const sara = await meet({ at: 'summary', record: { testsAuthRequired: false } })
  registersElsewhere(sara, {})
  await sara.taps('profile:ok')
  expect(sara.place).toBe('question')
})

for (const executed of [false, true]) {
  story(
    `after a lost reply the record is held against the details (${executed ? 'made' : 'not made'})`,
    async ({ meet }) => {
      const sara = await meet({ at: 'summary', record: { testsAuthRequired: false }, environment })
      const { sandbox } = sara.world
      sandbox.fault({ kind: 'cut', executed, path: 'auth/$' })
      if (!executed) registersElsewhere(sara, { name: 'مریم کریمی' })
      await sara.taps('profile:ok')
      if (executed) expect(sara.place).toBe('question')
      else expect(sara.heard).toContain(registered)
    },
  )
}

story('a record registered elsewhere while its code is typed is not claimed', async ({ meet }) => {
  const sara = await meet({ at: 'code', environment })
  const manager = await organizer(sara)
  sara.world.sandbox.fault({ kind: 'cut', path: 'verify/$' })
  registersElsewhere(sara, { name: 'مریم کریمی' })
  await sara.says(sara.codes[0] ?? '')
  expect(sara.heard).toContain(registered)
  expect(manager.transcript()).toContain(word('notice-registered-elsewhere', { title }))
})

story('after a lost reply to the code the record is recognized by the typed details', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  sara.world.sandbox.fault({ kind: 'cut', executed: true, path: 'verify/$' })
  await sara.says(sara.codes[0] ?? '')
  expect(sara.place).toBe('question')
})

/** Leaves the outcome of a call unknown: the reply is cut, and reading the record fails as well. */
function losesReply({ world, token }: Participant, path: string, executed = true): { end(): void } {
  world.sandbox.fault({ kind: 'cut', executed, path })
  return world.sandbox.fault({ kind: 'status', status: 503, method: 'GET', path: `${token}$`, times: 99 })
}

story(
  'details that are corrected after their reply was lost are still the participant’s',
  async ({ meet }) => {
    const sara = await meet({ at: 'summary', record: { testsAuthRequired: false }, environment })
    const away = losesReply(sara, 'auth/$')
    await sara.taps('profile:ok')
    away.end()
    await sara.says('نامم اشتباه است')
    await sara.says('زهرا محمدی‌نژاد')
    // Opening the link reads the record as well, and does not end it.
    await sara.opens()
    await sara.taps('profile:ok')
    expect(sara.place).toBe('question')
    expect(sara.chat).not.toContain(registered)
    expect(sara.chat).toContain(word('registered-as-sent'))
  },
)

story('after two lost replies the record is also recognized by the details sent last', async ({ meet }) => {
  const sara = await meet({ at: 'summary', record: { testsAuthRequired: false }, environment })
  const { sandbox } = sara.world
  const silent = losesReply(sara, 'auth/$', false)
  await sara.taps('profile:ok')
  silent.end()
  await sara.says('نامم اشتباه است')
  await sara.says('زهرا محمدی‌نژاد')
  // The record is read once before the details are sent.
  sandbox.fault({ kind: 'slow', ms: 0, method: 'GET', path: `${sara.token}$` })
  const away = losesReply(sara, 'auth/$')
  await sara.taps('profile:ok')
  away.end()
  await sara.says('نامم اشتباه است')
  await sara.says('مینا محمدی‌نژاد')
  await sara.taps('profile:ok')
  expect(sara.chat).not.toContain(registered)
  expect(sara.place).toBe('question')
})

story('a new mobile after a lost reply to the code does not end the test', async ({ meet }) => {
  const sara = await meet({ at: 'code', environment })
  const away = losesReply(sara, 'verify/$')
  await sara.says(sara.codes[0] ?? '')
  away.end()
  await sara.says('09351234567')
  sara.world.pass(61_000)
  await sara.taps('profile:ok')
  expect(sara.place).toBe('question')
  expect(sara.chat).not.toContain(registered)
  expect(sara.chat).toContain(word('registered-as-sent'))
})

story(
  'a record that others register after a lost reply is not claimed, even after a correction',
  async ({ meet }) => {
    const sara = await meet({ at: 'summary', record: { testsAuthRequired: false }, environment })
    const away = losesReply(sara, 'auth/$', false)
    await sara.taps('profile:ok')
    away.end()
    registersElsewhere(sara, { name: 'مریم کریمی' })
    await sara.says('نامم اشتباه است')
    await sara.says('زهرا محمدی‌نژاد')
    await sara.taps('profile:ok')
    expect(sara.heard).toContain(registered)
    expect(sara.calls).not.toContain('questions')
  },
)
