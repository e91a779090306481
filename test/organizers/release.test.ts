import { expect } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../src/domain/durations.ts'
import {
  another,
  type Meeting,
  type Participant,
  story,
  withAnother,
  word,
  written,
  ZAHRA,
} from '../dialogs/walk.ts'
import { callsInLine, holdUp } from '../held-up.ts'
import { until } from '../until.ts'
import { isPdf } from '../words.ts'
import { type Office, ORGANIZED, organizerOf, shortIdOf } from './office.ts'

/** The same person on a new phone: another account with the same link. */
const withNewPhone = another

const TITLE = 'حال این دو هفته (نمونه)'

story(
  'the same person goes on in another account at the same question with every answer',
  async ({ meet }) => {
    const sara = await meet({ at: 'question', environment: ORGANIZED })
    await sara.answers(1, 2, 3)
    const s = shortIdOf(sara)
    const manager = await organizerOf(sara)
    await manager.forges(`release:${s}`)
    expect(manager.heard).toBe(word('release-ask', { title: TITLE }))
    expect(manager.data).toEqual([`release:${s}:same`])
    await manager.taps(`release:${s}:same`)
    expect(manager.heard).toContain(word('release-same-done', { title: TITLE }))
    expect(sara.screen).toBe(word('released-told', { title: TITLE }))

    const anew = withNewPhone(sara)
    await anew.opens(manager.invitation)
    expect(anew.heard).toBe(word('takeover-ask', { tries: 3 }))
    await anew.says('09350000000')
    expect(anew.heard).toBe(word('takeover-wrong', { tries: 2 }))
    const before = sara.calls.length
    await anew.says(`شمارم ${ZAHRA.mobile} هست`)
    expect(anew.heard).toContain(word('takeover-done'))
    expect(anew.heard).not.toContain(word('attempt-expired'))
    expect(anew.question.position).toBe(4)
    expect(sara.calls.slice(before)).toEqual(['look'])
    await anew.answers(0, 0, 0, 0)
    await anew.taps(/^submit:/)
    expect(anew.files).toHaveLength(2)
    expect(sara.submissions).toHaveLength(1)
    expect(JSON.stringify(sara.submissions[0])).toContain('o2')
  },
)

story('a sticker is no mobile and takes no try; what was asked is said again', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  const manager = await organizerOf(sara)
  await manager.forges(`release:${shortIdOf(sara)}:same`)
  const anew = withNewPhone(sara)
  await anew.opens(manager.invitation)
  await anew.acts(() => anew.person.sendSticker())
  expect(anew.heard).toContain(word('mobile-error.empty'))
  expect(anew.heard).not.toContain(word('nothing-open'))
  await anew.says('09350000000')
  expect(anew.heard).toBe(word('takeover-wrong', { tries: 2 }))
  await manager.says('/invite')
  await manager.acts(() => manager.person.sendSticker())
  expect(manager.heard).toBe(`${word('invite-none')}\n\n${word('invite-leave')}`)
})

story('the former account learns nothing more and cannot take the test back', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  await sara.answers(1, 2)
  const old = sara.question.data[0] ?? ''
  const s = shortIdOf(sara)
  const manager = await organizerOf(sara)
  await manager.forges(`release:${s}:same`)
  await sara.forges(old)
  await sara.opens()
  expect(sara.heard).toBe(word('invitation-used'))
  await sara.says(ZAHRA.mobile)
  expect(sara.heard).not.toContain(word('takeover-done'))
  await sara.says('/tests')
  expect(sara.heard).toBe(word('tests-none'))
  const anew = withNewPhone(sara)
  await anew.opens(manager.invitation)
  await anew.says(ZAHRA.mobile)
  expect(anew.question.position).toBe(3)
  await sara.forges(old)
  await sara.forges(`open:${s}`)
  expect(sara.place).not.toBe('question')
  await anew.answers(3)
  expect(anew.question.position).toBe(4)
})

/** A participant has answered a question, and an organizer releases the test to the same person. */
async function released(meet: (meeting: Meeting) => Promise<Participant>) {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  await sara.answers(1)
  const [s, manager] = [shortIdOf(sara), await organizerOf(sara)]
  await manager.forges(`release:${s}:same`)
  return { sara, s, manager }
}

