import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createSandbox, type TestDefinition } from '../../tools/sandbox/sandbox.ts'
import { createAccount } from '../account.ts'
import { shortTest } from '../dialogs/short-tests.ts'
import { type Office, onBothStores, shortIdOf, story, word } from './office.ts'

const instant = { testsAuthRequired: false }
const TITLE = 'حال این دو هفته (نمونه)'

/** Another organizer of the same world, and the setting for both. */
const COLLEAGUE_ID = 4_002
const BOTH = { ORGANIZERS: `4001,${COLLEAGUE_ID}` }
async function colleagueOf({ world }: Office) {
  const colleague = createAccount(world, world.emulator.person({ id: COLLEAGUE_ID, firstName: 'همکار' }), '')
  await colleague.opens('')
  return colleague
}

onBothStores('two organizers who press the same button at once both succeed', async ({ work }) => {
  const office = await work({ sandbox: instant, environment: BOTH })
  const colleague = await colleagueOf(office)
  const token = office.addRecord()
  const together = (data: string, other = data) =>
    office.acts(() => {
      office.person.rawTap(office.person.last, data)
      colleague.person.rawTap(colleague.person.last, other)
    })
  await together(`invite:r:${token}`)
  const code = office.invitation.slice(2)
  const others = /start=i_(\w{12})/.exec(colleague.screen)?.[1] ?? ''
  expect(new Set([code, others, '']).size).toBe(3)
  await together(`to:${code}:both`, `revoke:${code}`)
  await together(`expire:${code}:7`, `revoke:${code}`)
  expect(office.screen).toContain(word('invitation-over-already'))
  const sara = office.join(token)
  await sara.opens(`i_${code}`)
  expect(sara.heard).toBe(word('invitation-revoked'))
  await sara.opens(`i_${others}`)
  await sara.walksTo('question')
  await sara.answers(1)
  const s = shortIdOf(sara)
  const before = sara.fromBot().length
  await together(`release:${s}:same`)
  for (const { heard } of [office, colleague])
    expect(heard).toContain(word('release-same-done', { title: TITLE }))
  expect(sara.fromBot().length).toBeLessThanOrEqual(before + 1)
  await together(`invite:r:${token}`, 'audit')
  const anew = office.join(token)
  await anew.opens(office.invitation)
  expect(anew.heard).toBe(word('takeover-ask', { tries: 3 }))
})

/** A service that has a record with a profile of this name. */
function knownAs(name: string, tests: readonly TestDefinition[]) {
  const sandbox = createSandbox({ tests })
  const token = sandbox.addRecord({ testId: 'short', authRequired: false })
  const snapshot = sandbox.snapshot()
  const profile = {
    token: '7a6d9f0e-1c2b-4d3e-8f4a-5b6c7d8e9f01',
    owner: 'main',
    externalId: null,
    caseNumber: 'C-1',
    mobile: '09123456789',
    name,
    birth: '1990-01-01',
    isMale: false,
  }
  snapshot.profiles[profile.token] = profile
  for (const record of Object.values(snapshot.records)) record.profile = profile.token
  return { token, snapshot }
}

story('a title and a name with HTML are shown as they are everywhere, and do no harm', async ({ work }) => {
  const title = '=<b>حال</b> & "خواب"</i>'
  const name = '<i>زهرا</i> & <a href="https://x">«محمدی»'
  const tests = [shortTest({ title })]
  const { token, snapshot } = knownAs(name, tests)
  const office = await work({ sandbox: { ...instant, tests, snapshot } })
  const payload = await office.invites(token)
  expect(office.screen).toContain(title)
  await office.taps(/^qr:/)
  expect(office.person.last.caption).toContain(title)
  const sara = office.join(token)
  await sara.opens(payload)
  await sara.walksTo('question')
  await office.says('/records')
  expect(office.screen).toContain(title)
  expect(office.screen).toContain(name)
  await office.says(`/records ${token}`)
  expect(office.screen).toContain(title)
  expect(office.screen).toContain(name)
  await sara.answers(0, 1, 2)
  await sara.taps(/^submit:/)
  expect(office.chat).toContain(word('notice-finished', { title, validity: '' }).split('\n')[0])
  await office.says('/status')
  expect(office.data).toContain('drop:0')
  await office.taps('drop:0')
  expect(office.person.last.caption).toContain(title)
  await office.says('/status')
  await office.taps('export')
  // Nor does a spreadsheet take it as a formula.
  expect(office.file('.csv')).toContain(`"'${title.replaceAll('"', '""')}"`)
  const two = [office.addRecord('short'), office.addRecord('short')]
  await office.says(`/invite ${two.join('\n')}`)
  expect(office.file('.html')).toContain('=&lt;b&gt;حال&lt;/b&gt; &amp; ')
  expect(office.file('.html')).not.toContain('<b>حال')
})

