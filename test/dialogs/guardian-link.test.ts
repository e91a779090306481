import { expect } from 'vitest'
import { assignees, tokenKey } from '../../src/storage/documents/kinds.ts'
import { readDocument } from '../../src/storage/documents.ts'
import { createAccount } from '../account.ts'
import { withStorage } from '../kept-entries.ts'
import { onBothStores } from '../organizers/office.ts'
import { knownMinor } from './known-minor.ts'
import { CONTACT, type Participant, story, word } from './walk.ts'

const TITLE = 'حال این دو هفته (نمونه)'
const ORGANIZER = 'کلینیک آرامش'
const MANAGER = 900

/** A child of sixteen comes to the guardian's question. */
async function comesToGuardian(sara: Participant): Promise<void> {
  await sara.walksTo('birth')
  await sara.says('۱۳۸۹/۱/۱')
  expect(sara.place).toBe('guardian')
}

/** The payload of the link that the child passes on. */
async function linkOf(sara: Participant): Promise<string> {
  await sara.taps('guardian:link')
  expect(sara.heard).toContain(word('guardian-link-forward'))
  const found = /start=(i_[a-z2-7]{12})/.exec(sara.screen)?.[1]
  if (!found) throw new Error(`no link\n${sara.chat}`)
  return found
}

const parentOf = ({ world }: Participant, firstName = 'مادر') =>
  createAccount(world, world.emulator.person({ firstName }), '')

async function claimOf(sara: Participant) {
  let claim: unknown
  await withStorage(sara, async ({ store, vault }) => {
    claim = await readDocument({ store, vault }, assignees, tokenKey(vault, sara.token))
  })
  return claim
}

const minors = { record: { testsAuthRequired: false, testId: 'mood-7' } }

onBothStores('a parent agrees on their own phone, and the child’s dialog goes on', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const sara = office.join(office.addRecord())
  await comesToGuardian(sara)
  const link = await linkOf(sara)
  const mother = parentOf(sara)
  await mother.opens(link)
  for (const each of [TITLE, ORGANIZER, '/privacy', word('guardian-ask-parent-result-participant')])
    expect(mother.heard).toContain(each)
  expect(mother.chat).not.toContain('زهرا')
  await office.world.restarts()
  await mother.taps(/^agree:.*:yes$/)
  expect(mother.screen).toBe(word('guardian-asked-yes'))
  expect(mother.data).toEqual([])
  expect(sara.chat).toContain(word('guardian-agreed-apart'))
  expect(sara.place).toBe('gender')
  expect(sara.buttons.filter((data) => data.startsWith('guardian:'))).toEqual([])
  await sara.walksTo('question')
})

story('the link can be answered once, and neither by the child nor by a second account', async ({ meet }) => {
  const sara = await meet(minors)
  await comesToGuardian(sara)
  const link = await linkOf(sara)
  // Not at once, so that the second press does not count as a double tap.
  await sara.waits(10_000)
  expect(await linkOf(sara)).toBe(link)
  await sara.opens(link)
  expect(sara.screen).toBe(word('guardian-link-own'))
  const code = link.slice(2)
  await sara.forges(`agree:${code}:yes`)
  expect(sara.chat).not.toContain(word('guardian-agreed-apart'))
  const [mother, stranger] = [parentOf(sara), parentOf(sara, 'رهگذر')]
  await mother.opens(link)
  await stranger.opens(link)
  const asked = stranger.person.last
  await mother.taps(/:yes$/)
  const said = sara.person.messages.length
  await stranger.taps(/:no$/, asked)
  expect(stranger.screen).toBe(word('guardian-link-used'))
  await stranger.opens(link)
  expect(stranger.screen).toBe(word('guardian-link-used'))
  await mother.forges(`agree:${code}:yes`)
  await mother.opens(link)
  expect(mother.screen).toBe(word('guardian-link-used'))
  expect(sara.person.messages).toHaveLength(said)
  await stranger.forges('agree:abcdefghij27:yes')
  expect(stranger.person.toasts.at(-1)).toBe(word('button-old'))
  for (const { chat } of [mother, stranger]) expect(chat).not.toContain('زهرا')
})

story(
  'a parent who types an answer is led to the buttons, and after the answer to what is open',
  async ({ meet }) => {
    const sara = await meet(minors)
    await comesToGuardian(sara)
    const mother = parentOf(sara)
    await mother.opens(await linkOf(sara))
    for (const said of ['بله', 'بله', 'یعنی چه؟']) {
      await mother.says(said)
      expect(mother.heard).toBe(word('use-buttons'))
    }
    await mother.taps(/^agree:.*:yes$/)
    await mother.says('بله')
    expect(mother.heard).toContain(word('nothing-open'))
  },
)

