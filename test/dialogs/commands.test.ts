import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { eventually } from '../until.ts'
import { knownPerson, shortTest } from './short-tests.ts'
import { type Participant, PLACES, story, withAnother, word, wordInEnglish, ZAHRA } from './walk.ts'

const COMMANDS = ['start', 'tests', 'settings', 'help', 'privacy', 'mydata', 'forget', 'cancel'] as const

const help = word('help')
const privacy = word('privacy', { days: 30, accountDays: 180 })

for (const at of PLACES) {
  story(`at "${at}" every command is answered, and /start leads back`, async ({ meet }) => {
    const sara = await meet({ at })
    const position = at === 'question' ? sara.question.position : 0
    const { calls } = sara
    await sara.says('/help')
    expect(sara.heard).toBe(help)
    await sara.says('/privacy')
    expect(sara.heard).toBe(privacy)
    await sara.says('/language')
    expect(sara.heard).toContain(word('language-ask'))
    await sara.says('/tests')
    expect(sara.heard).toContain(at === 'introduction' ? word('stage-new') : 'حال این دو هفته')
    await sara.says('/forget')
    expect(sara.buttons).toContain('forget:yes')
    await sara.taps('forget:no')
    expect(sara.heard).toContain(word('forget-kept-all'))
    expect(sara.place).toBe(at)
    await sara.says('/nonsense')
    expect(sara.heard).toContain(word('unknown-command'))
    await sara.says('/cancel')
    const paused = /ادامه.*\/tests/
    // /cancel answers once, about the test that was open.
    if (at === 'question' || at === 'review') expect(sara.heard).toMatch(paused)
    else expect(sara.heard).toBe(word(at === 'introduction' || at === 'name' ? 'left-aside' : 'cancelled'))
    await sara.says('/start')
    expect(sara.place).toBe(at)
    if (position > 0) expect(sara.question.position).toBe(position)
    expect(sara.calls).toEqual(calls)
    expect(sara.codes.length).toBeLessThan(2)
  })
}

story(
  'an account with very many tests can use /start and /tests; each test has its button on a page',
  async ({ meet }) => {
    const test = shortTest({ title: `پرسشنامه ${'بسیار '.repeat(24)}بلند` })
    const tablet = await meet({ ...knownPerson(test), at: 'introduction' })
    for (let opened = 1; opened < 28; opened++) {
      // An account may open ten unclaimed records an hour.
      if (opened % 10 === 0) await tablet.waits(3_600_001)
      await withAnother(tablet, { testId: test.id, authRequired: false }).opens()
    }
    const seen = new Set<string>()
    const notes = () => tablet.data.filter((data) => data.startsWith('open:')).map((data) => seen.add(data))
    for (const command of ['/start', '/tests']) {
      await tablet.says(command)
      expect(tablet.heard).toContain(word('tests-title'))
      expect(tablet.data).toContain('tests:page:2')
    }
    const list = tablet.person.last.message_id
    notes()
    for (const page of [2, 3, 2, 1, 2, 3]) {
      await tablet.taps(`tests:page:${page}`)
      notes()
    }
    expect(tablet.person.last.message_id).toBe(list)
    expect(seen.size).toBe(28)
    await tablet.taps(/^open:/)
    expect(tablet.place).toBe('introduction')
  },
)

story('without a test the commands say what to do', async ({ meet }) => {
  const sara = await meet()
  await sara.says('/start')
  expect(sara.heard).toBe(word('welcome'))
  await sara.says('/tests')
  expect(sara.heard).toBe(word('tests-none'))
  await sara.says('/cancel')
  expect(sara.heard).toBe(word('cancel-nothing'))
  await sara.says('/records')
  expect(sara.heard).toBe(word('unknown-command'))
  await sara.says('/forget')
  expect(sara.heard).toContain(word('forget-nothing'))
  await sara.taps('forget:yes')
  expect(sara.heard).toBe(word('forgotten'))
})

story(
  'a name typed after /cancel is not taken as an answer, and leads back to the dialog',
  async ({ meet }) => {
    const sara = await meet({ at: 'name' })
    await sara.says('/cancel')
    await sara.says(ZAHRA.name)
    expect(sara.heard).not.toContain(word('nothing-open'))
    await sara.taps(/^open:/)
    expect(sara.place).toBe('name')
  },
)

story('/cancel after the answers have expired makes no call to the service', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testsAuthRequired: false } })
  const { calls } = sara
  await sara.waits(31 * 86_400_000)
  await sara.says('/cancel')
  expect(sara.heard).toBe(word('left-aside'))
  expect(sara.calls).toEqual(calls)
})

story('a command that is addressed to the bot by its username is understood', async ({ meet }) => {
  const sara = await meet()
  await sara.says(`/help@${sara.world.emulator.username}`)
  expect(sara.heard).toBe(help)
})