story('while the service is down or refuses the key nothing is done by halves', async ({ work }) => {
  const office = await work()
  const token = office.addRecord()
  await office.says(`/records ${'آ'.repeat(4_096 - '/records '.length)}`)
  expect(office.heard).toBe(word('search-too-long', { letters: 200 }))
  const asks = ['/records', '/roadmaps x', `/records ${token}`, `/invite ${token}`]
  for (const [status, said] of [
    [503, 'organizer-down'],
    [401, 'organizer-key'],
    [403, 'organizer-key'],
  ] as const) {
    const fault = office.world.sandbox.fault({ kind: 'status', status, times: 1_000 })
    for (const ask of asks) {
      await office.says(ask)
      expect([status, ask, office.heard]).toEqual([status, ask, expect.stringContaining(word(said))])
    }
    fault.end()
    // Until the breaker lets calls through again.
    office.world.passWith(60_000)
    await office.world.settled()
  }
  await office.says(`/records ${token}`)
  expect(office.heard).toContain(word('card-free'))
  expect(office.heard).not.toContain(word('card-invitations'))
})

story('a used or expired invitation cannot be changed; an unknown code does nothing', async ({ work }) => {
  const office = await work({ sandbox: instant })
  const [token, other] = [office.addRecord(), office.addRecord()]
  const code = (await office.invites(token)).slice(2)
  const sara = office.join(token)
  await sara.opens(`i_${code}`)
  await sara.taps(/^begin:/)
  for (const data of [`qr:${code}`, `expire:${code}:7`]) {
    await office.forges(data)
    expect([data, office.heard]).toEqual([data, word('invitation-over-already')])
  }
  await office.forges(`to:${code}:both`)
  expect(office.heard).toBe(word('invitation-to-begun'))
  await office.forges(`revoke:${code}`)
  expect(office.screen).toContain(word('invitation-used-up'))
  expect(sara.place).toBe('name')
  const late = (await office.invites(other)).slice(2)
  await office.taps(/^expire:.*:7$/)
  office.world.pass(8 * 86_400_000)
  await office.says(`/records ${other}`)
  expect(office.heard).toContain(word('invitation-state-expired'))
  await office.forges(`expire:${late}:7`)
  expect(office.screen).not.toContain(word('invitation-state-expired'))
  for (const verb of ['qr', 'revoke']) {
    await office.forges(`${verb}:abcdefgh2345`)
    expect(office.person.toasts.at(-1)).toBe(word('button-old'))
    expect(office.heard).toContain(word('home-ways').split('\n')[0])
    expect(office.heard).not.toContain(word('invitation-closed'))
  }
  // A token of the wrong kind leads to the card of its real kind.
  await office.forges(`card:m:${other}`)
  expect(office.data).toContain(`card:r:${other}`)
  await office.forges(`invite:m:${other}`)
  expect(office.heard).toContain(word('invite-is-record'))
})

/** Cuts a text as Telegram does when it is longer than a message. */
function cut(text: string): string[] {
  const parts: string[] = []
  for (let rest = text; rest !== ''; ) {
    const end = rest.length > 4_096 ? rest.lastIndexOf('\n', 4_096) : rest.length
    parts.push(rest.slice(0, end))
    rest = rest.slice(end + 1)
  }
  return parts
}

story('ten thousand lines, typed or in a file, are refused with one message', async ({ work }) => {
  const office = await work({ sandbox: instant })
  const all = Array.from({ length: 10_000 }, () => randomUUID()).join('\n')
  const tooMany = word('invite-too-many', { lines: 1_000 })
  const calls = office.asked.length
  for (const first of ['/invite', undefined]) {
    const parts = cut(first === undefined ? `/invite ${all}` : all)
    if (first) await office.says(first)
    await office.acts(() => parts.map((part) => office.person.say(part)))
    office.world.passWith(10_000)
    await office.world.settled()
    const said = office.heard.split('\n\n').filter((each) => each.includes(tooMany))
    expect([parts.length > 90, said]).toEqual([true, [tooMany]])
    await office.says('/cancel')
  }
  const file = { fileName: 'a.csv', bytes: Buffer.from(all), caption: '/invite' }
  await office.acts(() => office.person.sendDocument(file))
  expect(office.heard).toBe(tooMany)
  expect(office.asked.length).toBe(calls)
  expect(office.file('.csv')).toBe('')
})

