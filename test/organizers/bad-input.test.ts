import { expect } from 'vitest'
import { createSandbox, type TestDefinition } from '../../tools/sandbox/sandbox.ts'
import { createAccount } from '../account.ts'
import { shortTest } from '../dialogs/short-tests.ts'
import { type Office, onBothStores, shortIdOf, story, word } from './office.ts'

const instant = { testsAuthRequired: false }
const TITLE = 'حال این دو هفته (نمونه)'

/** Another organizer of the same world, and what makes both of them organizers. */
const COLLEAGUE_ID = 4_002
const BOTH = { ORGANIZERS: `4001,${COLLEAGUE_ID}` }
async function colleagueOf({ world }: Office) {
  const colleague = createAccount(world, world.emulator.person({ id: COLLEAGUE_ID, firstName: 'همکار' }), '')
  await colleague.opens('')
  return colleague
}

onBothStores('two organizers who press the same at once are both right', async ({ work }) => {
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

/** A service that has the record of somebody with this name already. */
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

story(
  'a title and a name with HTML in them stand everywhere as they are, and do no harm',
  async ({ work }) => {
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
    // Nor is it a formula of a spreadsheet.
    expect(office.file('.csv')).toContain(`"'${title.replaceAll('"', '""')}"`)
    const two = [office.addRecord('short'), office.addRecord('short')]
    await office.says(`/invite ${two.join('\n')}`)
    expect(office.file('.html')).toContain('=&lt;b&gt;حال&lt;/b&gt; &amp; ')
    expect(office.file('.html')).not.toContain('<b>حال')
  },
)

story('while the service is down or refuses the key nothing is half done', async ({ work }) => {
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
    // Until the service is tried again after an outage.
    office.world.passWith(60_000)
    await office.world.settled()
  }
  await office.says(`/records ${token}`)
  expect(office.heard).toContain(word('card-free'))
  expect(office.heard).not.toContain(word('card-invitations'))
})

story('an invitation that is over takes no other end, and a wrong code is nobody’s', async ({ work }) => {
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
  }
  // A token of the other kind leads to what it is.
  await office.forges(`card:m:${other}`)
  expect(office.data).toContain(`card:r:${other}`)
  await office.forges(`invite:m:${other}`)
  expect(office.heard).toContain(word('invite-is-record'))
})
