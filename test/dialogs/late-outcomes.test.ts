import { expect } from 'vitest'
import { eventually } from '../until.ts'
import { type Participant, story, withAnother, word, written, ZAHRA } from './walk.ts'

const TITLE = 'حال این دو هفته (نمونه)'

type Held = { call: 'look' | 'auth' | 'auth/verify'; after: () => void; meanwhile: () => Promise<unknown> }

/** Holds back the service's answer to a call about this test until the chat has done something else. */
async function whileHeld({ world, token }: Participant, { call, after, meanwhile }: Held) {
  const { sandbox } = world
  const path = call === 'look' ? `${token}$` : `${token}/${call}/$`
  const count = () => sandbox.calls.filter((each) => new RegExp(path).test(each.path)).length
  const before = count()
  const held = sandbox.fault({ kind: 'slow', ms: 600_000, path })
  try {
    after()
    await eventually(() => expect(count()).toBe(before + 1))
    await meanwhile()
  } finally {
    held.end()
  }
  await world.settled()
}

const arrivesAt = (participant: Participant, place: Participant['place']) =>
  eventually(() => expect(participant.place).toBe(place))

/** Opens another test of the same person, and types the name for it. */
async function typesNameFor(next: Participant): Promise<void> {
  next.person.start(next.payload)
  await arrivesAt(next, 'introduction')
  next.person.tap(/^begin:/)
  await arrivesAt(next, 'name')
  next.person.say(ZAHRA.name)
  await arrivesAt(next, 'birth')
}

/** Expects that the other test is only named, with a button, and that the name typed for this one stays. */
async function goesOnAtBirth(next: Participant, state: 'waiting' | 'new' | 'profile', title = TITLE) {
  expect(next.chat).toContain(word('meanwhile', { title, state: word(`stage-${state}`) }))
  expect(written(next)).toContain(ZAHRA.name)
  await next.says('1375/5/12')
  expect(next.place).toBe('gender')
}

story('a slow look at a waiting test leaves the dialog of the test opened since', async ({ meet }) => {
  const sara = await meet({ at: 'waiting', record: { status: 0 } })
  const next = withAnother(sara, { testId: 'sleep-20' })
  await whileHeld(sara, {
    call: 'look',
    after: () => sara.person.tap(/^refresh:/),
    meanwhile: () => typesNameFor(next),
  })
  await goesOnAtBirth(next, 'waiting')
  await sara.taps(/^open:/)
  expect(sara.place).toBe('waiting')
})

story('an invitation that opens late waits behind the one that was opened after it', async ({ meet }) => {
  const sara = await meet()
  const next = withAnother(sara, { testId: 'sleep-20' })
  await whileHeld(sara, {
    call: 'look',
    after: () => sara.person.start(sara.payload),
    meanwhile: () => typesNameFor(next),
  })
  await goesOnAtBirth(next, 'new')
  await sara.taps(/^open:/)
  expect(sara.place).toBe('introduction')
})

story('details refused with a 404 leave the dialog of the test opened since', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  const next = withAnother(sara, { testId: 'sleep-20' })
  sara.world.sandbox.fault({ kind: 'status', status: 404, path: `${sara.token}/auth/$` })
  await whileHeld(sara, {
    call: 'look',
    after: () => sara.person.tap('profile:ok'),
    meanwhile: () => typesNameFor(next),
  })
  await goesOnAtBirth(next, 'profile', `${TITLE} · زهرا`)
})

story('a slow look at an older test leaves the question that is being answered', async ({ meet }) => {
  const sara = await meet({ at: 'waiting', record: { status: 0 } })
  const next = withAnother(sara, { testId: 'mood-7', testsAuthRequired: false })
  await next.opens()
  await next.walksTo('question')
  await sara.opens()
  expect(sara.place).toBe('waiting')
  const [back = ''] = sara.buttons.filter((data) => data.startsWith('open:'))
  await whileHeld(sara, {
    call: 'look',
    after: () => sara.person.tap(/^refresh:/),
    async meanwhile() {
      sara.person.tap(back)
      await arrivesAt(next, 'question')
    },
  })
  expect(sara.heard).toContain(word('meanwhile', { title: TITLE, state: word('stage-waiting') }))
  await next.says('2')
  expect(next.place).toBe('question')
})

story('the invitation opened last takes the chat, however long it takes to open', async ({ meet }) => {
  const sara = await meet()
  const first = withAnother(sara, { testId: 'sleep-20' })
  await first.opens()
  await first.taps(/^begin:/)
  await whileHeld(sara, {
    call: 'look',
    after: () => sara.person.start(sara.payload),
    async meanwhile() {
      first.person.say(ZAHRA.name)
      await arrivesAt(first, 'birth')
    },
  })
  expect(sara.place).toBe('introduction')
  await sara.taps(/^open:/)
  expect(first.place).toBe('birth')
})

const OWN = `${TITLE} · زهرا`

/** The details of another test, up to the question for the mobile. */
async function typesUpToMobileFor(next: Participant): Promise<void> {
  await typesNameFor(next)
  next.person.say('1375/5/12')
  await arrivesAt(next, 'gender')
  next.person.tap('gender:female')
  await arrivesAt(next, 'mobile')
}

