import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { another, type Participant, story, word, ZAHRA } from '../dialogs/walk.ts'
import { queuesOf } from '../kept-entries.ts'
import { until } from '../until.ts'
import { isPdf } from '../words.ts'
import { type Office, ORGANIZED, organizerOf, shortIdOf } from './office.ts'

const TITLE = 'حال این دو هفته (نمونه)'

/** The organizer presses «same person» while this fault hits the organizer's chat. */
async function releasedUnder(
  sara: Participant,
  fault: object,
): Promise<{ manager: Office; end: () => void }> {
  const manager = await organizerOf(sara)
  const { id } = manager.person
  const held = sara.world.emulator.fault({
    ...fault,
    method: 'sendMessage',
    when: ({ chat_id }: Record<string, unknown>) => Number(chat_id) === id,
  } as Parameters<typeof sara.world.emulator.fault>[0])
  manager.person.rawTap(manager.person.last, `release:${shortIdOf(sara)}:same`)
  await until(() => held.hits > 0)
  return { manager, end: () => held.end() }
}

const faults = [
  ['is held back for 4 s', { kind: 'flood', retryAfter: 4, times: 1 }],
  ['answers 500', { kind: 'error', status: 500, times: 3 }],
  ['is slow', { kind: 'delay', ms: 1_200, times: 1 }],
] as const

for (const [how, fault] of faults)
  story(`a release keeps every answer where the organizer's chat ${how}`, async ({ meet }) => {
    const sara = await meet({ at: 'question', environment: ORGANIZED })
    await sara.answers(1, 2, 3)
    const tap = sara.question.data[0] ?? ''
    const shown = sara.person.last
    const { manager, end } = await releasedUnder(sara, fault)
    sara.person.rawTap(shown, tap)
    await until(() => sara.heard.includes(word('released-told', { title: TITLE })))
    end()
    await until(() => manager.chat.includes(word('release-same-done', { title: TITLE })))
    await manager.world.settled()
    expect(sara.chat).not.toContain(word('attempt-expired'))
    const anew = another(sara)
    await anew.opens(manager.invitation)
    await anew.says(ZAHRA.mobile)
    expect(anew.chat).not.toContain(word('attempt-expired'))
    expect(anew.question.position).toBeGreaterThanOrEqual(4)
  })

story('a tap that comes with a release is kept, or its chat is told of the release', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  await sara.answers(1, 2)
  const s = shortIdOf(sara)
  const manager = await organizerOf(sara)
  const tap = sara.question.data[0] ?? ''
  manager.person.rawTap(manager.person.last, `release:${s}:same`)
  for (let count = 0; count < 20; count += 1) {
    sara.person.rawTap(sara.person.last, tap)
    await delay(5)
  }
  await sara.world.settled()
  await manager.world.settled()
  const accepted = sara.chat.includes('۴ از ۷') ? 4 : 3
  const anew = another(sara)
  await anew.opens(manager.invitation)
  await anew.says(ZAHRA.mobile)
  expect(anew.question.position).toBeGreaterThanOrEqual(accepted)
  expect(sara.chat).not.toContain(word('attempt-expired'))
  expect(sara.person.transcript()).not.toContain(word('invitation-closed'))
  expect(sara.heard).toBe(word('released-told', { title: TITLE }))
})

story(
  'answers that arrived during their release belong to the account that takes them over',
  async ({ meet }) => {
    const sara = await meet({ at: 'review', environment: ORGANIZED })
    const { sandbox, emulator } = sara.world
    const manager = await organizerOf(sara)
    const s = shortIdOf(sara)
    sandbox.fault({ kind: 'slow', ms: 400, path: 'record/[^/]+/$' })
    sara.person.rawTap(sara.person.last, `submit:${s}`)
    await until(() => sandbox.calls.some(({ method, path }) => method === 'POST' && /[0-9a-f]\/$/.test(path)))
    // Until the release is committed this chat is busy with something else.
    const isSaras = ({ chat_id }: Record<string, unknown>) => Number(chat_id) === sara.person.id
    const held = emulator.fault({ kind: 'delay', ms: 1_500, times: 1, method: 'sendMessage', when: isSaras })
    sara.person.say('/help')
    await until(() => held.hits > 0 && sandbox.submissions(sara.token).some(({ accepted }) => accepted))
    await manager.forges(`release:${s}:same`)
    await sara.world.settled()
    const anew = another(sara)
    await anew.opens(manager.invitation)
    await anew.says(ZAHRA.mobile)
    await anew.world.settled()
    expect(anew.chat).toContain(word('submit-sent', { total: 7 }))
    expect(anew.person.messages.filter(({ document }) => document && !isPdf(document))).toHaveLength(1)
  },
)