story('a no stops the dialog and notifies organizers; another link may bring a yes', async ({ meet }) => {
  const sara = await meet({
    ...minors,
    environment: { ORGANIZERS: String(MANAGER), INVITATION_ONLY: 'false' },
  })
  const manager = createAccount(sara.world, sara.world.emulator.person({ id: MANAGER }), '')
  await manager.opens('')
  await comesToGuardian(sara)
  const first = await linkOf(sara)
  const father = parentOf(sara, 'پدر')
  await father.opens(first)
  await father.taps(/^agree:.*:no$/)
  expect(father.screen).toBe(word('guardian-asked-no'))
  expect(sara.screen).toBe(word('guardian-declined-apart'))
  expect(manager.chat).toContain(word('notice-guardian', { title: TITLE }))
  await sara.opens('')
  await sara.taps('guardian:yes')
  expect(sara.place).toBe('guardian')
  const second = await linkOf(sara)
  expect(second).not.toBe(first)
  await father.opens(second)
  await father.taps(/^agree:.*:yes$/)
  expect(sara.place).toBe('gender')
})

story(
  'the time, words and language of a yes are kept as long as the claim, without a name',
  async ({ meet }) => {
    const sara = await meet({ ...minors, environment: { RESULT_TO: 'both' } })
    await comesToGuardian(sara)
    const mother = parentOf(sara)
    await mother.opens(await linkOf(sara))
    await mother.taps(/^agree:.*:yes$/)
    const consent = { at: expect.any(Number), language: 'fa', version: expect.any(Number), resultTo: 'both' }
    const claim = await claimOf(sara)
    expect(claim).toMatchObject({
      is: 'taken',
      consent,
      agreements: [{ by: 'guardian', isApart: true, consent }],
    })
    await sara.walksTo('review')
    await sara.goesOn()
    expect(await claimOf(sara)).toMatchObject({
      is: 'over',
      consent,
      agreements: [{ by: 'guardian', consent }],
    })
    expect(JSON.stringify(claim)).not.toMatch(/زهرا|مادر/)
  },
)

story('a parent who has changed their mind reads who to tell', async ({ meet }) => {
  const sara = await meet(minors)
  await comesToGuardian(sara)
  const link = await linkOf(sara)
  const mother = parentOf(sara)
  await mother.opens(link)
  await mother.taps(/^agree:.*:yes$/)
  await mother.forges(`agree:${link.slice(2)}:no`)
  expect(mother.screen).toContain(CONTACT)
  await mother.opens(link)
  expect(mother.heard).toContain(CONTACT)
})

story('a guardian who is present agrees with a tap, and the link needs no answer then', async ({ meet }) => {
  const sara = await meet(minors)
  await comesToGuardian(sara)
  const link = await linkOf(sara)
  await sara.taps('guardian:yes')
  expect(sara.place).toBe('gender')
  const mother = parentOf(sara)
  await mother.opens(link)
  expect(mother.screen).toBe(word('guardian-link-over'))
  expect(await claimOf(sara)).toMatchObject({ agreements: [{ by: 'guardian', consent: { language: 'fa' } }] })
})

story('the link ends with its term and with /forget', async ({ meet }) => {
  const sara = await meet(minors)
  await comesToGuardian(sara)
  const link = await linkOf(sara)
  const mother = parentOf(sara)
  await mother.opens(link)
  await sara.waits(15 * 86_400_000)
  await mother.taps(/^agree:.*:yes$/)
  expect(mother.screen).toBe(word('guardian-link-expired'))
  await sara.opens('')
  const next = await linkOf(sara)
  await mother.opens(next)
  const asked = mother.person.last
  await sara.forgets()
  await mother.taps(/^agree:.*:yes$/, asked)
  expect(mother.person.toasts.at(-1)).toBe(word('button-old'))
  await mother.opens(next)
  expect(mother.screen).toBe(word('invitation-unknown'))
  expect(sara.chat).not.toContain(word('guardian-agreed-apart'))
})

story('the link of a record released to another account asks no parent', async ({ meet }) => {
  const sara = await meet({
    ...minors,
    environment: { ORGANIZERS: String(MANAGER), INVITATION_ONLY: 'false' },
  })
  await comesToGuardian(sara)
  const link = await linkOf(sara)
  const manager = createAccount(sara.world, sara.world.emulator.person({ id: MANAGER }), '')
  await manager.says(`/records ${sara.token}`)
  await manager.taps(/^release:/)
  await manager.taps(/:other$/)
  const mother = parentOf(sara)
  await mother.opens(link)
  expect(mother.screen).toBe(word('guardian-link-over'))
})

story(
  'with INVITATION_ONLY a parent can still open the link, and the child’s other messages stay in place',
  async ({ meet }) => {
    const sara = await meet({
      record: { testsAuthRequired: false },
      environment: { ORGANIZERS: String(MANAGER), INVITATION_ONLY: 'true' },
    })
    const manager = createAccount(sara.world, sara.world.emulator.person({ id: MANAGER }), '')
    await knownMinor(sara)
    await manager.says(`/invite ${sara.token}`)
    await sara.opens(/start=(i_[a-z2-7]{12})/.exec(manager.heard)?.[1])
    await sara.taps(/^begin:/)
    await sara.walksTo('guardian')
    const link = await linkOf(sara)
    // The child has another screen open when the answer comes.
    await sara.says('/tests')
    const mother = parentOf(sara)
    await mother.says(`https://t.me/${sara.world.emulator.username}?start=${link}`)
    await mother.taps(/^agree:.*:yes$/)
    expect(sara.chat).toContain(word('guardian-agreed-apart'))
    expect(sara.place).toBe('question')
  },
)