story('a list keeps its page while the service fails, and goes on afterwards', async ({ work }) => {
  const office = await work({ sandbox: instant })
  const tokens = Array.from({ length: 35 }, () => office.addRecord())
  await office.says('/records')
  for (const _ of [2, 3]) await office.taps(word('button-list-next'))
  const [shown, message] = [office.screen, office.person.last]
  const list = () => office.person.messages.find(({ message_id: id }) => id === message.message_id)?.text
  const page = office.world.sandbox.fault({ kind: 'status', status: 503, path: '/record/', times: 1_000 })
  await office.taps(word('button-list-next'))
  expect(office.heard).toBe(word('organizer-down'))
  expect(list()).toBe(shown)
  page.end()
  office.world.passWith(60_000)
  await office.world.settled()
  await office.taps(word('button-list-next'), message)
  expect(list()).toContain(word('list-count', { count: 35, from: 25, to: 32 }))
  // A page that does not exist any more is not reported as an unknown token.
  office.world.sandbox.fault({ kind: 'status', status: 404, path: '/record/' })
  await office.taps(word('button-list-again'))
  expect(office.heard).toBe(word('list-gone', { command: '/records, /roadmaps' }))
  // Nothing is shown as empty that was not read.
  await office.taps(word('button-list-next'), message)
  expect(list()).toContain(word('list-count', { count: 35, from: 1, to: 8 }))
  // The records of a group are read one by one.
  await office.says(`/invite # کلاس\n${tokens.slice(0, 6).join('\n')}`)
  await office.forges(office.buttons.findLast((data) => data.startsWith('filters:')) ?? '')
  await office.taps(/^filters:[^:]+:1$/)
  const one = office.world.sandbox.fault({ kind: 'status', status: 503, path: tokens[3] ?? '', times: 1_000 })
  await office.taps(/^filter:[^:]+:group:/)
  expect(office.heard).toBe(word('organizer-down'))
  one.end()
  office.world.passWith(60_000)
  await office.world.settled()
  await office.forges(office.buttons.findLast((data) => data.startsWith('relist:')) ?? '')
  expect(office.data.filter((data) => data.startsWith('card:')).sort()).toEqual(
    tokens
      .slice(0, 6)
      .map((token) => `card:r:${token}`)
      .sort(),
  )
})

story('an organizer’s open list is not another’s, and outdated buttons say so', async ({ work }) => {
  const office = await work({ sandbox: instant, environment: BOTH })
  const colleague = await colleagueOf(office)
  const token = office.addRecord()
  const sara = office.join(token)
  await sara.opens()
  await sara.walksTo('review')
  const s = shortIdOf(sara)
  await sara.taps(/^submit:/)
  await office.says('/status')
  await office.says('/records')
  const [, listing] = office.data.find((data) => data.startsWith('relist:'))?.split(':') ?? []
  const gone = word('list-gone', { command: '/records, /roadmaps' })
  for (const data of ['list:L:1', 'relist:L', 'filters:L', 'filter:L:finished:true', 'filter:L:group:any']) {
    await colleague.forges(data.replace('L', listing ?? ''))
    expect([data, colleague.heard]).toEqual([data, gone])
  }
  for (const data of ['drop:7', 'results:7']) {
    await colleague.forges(data)
    expect([data, colleague.heard]).toEqual([data, word('drop-gone', { command: '/status' })])
  }
  // Both press the same: one release happens, and the other organizer is told that there is none.
  await sara.forgets()
  await office.forges(`card:r:${token}`)
  await colleague.forges(`release:${s}:other`)
  expect(colleague.heard).toBe(word('release-nobody'))
})

story('direction marks in a name, a question or an answer reverse no other text', async ({ work }) => {
  const marks = /[\u202a-\u202e\u2066\u2067\u2069]/
  // An isolate around a value here ends where it began.
  const bare = (text: string) => text.replace(/\u2068([^\u2068\u2069]*)\u2069/g, '$1')
  const tests = [shortTest({ title: 'حال\u202e من' })]
  const { token, snapshot } = knownAs('\u202eزهرا\u2067 محمدی', tests)
  const office = await work({ sandbox: { ...instant, tests, snapshot } })
  await office.says(`/invite # کلاس\u202e ب\n${token}\n${office.addRecord('short')}`)
  const sara = office.join(token)
  await sara.opens()
  await sara.walksTo('question')
  await sara.taps(/^ask:/)
  await sara.says('این\u202e یعنی چه؟')
  const asked = office.person.messages.findLast(({ text }) => text?.includes('یعنی چه؟'))
  await office.acts(() => office.person.say('هیچ\u2067 چیز', { replyTo: asked?.message_id }))
  await office.says('/records زهرا\u202e')
  await office.says('/start')
  await office.taps('stage:answering:1')
  await office.forges('groups:1')
  await office.taps(/^group:/)
  for (const { person } of [office, sara])
    for (const { from, text = '', reply_markup: keyboard } of person.messages)
      if (from.is_bot) expect(bare(text + JSON.stringify(keyboard ?? ''))).not.toMatch(marks)
  expect(office.chat).toContain('زهرا محمدی')
  expect(sara.chat).toContain('هیچ چیز')
})
