import { expect, vi } from 'vitest'
import { type ChatEvent, type ChatMessage, chatActor } from '../../src/queue/chat-message.ts'
import { accountKey } from '../../src/storage/documents/kinds.ts'
import { sealBody } from '../../src/storage/documents.ts'
import { buttons, organizerButtons } from '../../src/views/buttons.ts'
import type { Account } from '../account.ts'
import { withStorage } from '../kept-entries.ts'
import { shortIdOf, story, word } from './office.ts'

const T = '0f8fad5b-d9cb-469f-a165-70867728950e'

/** The ids for forged buttons: an organizer's open list, an invitation, a record that was begun. */
type Known = { listing: string; code: string; s: string }
type Verb = keyof typeof organizerButtons | 'extid'

/** Samples for each button of organizers; a new button does not compile without one. */
const samples: Record<Verb, (known: Known) => readonly string[]> = {
  list: ({ listing }) => [`list:${listing}:1`],
  relist: ({ listing }) => [`relist:${listing}`],
  filters: ({ listing }) => [`filters:${listing}`, `filters:${listing}:1`],
  filter: ({ listing }) => [`filter:${listing}:finished:true`, `filter:${listing}:male:any`],
  filterKind: ({ listing }) => [`filter:${listing}:kind:0`],
  filterGroup: ({ listing, s }) => [`filter:${listing}:group:any`, `filter:${listing}:group:${s}`],
  groups: () => ['groups:1'],
  group: ({ s }) => [`group:${s}:1`],
  groupName: ({ s }) => [`group:${s}:name`],
  groupNudge: ({ s }) => [`nudgeall:${s}`, `nudgeall:${s}:yes`],
  groupResults: ({ s }) => [`results:${s}:all`],
  card: () => [`card:r:${T}`, `card:m:${T}:2`],
  invite: () => [`invite:r:${T}`, `invite:m:${T}:1`],
  made: ({ code }) => [`made:${code}`],
  qr: ({ code }) => [`qr:${code}`],
  expire: ({ code }) => [`expire:${code}:0`, `expire:${code}:1`],
  to: ({ code }) => [`to:${code}:organizer`],
  revoke: ({ code }) => [`revoke:${code}`],
  release: ({ s }) => [`release:${s}`, `release:${s}:same`, `release:${s}:other`],
  send: ({ s }) => [`send:${s}`],
  home: () => ['home', 'home:more'],
  stage: () => ['stage:stuck:1', 'stage:opened:99999'],
  nudge: () => [`nudge:r:${T}`, `nudge:m:${T}`],
  sendTarget: () => [`send:r:${T}`],
  notice: () => ['notice:finished:off'],
  drop: () => ['drop:0'],
  export: () => ['export'],
  asked: ({ s }) => [`asked:${s}`],
  questions: () => ['questions'],
  results: () => ['results'],
  resultsOf: () => ['results:0'],
  audit: () => ['audit'],
  extid: ({ s }) => [`extid:${s}:drop`, `extid:${s}:new`],
}

/** The commands of organizers, with arguments; those of the menu have to be among them. */
const commands = [
  '/records',
  '/records #4711',
  '/roadmaps x',
  `/invite ${T}`,
  '/invite',
  '/status',
  '/notices',
]

/** Tries all commands and buttons of organizers: each is unknown, and nothing changes. */
async function triesAll(account: Account, known: Known, calls: () => number) {
  const before = calls()
  for (const command of commands) {
    await account.says(command)
    expect([command, account.heard]).toEqual([command, expect.stringContaining(word('unknown-command'))])
  }
  for (const each of Object.values(samples).flatMap((sample) => sample(known))) {
    await account.forges(each)
    expect([each, account.person.toasts.at(-1)]).toEqual([each, word('button-old')])
  }
  await account.acts(() => {
    account.person.sendDocument({ fileName: 'a.csv', bytes: Buffer.from(T), caption: '/invite' })
  })
  expect(account.heard).not.toContain('start=i_')
  expect(calls()).toBe(before)
}

story('no other account learns anything by a command or button of organizers', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false }, introducesItself: true })
  const [token, free] = [office.addRecord(), office.addRecord()]
  const menuOf = (id: number) => office.world.emulator.chat(id)?.commands.map(({ command }) => command) ?? []
  await office.says('/records')
  const listing = office.data.find((data) => data.startsWith('relist:'))?.slice('relist:'.length) ?? ''
  const sara = office.join(token)
  await sara.opens(await office.invites(token))
  await sara.walksTo('question')
  const code = (await office.invites(free)).slice(2)
  const known = { listing, code, s: shortIdOf(sara) }
  for (const [verb, { pattern }] of Object.entries({ ...organizerButtons, extid: buttons.extid }))
    for (const data of samples[verb as Verb](known)) expect(data).toMatch(pattern)
  const calls = () => office.asked.length
  const stranger = office.stranger()
  await stranger.opens('')
  const own = menuOf(office.person.id).filter((command) => !menuOf(stranger.person.id).includes(command))
  expect(new Set(commands.map((command) => command.split(' ')[0]))).toEqual(
    new Set(own.map((command) => `/${command}`)),
  )
  await triesAll(stranger, known, calls)
  await triesAll(sara, known, calls)
  await office.world.restarts({ ORGANIZERS: '' })
  await triesAll(office, known, calls)
  await sara.answers(1)
  expect(sara.question.position).toBe(2)
  await stranger.opens(`i_${code}`)
  expect(stranger.place).toBe('introduction')
})

