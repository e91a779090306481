import { expect } from 'vitest'
import { birthText } from '../../src/views/birth.ts'
import { dateTimeText } from '../../src/views/view.ts'
import { type Account, createAccount } from '../account.ts'
import { story as roadmapStory } from '../roadmaps/gather.ts'
import { people } from '../roadmaps/kin.ts'
import { texts } from '../words.ts'
import type { World } from '../world.ts'
import { another, CONTACT, ORGANIZER, type Participant, story, word, ZAHRA } from './walk.ts'

/** The two files of `/mydata`: to read, and for programs. */
const dataOf = (participant: Participant) => dataIn(participant, participant.world)

async function dataIn({ says, fromBot }: Pick<Account, 'says' | 'fromBot'>, { emulator }: World) {
  await says('/mydata')
  const [read, json] = fromBot()
    .slice(-2)
    .map(({ document }) => emulator.file(document?.file_id ?? '')?.bytes.toString())
  return { read: read ?? '', data: JSON.parse(json ?? '') }
}

story('/mydata shows the details while they are typed, and with which consent', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  const { read, data } = await dataOf(sara)
  expect(data.records).toMatchObject([
    {
      token: sara.token,
      kind: 'record',
      stage: 'profile',
      details: [{ name: ZAHRA.name, gender: 'female' }],
      mobile: ZAHRA.mobile,
      consent: {
        language: 'fa',
        version: expect.any(Number),
        at: expect.stringMatching(/^20.*Z$/),
        result_goes_to: 'participant',
      },
      result_goes_to: 'participant',
    },
  ])
  // Only the organizer can correct what is registered.
  expect(data).toMatchObject({ organizer: ORGANIZER, corrections: CONTACT })
  expect(read).toContain(word('mydata-corrections'))
  for (const said of [ZAHRA.name, ZAHRA.mobile, sara.token]) expect(read).toContain(said)
  // In words here; the other file has the value.
  expect(read).toContain(word('gender-female'))
  expect(read).not.toContain('female')
  await sara.says('/start')
  expect(sara.place).toBe('summary')
})

story('/mydata has the settings chosen under /settings', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  for (const data of ['large:on', 'hour:21']) {
    await sara.says('/settings')
    await sara.taps(data)
  }
  const { read, data } = await dataOf(sara)
  expect(data).toMatchObject({ large_text: true, reminder_hour: 21 })
  expect(data.last_active).toMatch(/^20.*Z$/)
  expect(read).toContain(word('mydata-large'))
  expect(read).toContain(word('mydata-reminder-hour', { hour: 21 }))
})

roadmapStory('/mydata names the people of a roadmap', async ({ gather }) => {
  const { owner, world } = await gather({ productId: 'pair', at: 'board' })
  const { data, read } = await dataIn(owner, world)
  const named = [
    { role: 'زن', name: 'لیلا' },
    { role: 'مرد', name: 'علی' },
  ]
  expect(data.records[0].people).toEqual(named)
  expect(read).not.toContain(people[12]?.name)
  for (const each of named) expect(read).toContain(word('mydata-person', each))
})

story(
  '/mydata has the questions and answers of an open test, and none of them once they are sent',
  async ({ meet }) => {
    const sara = await meet({ at: 'question', record: { testsAuthRequired: false } })
    const { text } = sara.question
    await sara.answers(1, 3)
    const { data, read } = await dataOf(sara)
    expect(data.records[0].answers).toHaveLength(2)
    expect(text).toContain(data.records[0].answers[0].question)
    expect(read).toContain(data.records[0].answers[1].answer)
    await sara.walksTo('review')
    await sara.taps(/^submit:/)
    expect((await dataOf(sara)).data.records).toMatchObject([{ stage: 'done' }])
    const after = await dataOf(sara)
    expect(after.data.records[0].answers).toBeUndefined()
    const { birth, gender, ...known } = after.data.details_for_next_time
    expect(gender).toBe('female')
    expect(birth).toBe('1996-08-02')
    const shown = birthText(texts.for('fa'), birth, new Date(sara.world.now()).toISOString().slice(0, 10))
    expect(after.read).toContain(
      word('mydata-again', { ...known, birth: shown, gender: word('gender-female') }),
    )
  },
)

story(
  '/mydata tells a stranger with the same link nothing, and after /forget it is empty for all',
  async ({ meet }) => {
    const sara = await meet({ at: 'question' })
    const reza = another(sara)
    await reza.opens()
    const stranger = await dataOf(reza)
    expect(JSON.stringify(stranger)).not.toContain(ZAHRA.name)
    expect(JSON.stringify(stranger)).not.toContain(ZAHRA.mobile)
    expect(stranger.data.records).toEqual([])
    await sara.forgets()
    const { data, read } = await dataOf(sara)
    expect(data.records).toEqual([])
    expect(read).toContain(word('mydata-nothing'))
  },
)

story('/mydata says who agreed, and who received what and when', async ({ meet }) => {
  const sara = await meet({ record: { testsAuthRequired: false }, environment: { ORGANIZERS: '900' } })
  await sara.walksTo('birth')
  await sara.says('۱۳۸۹/۱/۱')
  await sara.taps('guardian:link')
  const mother = createAccount(sara.world, sara.world.emulator.person({ firstName: 'مادر' }), '')
  await mother.opens(/start=(i_[a-z2-7]{12})/.exec(sara.screen)?.[1])
  await mother.taps(/^agree:.*:yes$/)
  await sara.walksTo('question')
  await sara.answers(1)
  const open = (await dataOf(sara)).data.records[0]
  expect(open.agreements).toEqual([
    { by: 'guardian', own_phone: true, ...open.consent, at: expect.stringMatching(/^20.*Z$/) },
  ])
  expect(open.how_answered).toMatchObject({ activeMinutes: 1, changes: 0 })
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  const manager = createAccount(sara.world, sara.world.emulator.person({ id: 900 }), '')
  await manager.says(`/records ${sara.token}`)
  await manager.taps(/^send:/)
  await sara.waits(1_000)
  await manager.says('/status')
  await manager.taps('results')
  const { data, read } = await dataOf(sara)
  const at = expect.stringMatching(/^20.*Z$/)
  expect(data.records).toMatchObject([
    {
      stage: 'done',
      result_received: at,
      organizers: [
        { what: 'send', at },
        { what: 'received', at },
        { what: 'results', at },
      ],
    },
  ])
  expect(read).toContain(word('act.received'))
  const received = dateTimeText(texts.for('fa'), Date.parse(data.records[0].result_received))
  expect(read).toContain(word('mydata-received', { at: received }))
  // Dates are in the reader's calendar and time zone; the other file has machine-readable ones.
  expect(read).toMatch(/^موافقت: \S+ \S+ ۱۴\S+ ساعت \S+، نسخهٔ متن \d+$/m)
  expect(read).toMatch(/^موافقت پدر، مادر یا سرپرست: \S+ \S+ ۱۴/m)
  expect(read).not.toMatch(/\dT\d|\d{4}-\d\d-\d\d/)
  expect((await dataOf(sara)).data.telegram_id).toBe(sara.person.id)
  await mother.says('/mydata')
  expect(mother.fromBot().filter(({ document }) => document)).toHaveLength(2)
})
