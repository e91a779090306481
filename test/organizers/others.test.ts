import { expect, vi } from 'vitest'
import type { Account } from '../account.ts'
import { story, word } from './office.ts'

const T = 'r:0f8fad5b-d9cb-469f-a165-70867728950e'
const commands = [
  '/records',
  '/records #4711',
  '/roadmaps x',
  `/invite ${T.slice(2)}`,
  '/invite',
  '/status',
  '/notices',
]
const dataOf = (listing: string, code: string, s: string) => [
  `list:${listing}:1`,
  `relist:${listing}`,
  `filter:${listing}:finished:true`,
  `filter:${listing}:male:any`,
  `filter:${listing}:kind:0`,
  `card:${T}`,
  `invite:${T}`,
  `invite:m:${T.slice(2)}:1`,
  `qr:${code}`,
  `expire:${code}:0`,
  `to:${code}:both`,
  `revoke:${code}`,
  `release:${s}`,
  `release:${s}:same`,
  `release:${s}:other`,
  `send:${s}`,
  'notice:finished:off',
  'drop:0',
  'export',
  'audit',
]

/** Tries everything of an organizer's; hears what anybody hears, and changes nothing. */
async function triesAll(account: Account, data: readonly string[], calls: () => number) {
  const before = calls()
  for (const command of commands) {
    await account.says(command)
    expect([command, account.heard]).toEqual([command, expect.stringContaining(word('unknown-command'))])
  }
  for (const each of data) {
    await account.forges(each)
    expect([each, account.person.toasts.at(-1)]).toEqual([each, word('button-old')])
  }
  await account.acts(() => {
    account.person.sendDocument({ fileName: 'a.csv', bytes: Buffer.from(T.slice(2)), caption: '/invite' })
  })
  expect(account.heard).not.toContain('start=i_')
  expect(calls()).toBe(before)
}

story('nobody else learns anything by any command or button of an organizer', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const token = office.addRecord()
  await office.says('/records')
  const listing = office.data.find((data) => data.startsWith('relist:'))?.slice('relist:'.length) ?? ''
  const code = (await office.invites(token)).slice(2)
  const sara = office.join(token)
  await sara.opens(`i_${code}`)
  await sara.walksTo('question')
  const s = sara.data.find((data) => data.startsWith('a:'))?.split(':')[1] ?? ''
  const calls = () => office.asked.length
  const data = dataOf(listing, code, s)
  const stranger = office.stranger()
  await stranger.opens('')
  await triesAll(stranger, data, calls)
  await triesAll(sara, data, calls)
  await office.world.restarts({ ORGANIZERS: '' })
  await triesAll(office, data, calls)
  await sara.answers(1)
})

story(
  'an organizer who is removed in the middle hears nothing of what they had asked for',
  async ({ work }) => {
    const office = await work()
    office.addRecord()
    const { sandbox, restarts } = office.world
    sandbox.fault({ kind: 'slow', ms: 1_500, executed: true, times: 1 } as never)
    office.person.say('/records')
    await vi.waitFor(() => expect(office.asked).not.toEqual([]), { timeout: 20_000 })
    await restarts({ ORGANIZERS: '' })
    await office.world.settled()
    expect(office.buttons.filter((data) => /^(?:re)?list:/.test(data))).toEqual([])
  },
)

story(
  'organizers have their commands in the menu and in /help, as long as they are organizers',
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