story('after three wrong numbers by anyone the organizer has to release again', async ({ meet }) => {
  const { sara, s, manager } = await released(meet)
  const reza = withNewPhone(sara)
  await reza.opens(manager.invitation)
  await reza.says('09350000000')
  await reza.says('09350000001')
  const anew = withNewPhone(sara)
  await anew.opens(manager.invitation)
  expect(anew.heard).toBe(word('takeover-ask', { tries: 1 }))
  await anew.says('09350000002')
  expect(anew.heard).toBe(word('takeover-over'))
  await anew.says('سلام')
  expect(anew.heard).toBe(word('takeover-over'))
  await anew.opens(manager.invitation)
  await anew.says(ZAHRA.mobile)
  expect(anew.place).not.toBe('question')
  await manager.forges(`release:${s}:same`)
  await anew.opens(manager.invitation)
  await anew.says(ZAHRA.mobile)
  expect(anew.question.position).toBe(2)
})

story('commands between the question for the mobile and its answer do no harm', async ({ meet }) => {
  const { sara, manager } = await released(meet)
  const anew = withNewPhone(sara)
  await anew.opens(manager.invitation)
  for (const command of ['/help', '/mydata', '/tests', '/start']) await anew.says(command)
  await anew.says(ZAHRA.mobile)
  expect(anew.question.position).toBe(2)
})

story('a text after /records is a search, not the mobile of a take-over', async ({ meet }) => {
  const { sara, manager } = await released(meet)
  await manager.opens(manager.invitation)
  await manager.says('/records')
  await manager.says('09350000000')
  await manager.says(ZAHRA.name)
  expect(manager.chat).not.toContain(word('takeover-wrong', { tries: 2 }))
  expect(manager.data).toContain(`card:r:${sara.token}`)
})

story('a mobile typed for a take-over is deleted, even where Telegram refuses at first', async ({ meet }) => {
  const { sara, s, manager } = await released(meet)
  const reza = withNewPhone(sara)
  await reza.opens(manager.invitation)
  const refused = sara.world.emulator.fault({ kind: 'error', method: 'deleteMessages', times: 3 })
  await reza.says('09350000000')
  expect(refused.hits).toBe(3)
  await reza.says('09350000001')
  await reza.says('09350000002')
  expect(reza.heard).toBe(word('takeover-over'))
  await reza.says(ZAHRA.mobile)
  expect(reza.heard).toBe(word('takeover-over'))
  expect(written(reza)).toEqual([])
  await manager.forges(`release:${s}:same`)
  const anew = withNewPhone(sara)
  await anew.opens(manager.invitation)
  await anew.acts(() => {
    anew.person.say(ZAHRA.mobile)
    anew.person.say(ZAHRA.mobile)
  })
  expect(anew.question.position).toBe(2)
  expect(written(anew)).toEqual([])
})

story('a command or a button ends the question for the mobile', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  await sara.answers(1)
  const manager = await organizerOf(sara)
  await manager.forges(`release:${shortIdOf(sara)}:same`)
  const reza = withNewPhone(sara)
  const own = withAnother(reza, { testId: 'mood-7' })
  await own.opens()
  await own.walksTo('name')
  await reza.opens(manager.invitation)
  expect(reza.heard).toBe(word('takeover-ask', { tries: 3 }))
  await own.says('/cancel')
  expect(own.heard).toBe(word('left-aside'))
  await own.says(ZAHRA.name)
  expect(own.place).toBe('birth')
  await own.says('/tests')
  const [list, data] = [own.person.last, own.data.find((each) => each.startsWith('open:')) ?? '']
  await reza.opens(manager.invitation)
  expect(reza.heard).toBe(word('takeover-ask', { tries: 3 }))
  await own.forges(data, list)
  await own.says(ZAHRA.typedBirth)
  expect(own.place).toBe('gender')
  // A setting leads nowhere else, but the next typed text is for the test, which asks again.
  await own.taps('gender:female')
  await own.says('/settings')
  const settings = own.person.last
  await reza.opens(manager.invitation)
  expect(reza.heard).toBe(word('takeover-ask', { tries: 3 }))
  await own.taps(/^hour:12/, settings)
  expect(own.place).toBe('mobile')
})

story(
  'the outcome of a call does not come between the question for the mobile and its answer',
  async ({ meet }) => {
    const { sara, manager } = await released(meet)
    const reza = withNewPhone(sara)
    const own = withAnother(reza, { testId: 'mood-7' })
    await own.opens()
    await own.walksTo('mobile')
    await own.says('09121110000')
    sara.world.sandbox.fault({ kind: 'slow', ms: 1_500, path: '/auth/$' })
    await own.acts(() => {
      own.person.tap('profile:ok')
      own.person.start(manager.invitation)
    })
    expect(own.chat).toContain(word('takeover-ask', { tries: 3 }))
    expect(own.place).toBe('paused')
    await own.says(ZAHRA.mobile)
    expect(own.place).toBe('question')
    await own.opens()
    expect(own.place).toBe('code')
  },
)

