import { expect } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/domain/durations.ts'
import { createParticipant } from '../dialogs/walk.ts'
import { ORGANIZED, organizerOf, shortIdOf } from '../organizers/office.ts'
import { story, word } from './gather.ts'
import { ALL, CHILD, FATHER, KIN_TITLE, people, products } from './kin.ts'

story('a role can be assigned to another account; each sees only its own tests', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'board' })
  expect(owner.rolesOf('hand')).toEqual(ALL)
  const invitation = await owner.hands(FATHER)
  expect(owner.board.text).toContain(word('board-handing', { done: 0, total: 2 }))
  expect(owner.left).toBe(4)

  const father = join('رضا')
  await father.opens(invitation)
  expect(father.screen).toContain(word('hand-intro', { role: 'پدر', count: 2 }))
  expect(father.screen).toContain('گفتگو')
  expect(father.screen).not.toContain('روزهای من')
  expect(father.screen).toContain(word('roadmap-result-participant'))
  expect(father.screen).toContain(word('intro-consent'))
  await father.taps(/^begin:/)
  expect(father.left).toBe(2)
  expect(father.board.text).toContain('شما')
  for (const others of ['مادر', 'فرزند', 'روزهای من']) expect(father.board.text).not.toContain(others)
  expect(father.rolesOf('hand')).toEqual([])
  expect(owner.board.text).toContain(word('board-handed', { done: 0, total: 2 }))
  for (const { name } of ALL.map((role) => people[role] ?? { name: '-' }))
    expect(father.chat).not.toContain(name)
})

story('the owner sees the progress of the other account, and never an answer', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'shared board' })
  const father = join('رضا')
  await father.takes(0, 2)
  expect(owner.board.text).toContain(word('board-handed', { done: 1, total: 2 }))
  await father.taps(father.offered[0] ?? '', father.board)
  await father.taps(/^a:/)
  expect(owner.board.text).toContain(word('board-handed', { done: 1, total: 2 }))
  await father.answers()
  await father.taps(/^submit:/)
  expect(owner.board.text).toContain(word('board-handed', { done: 2, total: 2 }))
  expect(father.board.text).toContain(word('board-wait-others'))
  for (const said of ['همیشه', 'هرگز', 'گرم است؟']) expect(owner.chat).not.toContain(said)
})

story('the accounts can take their tests in any order', async ({ gather }) => {
  const { owner, join, world, records } = await gather({ at: 'shared board' })
  const father = join('رضا')
  await father.takes()
  await owner.takes(1)
  await father.takes()
  await owner.takesAll()
  for (const record of records) expect(world.sandbox.submissions(record)).toHaveLength(1)
  expect(father.buttons.filter((data) => data.startsWith('generate:'))).toHaveLength(1)
  expect(owner.buttons.filter((data) => data.startsWith('generate:'))).toHaveLength(1)
})

story('a role invitation can be used as long as the roadmap is under way', async ({ gather }) => {
  const { owner, join, waits } = await gather({ at: 'board' })
  const father = join('رضا')
  const fathers = await owner.hands(FATHER)
  const childs = await owner.hands(CHILD)
  await father.accepts(fathers)
  for (let visits = 0; visits < 3; visits++) {
    await waits(25 * DAY_MS)
    await father.opens('')
    if (visits < 2) await owner.takes()
  }
  await father.opens(fathers)
  expect(father.board.text).toContain('شما')
  expect(owner.board.text).toContain(word('board-handing', { done: 0, total: 2 }))
  const child = join('سارا')
  await child.accepts(childs)
  expect(child.left).toBe(2)
})

story('the owner cannot use the invitation to a role', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  await owner.opens(await owner.hands(FATHER))
  expect(owner.heard).toContain(word('hand-own'))
  expect(owner.left).toBe(4)
})

story('a used role invitation opens for no other account', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'board' })
  const invitation = await owner.hands(FATHER)
  const [father, stranger, early] = [join('رضا'), join('غریبه'), join('زود')]
  await early.opens(invitation)
  await father.accepts(invitation)
  await stranger.opens(invitation)
  expect(stranger.heard).toBe(word('invitation-used'))
  // An account that had it open before another one accepted.
  await early.taps(/^begin:/)
  expect(early.heard).toContain(word('invitation-used'))
  await early.says('/tests')
  expect(early.heard).toContain(word('tests-none'))
})