story('an organizer who is removed meanwhile gets nothing of what they had asked for', async ({ work }) => {
  const office = await work()
  const tokens = [office.addRecord(), office.addRecord()]
  const { sandbox, restarts } = office.world
  const slow = sandbox.fault({ kind: 'slow', ms: 60_000, executed: true, times: 100 })
  office.person.say('/records')
  office.person.say(`/invite ${tokens.join('\n')}`)
  await vi.waitFor(() => expect(office.asked.length).toBeGreaterThan(1), { timeout: 20_000 })
  await Promise.all([restarts({ ORGANIZERS: '' }), slow.end()])
  await office.world.settled()
  expect(office.buttons.filter((data) => /^(?:re)?list:/.test(data))).toEqual([])
  expect(office.file('.csv')).toBe('')
})

story.for([
  ['an organizer who is at the desk now', '4001:desk'],
  ['a former organizer', ''],
] as const)(
  '%s gets no result, table or release that they asked for before',
  async ([, organizers], { work }) => {
    const office = await work({ sandbox: { testsAuthRequired: false } })
    const { sandbox, passWith, settled } = office.world
    const elsewhere = sandbox.addRecord({ testId: 'mood-7', status: 1 })
    const sara = office.join(office.addRecord())
    await sara.walksTo('question')
    const { id } = office.person
    const events: ChatEvent[] = [
      { kind: 'release', for: 'same' },
      { kind: 'release-done', word: 'release-same-done', title: 'حال' },
    ]
    const slow = sandbox.fault({ kind: 'slow', ms: 60_000, executed: true, times: 100 })
    const before = office.asked.length
    for (const pressed of ['results', `send:r:${elsewhere}`])
      office.person.rawTap(office.person.last, pressed)
    await vi.waitFor(() => expect(office.asked.length).toBeGreaterThan(before + 1), { timeout: 20_000 })
    const restarts = withStorage(
      office,
      async ({ store, vault }) => {
        const actor = chatActor(accountKey(vault, id))
        for (const event of events) {
          const message: ChatMessage = { type: 'event', chatId: id, s: shortIdOf(sara), event }
          await store.post({ actor, id: event.kind, body: sealBody(vault, actor, message) })
        }
      },
      { ORGANIZERS: organizers },
    )
    await Promise.all([restarts, slow.end()])
    // Jobs that an earlier process had begun are taken up after a second.
    passWith(60_000)
    await settled()
    expect([office.file('.html'), office.file('.csv')]).toEqual(['', ''])
    expect(office.chat).not.toContain(word('send-coming'))
    expect(office.chat.includes(word('release-same-done', { title: 'حال' }))).toBe(organizers !== '')
    expect(sara.chat).not.toContain(word('released-told', { title: 'حال این دو هفته (نمونه)' }))
    await sara.answers(1)
    expect(sara.question.position).toBe(2)
  },
)

story(
  'organizers have their commands in the menu and in /help, and lose them when they are removed',
  async ({ work }) => {
    const office = await work()
    const { emulator, restarts } = office.world
    const { id } = office.person
    const menuOf = () => emulator.chat(id)?.commands.map(({ command }) => command)
    await office.says('/help')
    expect(office.heard).toContain(word('help-organizer'))
    expect(menuOf()).toEqual(
      expect.arrayContaining(['records', 'roadmaps', 'invite', 'status', 'notices', 'start']),
    )
    const stranger = office.stranger()
    await stranger.opens('')
    await stranger.says('/help')
    expect(stranger.heard).not.toContain(word('help-organizer'))
    expect(emulator.chat(stranger.person.id)?.commands.map(({ command }) => command)).not.toContain('records')
    await restarts({ ORGANIZERS: '' })
    await office.says('/status')
    expect(office.heard).toContain(word('unknown-command'))
    expect(menuOf()).not.toContain('records')
    expect(menuOf()).toContain('start')
  },
)

story('the desk can invite and follow, but gets no result, release, export or audit', async ({ work }) => {
  const office = await work({
    environment: { ORGANIZERS: '4001:desk', RESULT_TO: 'both' },
    sandbox: { testsAuthRequired: false },
  })
  const token = office.addRecord()
  const sara = office.join(token)
  const code = await office.invites(token)
  // No organizer here may get results.
  expect(office.data.filter((data) => data.startsWith('to:'))).toEqual([`to:${code.slice(2)}:participant`])
  await sara.opens(code)
  await sara.walksTo('review')
  const s = shortIdOf(sara)
  await sara.taps(/^submit:/)
  await office.says('/status')
  const own = () => office.buttons.filter((data) => /^(release|send|export|results|audit)\b/.test(data))
  await office.forges(`card:r:${token}`)
  expect(own()).toEqual([])
  for (const data of [
    `release:${s}`,
    `release:${s}:same`,
    `send:${s}`,
    `send:r:${token}`,
    'export',
    'results',
    `results:${s}:all`,
    'audit',
  ]) {
    await office.forges(data)
    expect([data, office.person.toasts.at(-1)]).toEqual([data, word('button-old')])
  }
  expect(sara.files).toHaveLength(2)
  expect(office.file('.html')).toBe('')
  await office.world.restarts({ ORGANIZERS: '4001' })
  await office.forges(`card:r:${token}`)
  expect(own()).toContain(`send:${s}`)
})