story('before there is a profile another person begins again, with nothing typed left', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', environment: ORGANIZED })
  const s = shortIdOf(sara)
  await sara.walksTo('mobile')
  const manager = await organizerOf(sara)
  await manager.forges(`release:${s}:other`)
  expect(manager.screen).toBe(word('release-anew-done', { title: TITLE }))
  expect(sara.screen).toBe(word('released-told', { title: TITLE }))
  const reza = withNewPhone(sara)
  await reza.opens()
  expect(reza.place).toBe('introduction')
  await sara.forges(`begin:${s}`)
  expect(sara.place).not.toBe('name')
  await sara.opens()
  expect(sara.heard).toBe(word('invitation-used'))
  await reza.taps(/^begin:/)
  expect(reza.place).toBe('name')
  expect(reza.person.transcript()).not.toContain(ZAHRA.name)
  await reza.walksTo('question')
})

/** A participant has opened an invitation with an id, whose result is to go to the organizer. */
async function invitedForOrganizer(meet: (meeting: Meeting) => Promise<Participant>) {
  const sara = await meet({ environment: ORGANIZED })
  const manager = await organizerOf(sara)
  const first = await manager.invites(`record ${sara.token} 4711`)
  await manager.taps(/^to:.*:organizer$/)
  await sara.opens(first)
  return { sara, manager }
}

story('after a new beginning the result goes to the receiver of the first invitation', async ({ meet }) => {
  const { sara, manager } = await invitedForOrganizer(meet)
  const s = shortIdOf(sara)
  await sara.walksTo('mobile')
  await manager.forges(`release:${s}:same`)
  expect(manager.heard).toContain(word('invitation-result-organizer'))
  expect(manager.heard).toContain('4711')
  const anew = withNewPhone(sara)
  await anew.opens(manager.invitation)
  expect(anew.heard).toContain(word('intro-result-organizer'))
  await anew.walksTo('mobile')
  // The same where only the tombstone is kept.
  await sara.waits(32 * DAY_MS)
  await manager.says(`/records ${sara.token}`)
  await manager.taps(/^release:/)
  await manager.taps(/^release:[^:]+:same$/)
  expect(manager.heard).toContain(word('invitation-result-organizer'))
  expect(manager.heard).toContain('4711')
})

story('after /forget the result still goes to the receiver of the first invitation', async ({ meet }) => {
  const { sara, manager } = await invitedForOrganizer(meet)
  await sara.walksTo('question')
  await sara.forgets()
  await releasesMark(manager, sara.token)
  expect(manager.heard).toContain(word('invitation-result-organizer'))
  // The service has the id with the profile, where it may have changed meanwhile.
  expect(manager.heard).not.toContain('4711')
})

story('a test is not released while a call may be making its profile', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', environment: ORGANIZED })
  const s = shortIdOf(sara)
  await sara.walksTo('summary')
  const manager = await organizerOf(sara)
  sara.world.sandbox.fault({ kind: 'slow', ms: 2_000, path: 'auth/$' })
  sara.person.rawTap(sara.person.last, 'profile:ok')
  await until(() => sara.calls.includes('auth'))
  manager.person.rawTap(manager.person.last, `release:${s}:other`)
  await until(() => manager.chat.includes(word('release-busy')))
  await sara.world.settled()
  expect(sara.chat).not.toContain(word('released-told', { title: TITLE }))
})

story('a test is not released while such a call still waits in the queue', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', environment: ORGANIZED })
  const s = shortIdOf(sara)
  await sara.walksTo('summary')
  const manager = await organizerOf(sara)
  await holdUp(sara.world, 900)
  sara.person.rawTap(sara.person.last, 'profile:ok')
  await until(async () => (await callsInLine(sara.world)) === 2)
  sara.world.pass(6 * 60_000)
  manager.person.rawTap(manager.person.last, `release:${s}:other`)
  await until(() => manager.chat.includes(word('release-busy')))
  expect(sara.chat).not.toContain(word('released-told', { title: TITLE }))
})