story('an account with a role learns that its invitation to another one is used', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'board' })
  const [father, child] = [join('رضا'), join('سارا')]
  await father.accepts(await owner.hands(FATHER))
  const invitation = await owner.hands(CHILD)
  await father.opens(invitation)
  await child.accepts(invitation)
  await father.taps(/^begin:/)
  expect(father.heard).toContain(word('invitation-used'))
  expect(father.person.last).toBe(father.board)
  expect(father.left).toBe(2)
  expect(child.left).toBe(2)
})

story('of two accounts that accept at once one has the role', async ({ gather }) => {
  const { owner, join, world } = await gather({ at: 'board' })
  const invitation = await owner.hands(FATHER)
  const [one, other] = [join('یک'), join('دو')]
  await one.opens(invitation)
  await other.opens(invitation)
  await one.acts(() => {
    one.person.tap(/^begin:/)
    other.person.tap(/^begin:/)
  })
  const boards = [one.boards.length, other.boards.length]
  expect(boards.toSorted()).toEqual([0, 1])
  const loser = one.boards.length === 0 ? one : other
  expect(loser.chat).toContain(word('invitation-used'))
  expect(world.lines.join('\n')).not.toContain('message set aside')
})

story('a code can be typed, alone or in a link; an unknown one opens nothing', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'board' })
  const invitation = await owner.hands(FATHER)
  const father = join('رضا')
  await father.says('aaaaaaaaaaaa')
  expect(father.heard).toBe(word('invitation-unknown'))
  await father.says(invitation.slice(2))
  expect(father.screen).toContain(word('hand-intro', { role: 'پدر', count: 2 }))
  await father.says(`ببین https://t.me/porsa_demo_bot?start=${invitation} را`)
  expect(father.screen).toContain(word('hand-intro', { role: 'پدر', count: 2 }))
  await father.taps(/^begin:/)
  // The same link leads back to the board.
  await father.opens(invitation)
  expect(father.person.last).toBe(father.board)
  await father.opens()
  expect(father.person.last).toBe(father.board)
})

story('with INVITATION_ONLY a role invitation still opens', async ({ gather }) => {
  const { owner, join, restarts } = await gather({ at: 'board' })
  const invitation = await owner.hands(FATHER)
  await restarts({ INVITATION_ONLY: 'true' })
  const father = join('رضا')
  await father.opens()
  expect(father.heard).toBe(word('invitation-unknown'))
  await father.accepts(invitation)
  expect(father.left).toBe(2)
})

story('a child’s own account asks for the guardian again', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'board' })
  const child = join('سارا')
  await child.opens(await owner.hands(CHILD))
  await child.taps(/^begin:/)
  expect(child.data).toEqual(['guardian:yes', 'guardian:link', 'guardian:no'])
  expect(child.boards).toEqual([])
  await child.taps('guardian:no')
  expect(child.heard).toContain(word('guardian-stop'))
  await child.opens('')
  await child.taps('guardian:yes')
  expect(child.left).toBe(2)
  await child.opens('')
  expect(child.person.last).toBe(child.board)
  await child.takesAll()
})

story('one account can have two roles, with a hand-over between them', async ({ gather }) => {
  const { owner, join, world, records } = await gather({ at: 'shared board' })
  const father = join('رضا')
  const second = await owner.hands(CHILD)
  await father.opens(second)
  expect(father.screen).toContain(word('hand-intro', { role: 'فرزند', count: 2 }))
  // The first role can go on while the second invitation waits.
  await father.opens('')
  await father.takes()
  await father.opens(second)
  await father.taps(/^begin:/)
  await father.taps('guardian:yes')
  expect(father.left).toBe(3)
  await father.taps(father.offered[1] ?? '', father.board)
  expect(father.screen).toContain(word('hand-over', { role: 'فرزند (سارا)', test: 'روزهای من' }))
  await father.opens('')
  await owner.taps(/^unhand:/, owner.board)
  expect(father.chat).toContain(word('unhanded-role', { role: 'فرزند' }))
  expect(father.left).toBe(1)
  await father.takesAll()
  expect(records.map((record) => world.sandbox.submissions(record).length)).toEqual([0, 0, 1, 1, 0, 0])
})

