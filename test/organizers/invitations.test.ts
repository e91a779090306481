import { expect } from 'vitest'
import { DAY_MS } from '../../src/domain/durations.ts'
import type { Fault } from '../../tools/sandbox/sandbox.ts'
import { products, tests } from '../roadmaps/kin.ts'
import { createPerson } from '../roadmaps/person.ts'
import { isPdf } from '../words.ts'
import type { WorldOptions } from '../world.ts'
import { type Office, onBothStores, story, word } from './office.ts'

const TITLE = 'حال این دو هفته (نمونه)'

story('a line after /invite becomes a link, a code and buttons', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const token = office.addRecord()
  const payload = await office.invites(`record ${token} ۴۷۱۱`)
  const keyboard = office.person.last.reply_markup?.inline_keyboard.flat() ?? []
  expect(keyboard.find((button) => button.copy_text)?.copy_text?.text).toContain(`start=${payload}`)
  expect(keyboard.find((button) => button.url)?.url).toMatch(/^https:\/\/t\.me\/share\/url\?url=/)
  await office.taps(/^qr:/)
  expect(office.person.last.photo).toBeDefined()
  const sara = office.join(token)
  await sara.opens(payload)
  await sara.walksTo('question')
  const auth = office.world.sandbox.calls.findLast(({ path }) => path.endsWith('/auth/'))
  expect(auth?.body).toMatchObject({ external_id: 4711 })
  await office.says(`/invite ${token}`)
  expect(office.heard).toContain('شروع کرده است')
})

onBothStores('opening an invitation does not use it up, the first who begins does', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const token = office.addRecord()
  const first = await office.invites(token)
  const second = await office.invites(`record_${token}`)
  const sara = office.join(token)
  const reza = office.join(token, 'رضا')
  await sara.opens(first)
  await reza.opens(second)
  await reza.taps(/^begin:/)
  expect(reza.place).toBe('name')
  await sara.taps(/^begin:/)
  expect(sara.heard).toBe(word('invitation-used'))
  await sara.opens(first)
  expect(sara.heard).toBe(word('invitation-used'))
  await reza.opens(second)
  expect(reza.place).toBe('name')
  await office.forges(`revoke:${second.slice(2)}`)
  expect(office.screen).toContain(word('invitation-used-up'))
  expect(office.data).toEqual([])
})

story('with INVITATION_ONLY an invitation opens, a bare link does not', async ({ work }) => {
  const office = await work({ environment: { INVITATION_ONLY: 'true' } })
  const token = office.addRecordOfSomebody()
  const code = await office.invites(token)
  const sara = office.join(token)
  await sara.opens()
  expect(sara.heard).toBe(word('invitation-unknown'))
  await sara.opens(code)
  await sara.walksTo('question')
  expect(sara.question.position).toBe(1)
})

story('an expired or revoked invitation says so, also on its introduction', async ({ work }) => {
  const office = await work()
  const token = office.addRecord()
  const code = await office.invites(token)
  await office.forges(`expire:${code.slice(2)}:2`)
  const sara = office.join(token)
  await sara.opens(code)
  const until = word('intro-until', { time: '' }).replace('.', '').trim()
  expect(sara.heard).toContain(until)
  office.world.pass(2 * DAY_MS)
  await sara.taps(/^begin:/)
  expect(sara.heard).toBe(word('invitation-expired'))
  await office.forges(`made:${code.slice(2)}`)
  expect(office.heard).toContain(word('invitation-state-expired'))
  expect(JSON.stringify(office.person.last.reply_markup)).toContain(
    `"${word('button-no-end', { mark: '' })}"`,
  )
  await sara.opens(code)
  expect(sara.heard).toBe(word('invitation-expired'))
  await office.forges(`expire:${code.slice(2)}:0`)
  await sara.opens(code)
  expect(sara.place).toBe('introduction')
  expect(sara.heard).not.toContain(until)
  await office.forges(`revoke:${code.slice(2)}`)
  expect(office.screen).toContain(word('invitation-was-revoked'))
  expect(office.data).toEqual([])
  await sara.taps(/^begin:/)
  expect(sara.heard).toBe(word('invitation-revoked'))
  await sara.says('/tests')
  expect(sara.heard).toBe(word('tests-none'))
})

