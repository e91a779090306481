import { expect } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/domain/durations.ts'
import type { BoardStage } from '../../src/domain/record/standing.ts'
import { FIRST_HOUR } from '../world.ts'
import { type Office, onBothStores, story, word } from './office.ts'

const AWAKE = { QUIET_HOURS: '0-0' }
const stageButton = (stage: BoardStage) => new RegExp(`^stage:${stage}:1$`)
const buttonsOf = ({ person }: Office) => person.last.reply_markup?.inline_keyboard.flat() ?? []

/** Participants at several stages: one has only opened, one is at the name, one is stuck at a question. */
async function withPeople(office: Office) {
  const [opened, begun] = [office.addRecord(), office.addRecord()]
  const stuck = office.addRecordOfSomebody()
  const away = office.join(stuck)
  await away.walksTo('question')
  await away.answers(1)
  office.world.pass(DAY_MS + 1)
  await office.join(opened).opens()
  await office.join(begun).walksTo('name')
  return { opened, begun, stuck, away }
}

onBothStores(
  'the home counts the stages; a stage lists its participants; a button of the card reminds',
  async ({ work }) => {
    const office = await work({
      sandbox: { testsAuthRequired: false },
      environment: { ...AWAKE, REMINDER_HOURS: '' },
    })
    expect(office.heard).toContain(word('status-none'))
    const { stuck, away, opened } = await withPeople(office)
    await office.says('/start')
    expect(office.heard).toContain(word('status-title', { count: 3 }).split(':')[0])
    expect(office.data).toEqual(
      expect.arrayContaining(['stage:opened:1', 'stage:profile:1', 'stage:stuck:1', 'home']),
    )
    expect(office.data).not.toContain('stage:answering:1')
    expect(office.heard).not.toContain(word('home-recount'))

    await office.taps(stageButton('stuck'))
    expect(office.person.last.text).toContain(
      word('stage-title', { stage: word('board-stage.stuck'), count: 1 }),
    )
    expect(office.data).toContain(`card:r:${stuck}`)

    await office.taps(`card:r:${stuck}`)
    await office.taps(`nudge:r:${stuck}`)
    expect(office.heard).toContain(word('nudge-sent'))
    expect(away.screen).toContain(
      word('reminder-questions', { title: 'حال این دو هفته (نمونه)', answered: 1, total: 7 }),
    )
    await away.taps(/^open:/)
    expect(away.question.position).toBe(2)
    await office.forges(`nudge:r:${stuck}`)
    expect(office.heard).toContain(word('nudge-already', { time: '' }).slice(0, 20))

    await away.answers(2)
    await office.says('/start')
    expect(office.data).toContain('stage:answering:1')
    expect(office.data).not.toContain('stage:stuck:1')

    await office.taps(stageButton('opened'))
    expect(office.person.last.text).toContain(opened.slice(0, 8))
    const home = office.person.last.message_id
    await office.taps('home')
    expect(office.person.last.message_id).toBe(home)
    const before = office.screen
    // It can be pressed again at once: another participant may have come meanwhile.
    await office.join(office.addRecord()).opens()
    await office.taps('home')
    expect(office.screen).not.toBe(before)
    expect(office.screen).toContain(word('home-ways').split('\n')[0])
  },
)

story('a tap on an answer takes a participant off the list of the stuck at once', async ({ work }) => {
  const office = await work({ environment: { REMINDER_HOURS: '' } })
  const { away } = await withPeople(office)
  await away.taps(/^a:/)
  await office.says('/start')
  expect(office.data).toContain('stage:answering:1')
  expect(office.data).not.toContain('stage:stuck:1')
  office.world.passWith(DAY_MS + HOUR_MS)
  await office.world.settled()
  await office.says('/start')
  expect(office.data).toContain('stage:stuck:1')
})

story(
  'an open test of the organizer is shown at the home, and typed numbers are its answers',
  async ({ work }) => {
    const office = await work()
    const token = office.addRecordOfSomebody()
    await office.opens(`record_${token}`)
    await office.taps(/^begin:/)
    const question = office.person.lastWith('a:')?.text ?? ''
    await office.says('۱')
    expect(office.person.lastWith('a:')?.text).not.toBe(question)
    await office.says('/start')
    const own = buttonsOf(office).find(({ callback_data: data }) => data?.startsWith('open:'))
    expect(own?.text).toContain('حال این دو هفته')
    expect(office.heard).toContain(word('home-own', { count: 1 }))
    await office.taps(/^open:/)
    expect(office.person.lastWith('a:')?.text).toContain('۲')
  },
)

story(
  'a screen has ten people, the longest there first, and never more than twelve buttons',
  async ({ work }) => {
    const office = await work()
    const tokens: string[] = []
    for (let at = 0; at < 23; at += 1) {
      const token = office.addRecord()
      tokens.push(token)
      await office.join(token, `نفر ${at}`).opens()
    }
    await office.says('/start')
    await office.taps(stageButton('opened'))
    const cards = () => office.data.filter((data) => data.startsWith('card:'))
    expect(cards().sort()).toEqual(
      tokens
        .slice(0, 10)
        .map((token) => `card:r:${token}`)
        .sort(),
    )
    expect(office.data).toEqual(expect.arrayContaining(['home', 'stage:opened:2']))
    await office.taps('stage:opened:2')
    expect(cards().sort()).toEqual(
      tokens
        .slice(10, 20)
        .map((token) => `card:r:${token}`)
        .sort(),
    )
    expect(office.data).toHaveLength(12)
    await office.taps('stage:opened:3')
    expect(cards()).toHaveLength(3)
    for (const forged of ['stage:opened:0', 'stage:opened:99999']) {
      await office.forges(forged)
      expect(cards().length).toBeGreaterThan(0)
    }
    await office.forges('stage:nowhere:1')
    expect(office.person.toasts.at(-1)).toBe(word('button-old'))
    await office.forges('stage:code:1')
    expect(office.screen).toContain(word('stage-none', { stage: word('board-stage.code') }))
  },
)