story('a participant with a test left is reminded; one who only waits is not', async ({ gather }) => {
  const { owner, join, waits } = await gather({ at: 'shared board' })
  const father = join('رضا')
  await owner.takesAll()
  await waits(25 * HOUR_MS)
  // The reminder of an account with one role names no role.
  const [home, talk] = ['خانهٔ ما', 'گفتگو']
  const line = (number: number, title: string, state: string) => word('tests-line', { number, title, state })
  const isNew = word('stage-new')
  const both = [word('reminder-several', { count: 2 }), line(1, home, isNew), line(2, talk, isNew)]
  expect([owner, father].map(({ chat }) => both.every((each) => chat.includes(each)))).toEqual([false, true])
  // A half-done test comes first with its next question, and its button leads to it.
  await father.taps(/^open:/)
  await father.taps(/^a:/)
  await waits(25 * HOUR_MS)
  expect(father.heard).toContain(line(1, home, word('stage-question', { position: 2, total: 2 })))
  expect(father.heard).toContain(line(2, talk, isNew))
  await father.taps(/^open:/)
  expect(father.question.position).toBe(2)
  await father.answers()
  await father.taps(/^submit:/)
  // A single test that is left has a reminder of its own.
  await waits(25 * HOUR_MS)
  expect(father.heard).toContain(word('reminder-next', { roadmap: KIN_TITLE, title: talk }))
})

story('a test opened after the question for a mobile takes the typed text', async ({ gather }) => {
  const { owner, join, world } = await gather({ productId: 'pair', at: 'board', environment: ORGANIZED })
  const invitation = await owner.hands(12)
  const token = world.sandbox.addRecord({ testId: 'home', testsAuthRequired: false })
  const sara = createParticipant(world, world.emulator.person({ firstName: 'سارا' }), token)
  await sara.walksTo('question')
  const office = await organizerOf({ world })
  await office.forges(`release:${shortIdOf(sara)}:same`)

  const husband = join('علی')
  const isAsked = async () => {
    // Not at once, so that the button does not count as doubled.
    world.pass(6_000)
    await husband.opens(office.invitation)
    expect(husband.heard).toBe(word('takeover-ask', { tries: 3 }))
  }
  await isAsked()
  await husband.opens(invitation)
  await husband.says('سلام')
  expect(husband.heard).not.toContain(word('mobile-example'))
  await husband.taps(/^begin:/)
  await husband.taps(husband.offered[0] ?? '', husband.board)
  await husband.says('۱')
  expect(husband.question.position).toBe(2)
  await isAsked()
  await husband.taps(/^go:[^:]+:0$/)
  // Telegram dates messages by the second.
  world.pass(1_000)
  await husband.says('۳')
  expect(husband.question.position).toBe(2)
  expect(husband.heard).not.toContain(word('mobile-example'))
  await isAsked()
  await husband.taps(husband.offered[0] ?? '', husband.board)
  await husband.says('۲')
  expect(husband.place).toBe('review')
})

story('a role without a test cannot be assigned before the registration', async ({ gather }) => {
  const wifeAlone = products.map((each) => ({ ...each, tests: each.tests.filter(({ role }) => role !== 12) }))
  const { owner } = await gather({ productId: 'pair', sandbox: { products: wifeAlone } })
  await owner.opens()
  await owner.taps(/^begin:/)
  await owner.introduces(11)
  expect(owner.place).toBe('name')
  expect(owner.data.filter((data) => data.startsWith('hand:'))).toEqual([])
})

story('a text typed at the introduction of a role with known details is deleted', async ({ gather }) => {
  const { owner, other } = await gather({ productId: 'pair', at: 'board' })
  await other.opens(await owner.hands(12))
  await other.says('علی احمدی')
  await other.taps(/^begin:/)
  expect(other.chat).toContain(word('typed-withdrawn'))
  expect(other.chat).not.toContain('علی احمدی')
  expect(other.place).toBe('board')
})