story('a release to another person is refused where the service has a profile', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  const s = shortIdOf(sara)
  const manager = await organizerOf(sara)
  await manager.forges(`release:${s}:other`)
  expect(manager.screen).toBe(word('release-refused', { title: TITLE }))
  await sara.answers(1)
  expect(sara.question.position).toBe(2)
})

story('answers under way arrive, and the result comes to the new account', async ({ meet }) => {
  const sara = await meet({ at: 'review', environment: ORGANIZED })
  const s = shortIdOf(sara)
  const cut = sara.world.sandbox.fault({
    kind: 'status',
    status: 503,
    method: 'POST',
    path: '^/record/[^/]+/$',
    times: 100,
  })
  await sara.taps(/^submit:/)
  const manager = await organizerOf(sara)
  await manager.forges(`release:${s}:same`)
  cut.end()
  const anew = withNewPhone(sara)
  await anew.opens(manager.invitation)
  await anew.says(ZAHRA.mobile)
  await anew.waits(120_000)
  expect(anew.files).toHaveLength(2)
  expect(sara.files).toHaveLength(0)
  expect(sara.submissions).toHaveLength(1)
})

story(
  'answers that may have arrived belong to the account that takes them over before it is known',
  async ({ meet }) => {
    const sara = await meet({ at: 'review', environment: ORGANIZED })
    const { sandbox } = sara.world
    const manager = await organizerOf(sara)
    const s = shortIdOf(sara)
    sandbox.fault({ kind: 'cut', executed: true, method: 'POST', path: 'record/[^/]+/$' })
    const away = sandbox.fault({
      kind: 'status',
      status: 503,
      method: 'GET',
      path: 'record/[^/]+$',
      times: 100,
    })
    await sara.taps(`submit:${s}`)
    expect(sara.submissions).toHaveLength(1)
    // The next check fails, too, and the answers wait.
    sara.world.passWith(2 * MINUTE_MS)
    await sara.world.settled()
    away.end()
    await manager.forges(`release:${s}:same`)
    const anew = withNewPhone(sara)
    await anew.opens(manager.invitation)
    await anew.says(ZAHRA.mobile)
    sara.world.passWith(2 * MINUTE_MS)
    await anew.world.settled()
    expect(anew.chat).toContain(word('submit-sent', { total: 7 }))
  },
)

story('a result that organizers have got does not come to them again after a take-over', async ({ meet }) => {
  const sara = await meet({ at: 'review', environment: { ...ORGANIZED, RESULT_TO: 'both' } })
  const s = shortIdOf(sara)
  const manager = await organizerOf(sara)
  sara.world.emulator.fault({
    kind: 'error',
    status: 403,
    description: 'Forbidden: bot was blocked by the user',
    method: /^send(Photo|Document)$/,
    when: ({ chat_id: chat }) => Number(chat) === sara.person.id,
    times: 10,
  })
  const reports = () => manager.person.messages.filter(({ document }) => document && !isPdf(document))
  await sara.taps(/^submit:/)
  expect([sara.files.length, reports().length]).toEqual([0, 1])
  await manager.forges(`release:${s}:same`)
  const anew = withNewPhone(sara)
  await anew.opens(manager.invitation)
  await anew.says(ZAHRA.mobile)
  expect([anew.files.length, reports().length]).toEqual([2, 1])
})

story('a released or forgotten test opens again by a new invitation only', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  await sara.answers(1, 2)
  const s = shortIdOf(sara)
  const manager = await organizerOf(sara)
  await manager.says(`/records ${sara.token}`)
  expect(manager.data).not.toContain(`invite:r:${sara.token}`)
  await manager.forges(`release:${s}:same`)
  await manager.says(`/records ${sara.token}`)
  expect(manager.heard).toContain(word('card-released', { tries: 3 }))
  expect(manager.data).toContain(`release:${s}`)
  await manager.taps(`invite:r:${sara.token}`)
  const invitation = /start=(i_[a-z2-7]{12})/.exec(manager.heard)?.[1] ?? ''
  const anew = withNewPhone(sara)
  await anew.opens(invitation)
  await anew.says(ZAHRA.mobile)
  expect(anew.question.position).toBe(3)
  const reza = withNewPhone(sara)
  await reza.opens(invitation)
  expect(reza.heard).toBe(word('invitation-used'))

  await anew.forgets()
  await reza.opens()
  expect(reza.heard).toBe(word('invitation-used'))
  await manager.says(`/records ${sara.token}`)
  await manager.taps(/^release:/)
  await manager.taps(/^release:[^:]+:same$/)
  expect(manager.heard).toContain(word('release-mark-done', { title: TITLE }))
  await anew.opens(manager.invitation)
  expect(anew.heard).toBe(word('takeover-ask', { tries: 3 }))
  await anew.says(ZAHRA.mobile)
  expect(anew.place).toBe('introduction')
  await anew.taps(/^begin:/)
  expect(anew.question.position).toBe(1)
})