story(
  'the mobile alone opens nothing: neither the link nor an older invitation leads on',
  async ({ meet }) => {
    const sara = await meet({ at: 'question', environment: ORGANIZED })
    await sara.answers(1, 2)
    const s = shortIdOf(sara)
    const manager = await organizerOf(sara)
    await manager.forges(`release:${s}:same`)
    const first = manager.invitation
    const relative = another(sara)
    await relative.opens()
    expect(relative.heard).toBe(word('invitation-used'))
    await relative.says(ZAHRA.mobile)
    expect(relative.heard).not.toContain(word('takeover-done'))
    await relative.opens(first)
    expect(relative.heard).toBe(word('takeover-ask', { tries: 3 }))

    await manager.forges(`release:${s}:same`)
    expect(manager.invitation).not.toBe(first)
    await relative.says(ZAHRA.mobile)
    // Nobody has used the first invitation: the newer one replaces it.
    expect(relative.heard).toContain(word('invitation-revoked'))
    await relative.opens(first)
    expect(relative.heard).toBe(word('invitation-revoked'))
    const anew = another(sara)
    await anew.opens(manager.invitation)
    await anew.says(ZAHRA.mobile)
    expect(anew.question.position).toBe(3)
  },
)

story(
  'before there is a profile the same person begins again, by the new invitation only',
  async ({ meet }) => {
    const sara = await meet({ at: 'introduction', environment: ORGANIZED })
    const s = shortIdOf(sara)
    await sara.walksTo('mobile')
    const manager = await organizerOf(sara)
    await manager.forges(`release:${s}:same`)
    expect(manager.heard).toContain(word('release-again-done', { title: TITLE }))
    const reza = another(sara)
    await reza.opens()
    expect(reza.heard).toBe(word('invitation-used'))
    await reza.opens(manager.invitation)
    expect(reza.place).toBe('introduction')
    await reza.walksTo('question')
  },
)

story('a yes to /forget that comes after a release shows again what would be deleted', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  await sara.answers(1, 2)
  const s = shortIdOf(sara)
  const manager = await organizerOf(sara)
  await sara.says('/forget')
  const question = sara.person.last
  await manager.forges(`release:${s}:same`)
  expect(sara.screen).toBe(word('released-told', { title: TITLE }))
  await sara.forges('forget:yes', question)
  expect(sara.screen).not.toContain(word('forget-attempts', { count: 1 }))
  await sara.taps('forget:yes')
  expect(sara.heard).toBe(word('forgotten'))
})

story('a release during a /start is announced once', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  const manager = await organizerOf(sara)
  const told = word('released-told', { title: TITLE })
  const held = sara.world.emulator.fault({
    kind: 'delay',
    ms: 1_500,
    times: 1,
    method: 'sendMessage',
    when: ({ chat_id }) => Number(chat_id) === sara.person.id,
  })
  sara.person.say('/help')
  await until(() => held.hits > 0)
  sara.person.start('')
  manager.person.rawTap(manager.person.last, `release:${shortIdOf(sara)}:same`)
  await until(() => manager.chat.includes(word('release-same-done', { title: TITLE })))
  await until(() => sara.chat.includes(told))
  await manager.world.settled()
  expect(sara.chat.split(told)).toHaveLength(2)
})

story('after a release no watch over the test waits for an account that is forgotten', async ({ meet }) => {
  const sara = await meet({ environment: ORGANIZED, record: { status: 0 } })
  await sara.opens()
  sara.world.sandbox.update(sara.token, { status: 2 })
  await sara.taps(/^refresh:/)
  await sara.walksTo('question')
  const manager = await organizerOf(sara)
  await manager.forges(`release:${shortIdOf(sara)}:same`)
  expect(sara.screen).toBe(word('released-told', { title: TITLE }))
  await sara.forgets()
  await sara.world.stop()
  expect(queuesOf(sara.world).filter((name) => name.startsWith('opening'))).toEqual([])
})