story('the commands are listed in both languages', async ({ meet }) => {
  const { world } = await meet({ introducesItself: true })
  const listed = (language?: string) =>
    world.emulator.calls.find(
      ({ method, payload }) => method === 'setMyCommands' && payload.language_code === language,
    )?.payload.commands
  const expected = (said: typeof word) =>
    COMMANDS.map((command) => ({ command, description: said(`command-${command}`) }))
  await eventually(() => expect(listed('en')).toBeDefined())
  expect(listed('fa')).toEqual(expected(word))
  expect(listed('en')).toEqual(expected(wordInEnglish))
  expect(listed()).toEqual(expected(word))
})

test('/privacy says that the case number is kept as long as the claim, and the full name is not', () => {
  const days = { days: 30, accountDays: 180 }
  expect(word('privacy', days)).toContain('اینکه نتیجه از شماست (با نام کوچک و شمارهٔ پرونده) تا')
  expect(wordInEnglish('privacy', days)).toContain(
    'That a result is yours (with your first name and case number) stays until /forget',
  )
})

test('/privacy says that organizers see how a test was answered', () => {
  const days = { days: 30, accountDays: 180 }
  expect(word('privacy', days)).toContain('سرعت، وقفه‌ها، تغییرها')
  expect(wordInEnglish('privacy', days)).toContain('speed, pauses, changes')
})

story('/privacy links the organizer’s own policy', async ({ meet }) => {
  const sara = await meet({
    environment: {
      PRIVACY_URL: 'https://clinic.example/privacy',
      SECURITY_CONTACT: 'security@clinic.example',
      RETENTION_DAYS: '0.5',
    },
  })
  await sara.says('/privacy')
  expect(sara.heard).toContain('https://clinic.example/privacy')
  expect(sara.heard).toContain(word('privacy-security', { security: 'security@clinic.example' }))
  expect(sara.heard).toContain(word('privacy', { days: 1, accountDays: 180 }))
})

/**
 * Kinds that name no person: claims without content, epochs, the lookup from a token to its file, counted
 * SMS, cached questions, the tests in use, records opened and never begun, and the bot's own.
 */
const impersonal = [
  'a',
  'c',
  'e',
  'i',
  'n',
  'q',
  'y',
  'tests',
  'keyring',
  'budget',
  'accepted',
  '#life',
  '#ping',
]

/** What the store keeps: the kinds of its entries (the letter before the colon), and who has messages waiting. */
async function kept({ world }: Participant): Promise<{ entries: string[]; waiting: string[] }> {
  await world.stop()
  const db = new DatabaseSync(join(world.env.DATA_DIR ?? '', 'porsa.db'))
  const entries = db.prepare('SELECT key FROM entry').all() as { key: string }[]
  const waiting = db.prepare('SELECT actor FROM message').all() as { actor: string }[]
  db.close()
  const kind = (name: string) => name.split(':', 1)[0] ?? ''
  return {
    entries: [...new Set(entries.map(({ key }) => kind(key)))].toSorted(),
    waiting: waiting.map(({ actor }) => kind(actor)),
  }
}

for (const at of ['introduction', 'summary', 'code', 'question', 'review'] as const) {
  story(`/forget at "${at}" leaves nothing of the person in the store`, async ({ meet }) => {
    const sara = await meet({ at })
    await sara.says('/forget')
    const profiles = Number(at === 'summary' || at === 'code')
    const attempts = Number(at === 'question' || at === 'review')
    if (profiles) expect(sara.heard).toContain(word('forget-profiles', { count: 1 }))
    if (at === 'introduction') expect(sara.heard).toContain(word('forget-links', { count: 1 }))
    if (attempts) expect(sara.heard).toContain(word('forget-attempts', { count: 1 }))
    await sara.taps('forget:yes')
    expect(sara.heard).toBe(word('forgotten'))
    // The timer of the code and the watch over the question end soon.
    const { entries, waiting } = await kept(sara)
    expect(entries.filter((kind) => !impersonal.includes(kind))).toEqual(
      at === 'introduction' ? ['r', 'roll'] : [],
    )
    expect(waiting.filter((kind) => !['timer', 'screen'].includes(kind))).toEqual([])
    await sara.world.start()
    await sara.world.settled()
    expect(sara.heard).toBe(word('forgotten'))
  })
}

story('a command that a phone begins with a capital letter is understood', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  await sara.says('/Help')
  const { heard } = sara
  expect(heard).not.toContain(word('unknown-command'))
  await sara.says('/help')
  expect(sara.heard).toBe(heard)
})

for (const at of ['introduction', 'name', 'birth', 'gender', 'mobile', 'summary', 'code'] as const)
  story(`/cancel at the ${at} says how to go on`, async ({ meet }) => {
    const sara = await meet({ at })
    await sara.says('/cancel')
    expect(sara.screen).toContain('/tests')
  })

story('after a question to the organizer is cancelled the dialog still takes its field', async ({ meet }) => {
  const sara = await meet({ at: 'mobile', environment: { ORGANIZERS: '900' } })
  await sara.says('سؤالی دارم')
  await sara.says('/cancel')
  expect(sara.heard).toBe(word('left-aside'))
  await sara.says('09123456789')
  expect(sara.place).toBe('summary')
})
