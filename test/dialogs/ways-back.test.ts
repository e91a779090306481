import { expect } from 'vitest'
import { born, type Meeting, type Participant, PLACES, type Place, story, withAnother, word } from './walk.ts'

/** Everything that may interrupt a dialog; each has to lead back to the exact place. */
const interruptions: readonly [string, (sara: Participant) => Promise<unknown>][] = [
  ['/start', (sara) => sara.opens('')],
  ['the same link', (sara) => sara.opens()],
  ['the link as a message', (sara) => sara.says(sara.link)],
  ['/tests and its button', (sara) => sara.says('/tests').then(() => sara.taps(/^open:/))],
  ['an unknown command', (sara) => sara.says('/nothing')],
  ['/help and an old button', (sara) => sara.says('/help').then(() => sara.forges('gender:other'))],
  ['/cancel and /start', (sara) => sara.says('/cancel').then(() => sara.opens(''))],
  ['a restart and /start', (sara) => sara.meetsRestart().then(() => sara.opens(''))],
]

for (const place of PLACES) {
  story(`from ${place} every interruption leads back to it`, async ({ meet }) => {
    const sara = await meet({ at: place })
    if (place === 'question') await sara.answers(0, 1)
    const calls = sara.calls.length
    for (const [what, interrupt] of interruptions) {
      await interrupt(sara)
      expect(sara.place, what).toBe(place)
      if (place === 'question') expect(sara.question.position, what).toBe(3)
    }
    expect(sara.calls).toHaveLength(calls)
    await sara.walksTo('review')
    await sara.taps(/^submit:/)
    expect(sara.submissions).toHaveLength(1)
  })
}

/** Places off the usual way, and how to get there. */
const odd: readonly [Place, Meeting, (sara: Participant) => Promise<unknown>][] = [
  ['waiting', { record: { status: 0 } }, (sara) => sara.opens()],
  ['guardian', { at: 'birth' }, (sara) => sara.forges(born(sara, 16))],
  ['mobile-confirm', { at: 'mobile' }, (sara) => sara.says('09812345678')],
  ['birth', { at: 'birth' }, (sara) => sara.says('۷۵/۵/۱۲')],
  ['name', { at: 'summary' }, (sara) => sara.taps('profile:edit:name')],
  [
    'refused',
    { at: 'review', record: { testsAuthRequired: false, billing: 'refused' } },
    (sara) => sara.taps(/^submit:/),
  ],
  [
    'result-ready',
    { at: 'review', record: { authRequired: false } },
    (sara) => sara.taps(/^submit:/).then(() => sara.opens()),
  ],
]

for (const [place, meeting, comes] of odd) {
  story(`from ${place}, off the usual way, every interruption leads back, too`, async ({ meet }) => {
    const sara = await meet(meeting)
    await comes(sara)
    const { screen } = sara
    expect(sara.place).toBe(place)
    for (const interrupt of [
      () => sara.opens(),
      () => sara.says(sara.link),
      () => sara.says('/cancel').then(() => sara.opens()),
      () => sara.meetsRestart().then(() => sara.opens()),
    ]) {
      await interrupt()
      expect(sara.place).toBe(place)
      expect(sara.screen).toBe(screen)
    }
  })
}

story('/start lists the open tests when there is more than one', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false } })
  const second = withAnother(sara, { testId: 'sleep-20', testsAuthRequired: false })
  await second.opens()
  await second.walksTo('gender')
  await second.opens('')
  expect(second.heard).toContain('حال این دو هفته')
  expect(second.heard).toContain('خواب و آرامش')
  expect(second.heard).toContain(word('stage-question', { position: 1, total: 7 }))
  expect(second.heard).toContain(word('stage-profile'))
  await second.taps(/حال این دو هفته/)
  expect(second.place).toBe('question')
  await second.says('/tests')
  await second.taps(/خواب/)
  expect(second.place).toBe('gender')
})

story('a link pasted in the middle of a dialog opens, and the old test waits in /tests', async ({ meet }) => {
  const sara = await meet({ at: 'gender' })
  const second = withAnother(sara, { testId: 'sleep-20', authRequired: false })
  await second.says(`لطفاً این را هم انجام دهید: ${second.link}`)
  expect(second.screen).toContain('خواب و آرامش')
  await second.walksTo('question')
  await second.says('۳')
  expect(second.question.position).toBe(2)
  await second.says('/tests')
  await second.taps(/حال این دو هفته/)
  expect(second.place).toBe('gender')
})

story('a bad link in the middle of a dialog is answered and disturbs nothing', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false } })
  await sara.says('record_00000000-0000-4000-8000-000000000000')
  expect(sara.heard).toContain(word('invitation-unknown'))
  await sara.says('۲')
  expect(sara.question.position).toBe(2)
})

story('/tests shows the stage of every test', async ({ meet }) => {
  const sara = await meet({ at: 'review', record: { authRequired: false } })
  await sara.says('/tests')
  expect(sara.heard).toContain(word('stage-review'))
  await sara.taps(/^open:/)
  await sara.taps(/^submit:/)
  await sara.says('/tests')
  expect(sara.heard).toContain(word('stage-done'))
  expect(sara.place).toBe('result-ready')
})

story('a command for organizers is unknown to participants', async ({ meet }) => {
  const sara = await meet({
    at: 'question',
    environment: { ORGANIZERS: '900' },
    record: { authRequired: false },
  })
  for (const command of ['/records', '/roadmaps', '/invite', '/status', '/nothing']) {
    await sara.says(command)
    expect(sara.heard).toContain(word('unknown-command'))
    expect(sara.place).toBe('question')
  }
})

for (const said of ['بفرست', 'بله', 'یعنی چه؟'])
  story(`«${said}» after /cancel leads back to the test that was put aside`, async ({ meet }) => {
    const sara = await meet({ at: 'review' })
    await sara.says('/cancel')
    await sara.says(said)
    expect(sara.heard).not.toContain(word('nothing-open'))
    await sara.taps(/^open:/)
    expect(sara.place).toBe('review')
  })

story(
  'the button back to a test that was put aside stays, whatever the participant types',
  async ({ meet }) => {
    const sara = await meet({ at: 'review' })
    await sara.says('/cancel')
    for (const said of ['یعنی چه؟', 'بله', 'چه شد؟']) {
      await sara.says(said)
      expect(sara.data).toContainEqual(expect.stringMatching(/^open:/))
    }
  },
)

story(
  'an old button after /cancel leads back to the test that was put aside, not to an invitation',
  async ({ meet }) => {
    const sara = await meet({ at: 'summary' })
    await sara.says('/cancel')
    await sara.forges('profile:ok')
    expect(sara.heard).toContain(word('button-old'))
    expect(sara.heard).not.toContain(word('invitation-closed'))
    await sara.taps(/^open:/)
    expect(sara.place).toBe('summary')
  },
)