story('a mobile refused during another test is asked for only on coming back', async ({ meet }) => {
  const sara = await meet({ at: 'summary', sandbox: { authenticationsPerMobile: 0 } })
  const next = withAnother(sara, { testId: 'sleep-20' })
  const refused = word('failure-mobile-limit')
  await whileHeld(sara, {
    call: 'auth',
    after: () => sara.person.tap('profile:ok'),
    meanwhile: () => typesUpToMobileFor(next),
  })
  expect(sara.screen).toBe(word('meanwhile', { title: OWN, state: word('stage-profile') }))
  expect(sara.chat).not.toContain(refused)
  await next.says(ZAHRA.mobile)
  expect(next.place).toBe('summary')
  await sara.taps(/^open:/)
  expect(sara.screen).toContain(refused)
  expect(sara.place).toBe('mobile')
  await sara.says('09351112233')
  expect(sara.place).toBe('summary')
  await next.opens()
  await sara.opens()
  expect(sara.chat).not.toContain(refused)
})

story(
  'a code that is found wrong during another test is said to be wrong on coming back',
  async ({ meet }) => {
    const sara = await meet({ at: 'code' })
    const next = withAnother(sara, { testId: 'sleep-20' })
    await whileHeld(sara, {
      call: 'auth/verify',
      after: () => sara.person.say('9999'),
      meanwhile: () => typesNameFor(next),
    })
    const wrong = word('code-wrong')
    expect(sara.screen).toContain(wrong)
    await next.says('1375/5/12')
    for (const times of [1, 0]) {
      await sara.opens()
      expect(sara.place).toBe('code')
      expect(sara.screen.split(wrong)).toHaveLength(times + 1)
      await next.opens()
      expect(next.place).toBe('gender')
    }
  },
)

story('a refusal during another test says which test it is about', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  const next = withAnother(sara, { testId: 'sleep-20' })
  await whileHeld(sara, {
    call: 'auth',
    after: () => sara.person.tap('profile:ok'),
    async meanwhile() {
      await typesNameFor(next)
      sara.world.sandbox.update(sara.token, { status: 0 })
    },
  })
  expect(sara.screen).toBe(`${OWN}\n\n${word('failure-organizer')}`)
  await next.says('1375/5/12')
  expect(next.place).toBe('gender')
})

story(
  'a notice about submitted answers during another test says which test it is about',
  async ({ meet }) => {
    const sara = await meet({ at: 'review' })
    const next = withAnother(sara, { testId: 'sleep-20' })
    await next.opens()
    await sara.opens()
    sara.world.sandbox.fault({
      kind: 'status',
      status: 503,
      method: 'POST',
      path: `${sara.token}/$`,
      times: 9,
    })
    await sara.acts(() => {
      sara.person.tap(/^submit:/)
      next.person.start(next.payload)
    })
    expect(sara.heard).toContain(`${OWN}\n\n${word('submit-delayed')}`)
  },
)

story('an unclear SMS during another test is told on coming back', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  const next = withAnother(sara, { testId: 'sleep-20' })
  const unclear = word('sms-unclear', { mobile: ZAHRA.mobile })
  await next.opens()
  await sara.opens()
  sara.world.sandbox.fault({ kind: 'cut', path: `${sara.token}/auth/$` })
  await sara.acts(() => {
    sara.person.tap('profile:ok')
    next.person.start(next.payload)
  })
  expect(sara.screen).toBe(word('meanwhile', { title: OWN, state: word('stage-profile') }))
  await next.taps(/^begin:/)
  expect(next.place).toBe('name')
  await sara.taps(/^open:/)
  expect(sara.screen).toBe(unclear)
  await sara.waits(60_000)
  await sara.taps('sms:again')
  await sara.walksTo('question')
})

story('words written while an invitation is being opened are asked to wait', async ({ meet }) => {
  const sara = await meet()
  await whileHeld(sara, {
    call: 'look',
    after: () => sara.person.start(sara.payload),
    async meanwhile() {
      sara.person.say('چه شد؟')
      await eventually(() => expect(sara.screen).toBe(word('one-moment')))
    },
  })
  expect(sara.chat).not.toContain(word('nothing-open'))
  expect(sara.place).toBe('introduction')
})

story('a refusal that came beside a question is not said again after the correction', async ({ meet }) => {
  const sara = await meet({ at: 'summary', environment: { ORGANIZERS: '900' } })
  const { sandbox } = sara.world
  const [ask = ''] = sara.data.filter((data) => data.startsWith('ask:'))
  const path = `${sara.token}/auth/$`
  sandbox.fault({ kind: 'rate-limit', retryAfter: 1, path })
  sandbox.fault({ kind: 'status', status: 400, path })
  sara.person.tap('profile:ok')
  await eventually(() => expect(sandbox.calls.some((each) => each.path.endsWith('/auth/'))).toBe(true))
  await sara.forges(ask)
  expect(sara.heard).toContain(word('failure-profile'))
  await sara.says('/help')
  await sara.taps('profile:edit:name')
  await sara.says(ZAHRA.name)
  await sara.opens()
  expect(sara.place).toBe('summary')
  expect(sara.heard).not.toContain(word('failure-profile'))
})
