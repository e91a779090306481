import { expect } from 'vitest'
import { eventually } from '../until.ts'
import { story, word } from './gather.ts'
import { CHILD, FATHER, MOTHER } from './kin.ts'

story('a role can be taken back before it is begun, accepted or not', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'board' })
  const first = await owner.hands(FATHER)
  await owner.taps(/^unhand:/, owner.board)
  expect(owner.left).toBe(6)
  const father = join('رضا')
  await father.opens(first)
  expect(father.heard).toBe(word('invitation-revoked'))

  await father.accepts(await owner.hands(FATHER))
  await owner.taps(/^unhand:/, owner.board)
  expect(father.heard).toContain(word('unhanded-told'))
  expect(owner.left).toBe(6)
  const [open = ''] = father.buttons.filter((data) => data.startsWith('open:'))
  expect(open).toBe('')
  await father.says('/tests')
  expect(father.heard).toContain(word('tests-none'))
  await owner.takesAll()
})

story('an account with an open introduction is told that the role was taken back', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'board' })
  const father = join('رضا')
  await father.opens(await owner.hands(FATHER))
  await owner.taps(/^unhand:/, owner.board)
  await father.taps(/^begin:/)
  expect(father.heard).toBe(word('invitation-revoked'))
  // A new invitation to the same role opens it.
  await father.accepts(await owner.hands(FATHER))
  expect(father.left).toBe(2)
})

story('taking a child’s role back removes the question for its guardian', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'board' })
  const child = join('سارا')
  await child.opens(await owner.hands(CHILD))
  await child.taps(/^begin:/)
  expect(child.buttons).toContain('guardian:yes')
  await owner.taps(/^unhand:/, owner.board)
  expect(child.heard).toContain(word('unhanded-told'))
  expect(child.buttons).not.toContain('guardian:yes')
})

story('a role cannot be taken back once a test of it is begun', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'shared board' })
  const father = join('رضا')
  const [data = ''] = owner.buttons.filter((each) => each.startsWith('unhand:'))
  await father.taps(father.offered[0] ?? '', father.board)
  // The board shows that at once, and a forged button does not help.
  expect(owner.rolesOf('unhand')).toEqual([])
  await owner.forges(data)
  expect(owner.heard).toContain(word('unhand-begun'))
  await father.answers()
  await father.taps(/^submit:/)
  await owner.forges(data)
  expect(owner.heard).toContain(word('unhand-begun'))
  expect(owner.boards).toHaveLength(1)
})

story('a role with a half-done test cannot be assigned, one with a finished test can', async ({ gather }) => {
  const { owner, join, world, records } = await gather({ at: 'board' })
  const hand = owner.buttons.find((data) => data.startsWith('hand:') && data.endsWith(`:${MOTHER}`)) ?? ''
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.rolesOf('hand')).toEqual([FATHER, CHILD])
  await owner.forges(hand)
  expect(owner.heard).toContain(word('hand-begun'))
  await owner.taps(owner.offered[0] ?? '', owner.board)
  await owner.answers()
  await owner.taps(/^submit:/)
  const mother = join('مریم')
  await mother.accepts(await owner.hands(MOTHER))
  expect(mother.left).toBe(1)
  await mother.takesAll()
  expect(owner.board.text).toContain(word('board-handed', { done: 2, total: 2 }))
  expect(records.map((record) => world.sandbox.submissions(record).length)).toEqual([1, 1, 0, 0, 0, 0])
})

story(
  'while an invitation waits no account can open its tests, even with an old button',
  async ({ gather }) => {
    const { owner, join, calls } = await gather({ at: 'board' })
    const open = owner.offered[2] ?? ''
    await owner.taps(open, owner.board)
    const handOver = owner.person.last
    await owner.says('/tests')
    await owner.taps(/^open:/)
    const invitation = await owner.hands(FATHER)
    for (const data of [open, open.replace('open', 'ready')]) {
      await owner.forges(data, handOver)
      expect(owner.person.last).toBe(owner.board)
    }
    expect(calls('GET', /questions/)).toBe(0)
    const father = join('رضا')
    await father.accepts(invitation)
    await owner.forges(open)
    expect(owner.person.toasts).toContain(word('button-old'))
    await father.takesAll()
    expect(father.board.text).toContain(word('board-wait-others'))
  },
)

story('a test whose questions are loading is not begun once its role is assigned', async ({ gather }) => {
  const { owner, join, world, records, calls } = await gather({ at: 'board' })
  world.sandbox.fault({ kind: 'slow', ms: 1_000, path: 'questions' })
  const hand = owner.buttons.find((data) => data.startsWith('hand:') && data.endsWith(`:${MOTHER}`)) ?? ''
  owner.person.tap(owner.offered[0] ?? '', owner.board)
  await eventually(() => expect(calls('GET', /questions/)).toBe(1))
  await owner.forges(hand, owner.board)
  const invitation = /start=(i_[a-z2-7]{12})/.exec(owner.chat)?.[1] ?? ''
  const mother = join('مریم')
  await mother.accepts(invitation)
  await mother.takesAll()
  expect(records.map((record) => world.sandbox.submissions(record).length)).toEqual([1, 1, 0, 0, 0, 0])
  expect(owner.chat).not.toContain('گرم است؟')
})

story('forged buttons of a roadmap do nothing for strangers and invited accounts', async ({ gather }) => {
  const { owner, join, calls } = await gather({ productId: 'pair', at: 'board' })
  const s = owner.offered[0]?.split(':')[1] ?? ''
  const board = owner.board.reply_markup?.inline_keyboard.flat()[2]?.callback_data?.split(':')[1] ?? ''
  const invitation = await owner.hands(12)
  const [stranger, invited] = [join('غریبه'), join('مهمان')]
  await stranger.opens('')
  await invited.opens(invitation)
  for (const person of [stranger, invited]) {
    for (const data of [
      `open:${s}`,
      `ready:${s}`,
      `hand:${board}:11`,
      `unhand:${board}:12`,
      `generate:${board}`,
      `result:${s}`,
      'guardian:yes',
    ]) {
      await person.forges(data)
      expect(person.boards, data).toEqual([])
      expect(person.chat, data).not.toContain('گرم است؟')
    }
  }
  expect(calls('POST', /generate/)).toBe(0)
})

story(
  'an account that presses «begin» on a revoked role invitation gets no buttons afterwards',
  async ({ gather }) => {
    const { owner, other } = await gather({ at: 'board' })
    await other.opens(await owner.hands(FATHER))
    await owner.taps(new RegExp(`^unhand:[^:]+:${FATHER}$`))
    await other.taps(/^begin:/)
    expect(other.heard).toBe(word('invitation-revoked'))
    await other.says('رضا احمدی')
    expect(other.heard).toContain(word('nothing-open'))
    expect(other.data).toEqual([])
  },
)