story(
  'no reminder goes to participants who want none, have nothing to do, or have blocked the bot',
  async ({ work }) => {
    const office = await work({
      sandbox: { testsAuthRequired: false },
      environment: { REMINDER_HOURS: '1', ...AWAKE },
    })
    const unbegun = office.addRecord()
    const [quiet = '', done = '', closed = ''] = [1, 2, 3].map(() => office.addRecordOfSomebody())
    await office.join(unbegun).opens()
    await office.forges(`nudge:r:${unbegun}`)
    expect(office.heard).toBe(word('nudge-nobody'))
    const sara = office.join(quiet)
    await sara.walksTo('question')
    office.world.passWith(2 * HOUR_MS)
    await office.world.settled()
    await sara.taps('remind:off')
    const said = sara.person.messages.length
    await office.forges(`nudge:r:${quiet}`)
    expect(office.heard).toBe(word('nudge-off'))
    expect(sara.person.messages).toHaveLength(said)
    const ali = office.join(done, 'علی')
    await ali.walksTo('review')
    await ali.taps(/^submit:/)
    await office.forges(`nudge:r:${done}`)
    expect(office.heard).toBe(word('nudge-nothing'))
    const mina = office.join(closed, 'مینا')
    await mina.walksTo('question')
    await mina.acts(() => mina.person.block())
    await office.forges(`nudge:r:${closed}`)
    expect(office.heard).toBe(word('nudge-blocked'))
    await office.forges('nudge:r:0f8fad5b-d9cb-469f-a165-70867728950e')
    expect(office.heard).toBe(word('nudge-nobody'))
  },
)

story('a reminder pressed in quiet hours goes out when they end', async ({ work }) => {
  const quiet = `${FIRST_HOUR}-${FIRST_HOUR + 2}`
  const office = await work({ environment: { QUIET_HOURS: quiet, REMINDER_HOURS: '' } })
  const token = office.addRecordOfSomebody()
  const sara = office.join(token)
  await sara.walksTo('question')
  await office.forges(`nudge:r:${token}`)
  expect(office.heard).toContain(word('nudge-later', { time: '' }).slice(0, 20))
  const reminder = word('reminder-questions', { title: 'حال این دو هفته (نمونه)', answered: 0, total: 7 })
  expect(sara.chat).not.toContain(reminder)
  await office.forges(`nudge:r:${token}`)
  expect(office.heard).toContain(word('nudge-later', { time: '' }).slice(0, 20))
  office.world.passWith(2 * HOUR_MS)
  await office.world.settled()
  expect(sara.chat).toContain(reminder)
  // The twelve hours count from the time when it went out.
  office.world.passWith(10.9 * HOUR_MS)
  await office.world.settled()
  await office.forges(`nudge:r:${token}`)
  expect(office.heard).toContain(word('nudge-already', { time: '' }).slice(0, 20))
})

story('a text that no dialog waits for is searched everywhere at once', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const [token, other] = [office.addRecord(), office.addRecord()]
  await office.join(`${token}_4711`).walksTo('review')
  await office.join(other).walksTo('review')
  // Also with the direction marks of a copied text.
  for (const text of ['#۴۷۱۱', '# ٤٧١١', '\u2068#4711\u2069', token.toUpperCase(), `\u2068${token}\u2069`]) {
    await office.says(text)
    expect([text, office.data]).toEqual([text, expect.arrayContaining([`card:r:${token}`])])
    expect(office.heard).toContain(word('card-record'))
  }
  await office.says('mohammadreza')
  expect(office.heard).toContain(word('list-none'))
  for (const text of ['زهرا', 'زهرا  محمدي', '\u200e\u2068زهرا محمدی\u2069', '/records ﺯﻫﺮﺍ محمدی']) {
    await office.says(text)
    expect(office.heard).toContain(word('list-records-title'))
    expect([text, office.data]).toEqual([
      text,
      expect.arrayContaining([`card:r:${token}`, `card:r:${other}`]),
    ])
  }
  await office.says('<b>هیچ‌کس\u202e')
  expect(office.heard).toContain('<b>هیچ‌کس')
  expect(office.heard).toContain(word('list-none'))
  await office.says('0f8fad5b-d9cb-469f-a165-70867728950e')
  expect(office.heard).toContain(word('list-none'))
  office.world.sandbox.fault({ kind: 'status', status: 500, path: '/roadmap/', times: 20 })
  await office.says('زهرا')
  expect(office.heard).toContain(word('organizer-down'))
})

story('for a misspelt command the nearest command that this chat may use is suggested', async ({ work }) => {
  const office = await work()
  const near = (command: string) => word('command-near', { command })
  for (const [given, meant] of [
    ['/recods', '/records'],
    ['/Statsu', '/status'],
    ['/tets', '/tests'],
  ] as const) {
    await office.says(given)
    expect([given, office.heard]).toEqual([given, expect.stringContaining(near(meant))])
  }
  const stranger = office.stranger()
  await stranger.says('/recods')
  expect(stranger.heard).toBe(word('unknown-command'))
  await stranger.says('/prvacy')
  expect(stranger.heard).toContain(near('/privacy'))
  await stranger.says('/id')
  expect(stranger.heard).toContain(String(stranger.person.id))
})