story('the invitation decides who receives the result, as its introduction says', async ({ work }) => {
  const office = await work()
  const token = office.addRecordOfSomebody()
  const code = await office.invites(token)
  await office.taps(/^to:.*:organizer$/)
  const sara = office.join(token)
  await sara.opens(code)
  expect(sara.heard).toContain(word('intro-result-organizer'))
  await office.forges(`to:${code.slice(2)}:both`)
  await sara.taps(/^begin:/)
  expect(sara.heard).toContain(word('invitation-changed'))
  await office.forges(`to:${code.slice(2)}:organizer`)
  await sara.taps(/^begin:/)
  await sara.taps(/^begin:/)
  await office.forges(`to:${code.slice(2)}:participant`)
  expect(office.heard).toBe(word('invitation-to-begun'))
  await sara.walksTo('review')
  await sara.goesOn()
  expect(sara.files).toHaveLength(0)
  expect(office.person.messages.some(({ document }) => document)).toBe(true)
})

story(
  'the consent to who receives the result survives a release, and every invitation names it',
  async ({ work }) => {
    const office = await work({ sandbox: { testsAuthRequired: false } })
    const token = office.addRecord()
    const code = await office.invites(token)
    await office.taps(/^to:.*:organizer$/)
    const sara = office.join(token)
    await sara.opens(code)
    await sara.walksTo('question')
    await office.says(token)
    await office.taps(/^release:/)
    await office.taps(/:same$/)
    await office.taps(/^to:.*:participant$/)
    expect(office.heard).toBe(word('invitation-to-begun'))
    await office.invites(token)
    expect(office.heard).toContain(word('invitation-result-organizer'))
  },
)

story('an expired test can be begun again with the participant’s own invitation', async ({ work }) => {
  const office = await work({ environment: { INVITATION_ONLY: 'true' } })
  const token = office.addRecord()
  const [code, other] = [await office.invites(token), await office.invites(token)]
  await office.forges(`revoke:${other.slice(2)}`)
  const sara = office.join(token)
  await sara.opens(code)
  await sara.walksTo('birth')
  await sara.waits(31 * DAY_MS)
  await sara.opens(other)
  expect(sara.heard).toBe(word('invitation-revoked'))
  await sara.opens(code)
  expect(sara.place).toBe('introduction')
  const reza = office.join(token, 'رضا')
  await reza.opens(code)
  expect(reza.heard).toBe(word('invitation-used'))
  await sara.taps(/^begin:/)
  expect(sara.place).toBe('name')
  await sara.walksTo('question')
})

story('an expired roadmap can be begun again with its own invitation as well', async ({ work }) => {
  const office = await work({ sandbox: { tests, products } })
  const token = office.world.sandbox.addRoadmap({ productId: 'pair' })
  const code = await office.invites(token)
  const wife = createPerson(office.world, office.world.emulator.person({ firstName: 'لیلا' }), token)
  await wife.opens(code)
  await wife.taps(/^begin:/)
  await wife.introduces(11)
  office.world.passWith(31 * DAY_MS)
  await office.world.settled()
  await wife.opens(code)
  await wife.taps(/^begin:/)
  expect(wife.heard).toContain(word('name-ask-role', { role: 'زن' }))
})

story('after /forget the participant’s own invitation says why it does not open', async ({ work }) => {
  const office = await work()
  const token = office.addRecordOfSomebody()
  const code = await office.invites(token)
  const sara = office.join(token)
  await sara.opens(code)
  await sara.walksTo('question')
  await sara.forgets()
  await sara.opens(code)
  expect(sara.heard).toBe(word('invitation-forgotten'))
  const reza = office.join(token, 'رضا')
  await reza.opens(code)
  expect(reza.heard).toBe(word('invitation-used'))
})