/** The organizer releases a forgotten record to the same person, from its card. */
async function releasesMark(manager: Office, token: string) {
  await manager.says(`/records ${token}`)
  await manager.taps(/^release:/)
  await manager.taps(/^release:[^:]+:same$/)
  expect(manager.heard).toContain(word('release-mark-done', { title: TITLE }))
}

story('the account of an expired test is told as well when the test is released', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', environment: ORGANIZED })
  await sara.walksTo('mobile')
  await sara.waits(32 * DAY_MS)
  const manager = await organizerOf(sara)
  await manager.says(`/records ${sara.token}`)
  await manager.taps(/^release:/)
  await manager.taps(/^release:[^:]+:same$/)
  expect(manager.heard).toContain(word('release-again-done', { title: TITLE }))
  expect(sara.heard).toBe(word('released-told', { title: TITLE }))
  const anew = withNewPhone(sara)
  await anew.opens(manager.invitation)
  expect(anew.place).toBe('introduction')
})

story('only an account that knows the mobile of a forgotten record may begin it again', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  await sara.forgets()
  const manager = await organizerOf(sara)
  await releasesMark(manager, sara.token)
  const anew = withNewPhone(sara)
  await anew.opens(manager.invitation)
  await anew.says(ZAHRA.mobile)
  expect(anew.place).toBe('introduction')
  const reza = withNewPhone(sara)
  await reza.opens()
  expect(reza.heard).toBe(word('invitation-used'))
  await anew.opens()
  expect(anew.place).toBe('introduction')

  // It was not begun again, so it can be released once more.
  await releasesMark(manager, sara.token)
  await anew.taps(/^begin:/)
  expect(anew.heard).toBe(word('invitation-used'))
  await anew.opens(manager.invitation)
  await anew.says(ZAHRA.mobile)
  await anew.taps(/^begin:/)
  expect(anew.question.position).toBe(1)
})

story('each card of a forgotten record releases its own record, in whatever order', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  const other = withAnother(sara, { testId: 'sleep-20' })
  await other.opens()
  await other.taps(/^begin:/)
  await sara.forgets()
  const manager = await organizerOf(sara)
  const releases = []
  for (const { token } of [sara, other]) {
    await manager.says(`/records ${token}`)
    releases.push(manager.data.find((data) => data.startsWith('release:')) ?? '')
  }
  await manager.taps(releases[0] ?? '')
  expect(manager.heard).toBe(word('release-ask', { title: TITLE }))
  await manager.taps(releases[1] ?? '')
  expect(manager.heard).not.toContain(TITLE)
  expect(manager.data).toContain(`${releases[1]}:same`)
})

story('an invitation to a forgotten record keeps its receiver behind the mobile', async ({ meet }) => {
  const environment = { ...ORGANIZED, INVITATION_ONLY: 'true' }
  const sara = await meet({ record: { testsAuthRequired: false }, environment })
  const manager = await organizerOf(sara)
  await sara.opens(await manager.invites(sara.token))
  await sara.walksTo('question')
  await sara.forgets()
  await releasesMark(manager, sara.token)
  const code = await manager.invites(sara.token)
  await manager.taps(/^to:.*:organizer$/)
  await sara.opens(code)
  expect(sara.heard).toBe(word('takeover-ask', { tries: 3 }))
  await sara.says(ZAHRA.mobile)
  expect(sara.heard).toContain(word('intro-result-organizer'))
  await sara.taps(/^begin:/)
  expect(sara.question.position).toBe(1)
  await sara.walksTo('review')
  await sara.goesOn()
  expect(sara.files).toEqual([])
  expect(manager.person.messages.some(({ document }) => document)).toBe(true)
})

story('only an organizer can release a test', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  const s = shortIdOf(sara)
  await sara.forges(`release:${s}:same`)
  const reza = withNewPhone(sara)
  await reza.says('/start')
  await reza.forges(`release:${s}:same`)
  await reza.opens()
  expect(reza.heard).toBe(word('invitation-used'))
  await sara.answers(1)
  expect(sara.question.position).toBe(2)
})