story('an organizer can fetch a result that only the participant received', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const token = office.addRecord()
  const sara = office.join(token)
  await sara.walksTo('review')
  await sara.goesOn()
  const { length } = sara.files
  expect(length).toBeGreaterThan(0)
  await office.says(`/records ${token}`)
  await office.taps(/^send:/)
  expect(
    office.person.messages.filter(({ document, photo }) => photo ?? (document && !isPdf(document))),
  ).toHaveLength(length)
  expect(sara.files).toHaveLength(length)
  // It was begun here as well, but that it is finished is the better reason.
  await office.says(`/invite ${token}`)
  expect(office.heard).toContain(word('invite-finished', { title: TITLE }))
  await office.says(`/records ${token}`)
  await office.taps(/^release:/)
  await office.taps(/:same$/)
  await office.says(`/invite ${token}`)
  expect(office.invitation).toMatch(/^i_/)
  // The released record waits for the participant: until then no result can be sent.
  await office.says(`/records ${token}`)
  expect(office.heard).toContain(word('card-released', { tries: 3 }))
  expect(office.data.filter((data) => data.startsWith('send:'))).toEqual([])
  for (const act of ['send', 'nudge'] as const) {
    await office.forges(`${act}:r:${token}`)
    expect(office.heard).toBe(word(`${act}-released`))
  }
})

/** A participant whose answers the service has, while it does not give out the result. */
async function awaitingResult(work: (options: WorldOptions) => Promise<Office>, fault: Fault) {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const token = office.addRecord()
  const sara = office.join(token)
  await sara.walksTo('review')
  const refusal = office.world.sandbox.fault({ path: 'result', ...fault })
  await sara.taps(/^submit:/)
  expect(sara.files).toHaveLength(0)
  await office.says(`/records ${token}`)
  const files = () =>
    office.person.messages.filter(({ document, photo }) => photo ?? (document && !isPdf(document)))
  return { office, sara, token, refusal, files }
}

story('a result that an organizer asks for after a failure reaches both', async ({ work }) => {
  const { office, sara, token, files } = await awaitingResult(work, { kind: 'status', status: 404, times: 2 })
  expect(sara.heard).toContain(word('result-failed'))
  await office.taps(/^send:/)
  await sara.waits(1_000)
  expect(files()).toHaveLength(2)
  expect(sara.files).toHaveLength(2)
  await office.says(`/records ${token}`)
  expect(office.heard).toContain(word('stage-done'))
})

story(
  'a result that an organizer asked for comes although the participant asks for it meanwhile',
  async ({ work }) => {
    const { office, sara, refusal, files } = await awaitingResult(work, {
      kind: 'status',
      status: 503,
      times: 9_999,
    })
    await office.taps(/^send:/)
    await sara.opens('')
    refusal.end()
    for (let looks = 0; looks < 3; looks++) await sara.waits(60_000)
    expect(files()).toHaveLength(2)
    expect(sara.files).toHaveLength(2)
  },
)

story('a token that cannot be invited to is refused with the reason', async ({ work }) => {
  const office = await work()
  const roadmap = office.world.sandbox.addRoadmap({ productId: 'couple' })
  const finished = office.world.sandbox.addRecord({ testId: 'mood-7', status: 1 })
  await office.says('/invite 00000000-0000-4000-8000-000000000000')
  expect(office.heard).toContain(word('organizer-unknown'))
  await office.says(`/invite record ${roadmap}`)
  expect(office.heard).toContain(word('invite-is-roadmap'))
  // Details belong to one person, so a roadmap takes none.
  await office.says(`/invite ${roadmap}, زهرا محمدی, 1375/05/12`)
  expect(office.heard).toContain(word('invite-is-roadmap'))
  await office.says(`/invite ${finished}`)
  expect(office.heard).toContain(word('invite-finished', { title: TITLE }))
  await office.says('/invite something')
  expect(office.heard).toContain('[record|roadmap]')
  await office.says(`/invite roadmap ${roadmap} 5`)
  expect(office.heard).toContain('roadmap UUID 101 102 -')
  expect(office.heard).not.toContain('start=i_')
  await office.says(`/invite ${roadmap}`)
  expect(office.invitation).toMatch(/^i_/)
  await office.forges(`invite:m:${roadmap}:999`)
  expect(office.heard).not.toContain('start=i_')
})
