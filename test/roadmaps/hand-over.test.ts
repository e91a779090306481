import { expect } from 'vitest'
import { type Person, story, word } from './gather.ts'
import { ALL, CHILD, FATHER, MOTHER, people } from './kin.ts'

const buttonsFor = (person: Person, verb: string) =>
  person.board.reply_markup?.inline_keyboard
    .flat()
    .flatMap(({ callback_data: data = '' }) =>
      data.startsWith(`${verb}:`) ? [Number(data.split(':')[2])] : [],
    )

story('a role is given to its own account, and each account sees only its own tests', async ({ gather }) => {
  const { owner, join } = await gather()
  await owner.comesToBoard(ALL)
  expect(buttonsFor(owner, 'hand')).toEqual(ALL)
  const invitation = await owner.hands(FATHER)
  expect(owner.heard).toContain(word('board-handing', { done: 0, total: 2 }))
  expect(owner.offered).toHaveLength(4)

  const father = join('رضا')
  await father.opens(invitation)
  expect(father.screen).toContain(word('hand-intro', { role: 'پدر', organizer: 'کلینیک آرامش' }))
  expect(father.screen).toContain('گفت‌وگو')
  expect(father.screen).not.toContain('روزهای من')
  expect(father.screen).toContain(word('roadmap-result-participant', { organizer: 'کلینیک آرامش' }))
  expect(father.screen).toContain(word('intro-consent'))
  await father.taps(/^begin:/)
  expect(father.offered).toHaveLength(2)
  expect(father.board.text).toContain('پدر')
  for (const others of ['مادر', 'فرزند', 'روزهای من']) expect(father.board.text).not.toContain(others)
  expect(buttonsFor(father, 'hand')).toEqual([])
  expect(owner.board.text).toContain(word('board-handed', { done: 0, total: 2 }))
  for (const { name } of ALL.map((role) => people[role] ?? { name: '-' }))
    expect(father.chat).not.toContain(name)
})

story('what the other one has done is shown, and never an answer', async ({ gather }) => {
  const { owner, join } = await gather()
  await owner.comesToBoard(ALL)
  const father = join('رضا')
  await father.accepts(await owner.hands(FATHER))
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

story('the order between accounts is free', async ({ gather }) => {
  const { owner, join, world, records } = await gather()
  await owner.comesToBoard(ALL)
  const father = join('رضا')
  await father.accepts(await owner.hands(FATHER))
  await father.takes()
  await owner.takes(1)
  await father.takes()
  await owner.takesAll()
  for (const record of records) expect(world.sandbox.submissions(record)).toHaveLength(1)
  expect(father.buttons.filter((data) => data.startsWith('generate:'))).toHaveLength(1)
  expect(owner.buttons.filter((data) => data.startsWith('generate:'))).toHaveLength(1)
})

story('the one who began cannot use the invitation', async ({ gather }) => {
  const { owner } = await gather()
  await owner.comesToBoard(ALL)
  await owner.opens(await owner.hands(FATHER))
  expect(owner.heard).toContain(word('hand-own'))
  expect(owner.offered).toHaveLength(4)
})

story('a used invitation opens for nobody else', async ({ gather }) => {
  const { owner, join } = await gather()
  await owner.comesToBoard(ALL)
  const invitation = await owner.hands(FATHER)
  const [father, stranger, early] = [join('رضا'), join('غریبه'), join('زود')]
  await early.opens(invitation)
  await father.accepts(invitation)
  await stranger.opens(invitation)
  expect(stranger.heard).toBe(word('invitation-used'))
  // Who had it open before somebody else accepted.
  await early.taps(/^begin:/)
  expect(early.heard).toContain(word('invitation-used'))
  await early.says('/tests')
  expect(early.heard).toContain(word('tests-none'))
})

story('two accounts that accept at once: one has the role', async ({ gather }) => {
  const { owner, join, world } = await gather()
  await owner.comesToBoard(ALL)
  const invitation = await owner.hands(FATHER)
  const [one, other] = [join('یک'), join('دو')]
  await one.opens(invitation)
  await other.opens(invitation)
  await one.acts(() => {
    one.driver.tap(/^begin:/)
    other.driver.tap(/^begin:/)
  })
  const boards = [one.boards.length, other.boards.length]
  expect(boards.toSorted()).toEqual([0, 1])
  const loser = one.boards.length === 0 ? one : other
  expect(loser.chat).toContain(word('invitation-used'))
  expect(world.lines.join('\n')).not.toContain('message set aside')
})

story('the code can be typed, alone or in a link, and an unknown one opens nothing', async ({ gather }) => {
  const { owner, join } = await gather()
  await owner.comesToBoard(ALL)
  const invitation = await owner.hands(FATHER)
  const father = join('رضا')
  await father.says('aaaaaaaaaaaa')
  expect(father.heard).toBe(word('invitation-unknown'))
  await father.says(invitation.slice(2))
  expect(father.screen).toContain(word('hand-intro', { role: 'پدر', organizer: 'کلینیک آرامش' }))
  await father.says(`ببین https://t.me/porsa_demo_bot?start=${invitation} را`)
  expect(father.screen).toContain(word('hand-intro', { role: 'پدر', organizer: 'کلینیک آرامش' }))
  await father.taps(/^begin:/)
  // The same link leads back to the board.
  await father.opens(invitation)
  expect(father.driver.last).toBe(father.board)
  await father.opens()
  expect(father.driver.last).toBe(father.board)
})

story('with INVITATION_ONLY the invitation to a role still opens', async ({ gather }) => {
  const { owner, join, restarts } = await gather()
  await owner.comesToBoard(ALL)
  const invitation = await owner.hands(FATHER)
  await restarts({ INVITATION_ONLY: 'true' })
  const father = join('رضا')
  await father.opens()
  expect(father.heard).toBe(word('invitation-unknown'))
  await father.accepts(invitation)
  expect(father.offered).toHaveLength(2)
})

story('a role can be taken back before it is begun, whether it was accepted or not', async ({ gather }) => {
  const { owner, join } = await gather()
  await owner.comesToBoard(ALL)
  const first = await owner.hands(FATHER)
  await owner.taps(/^unhand:/, owner.board)
  expect(owner.offered).toHaveLength(6)
  const father = join('رضا')
  await father.opens(first)
  expect(father.heard).toBe(word('invitation-unknown'))

  await father.accepts(await owner.hands(FATHER))
  await owner.taps(/^unhand:/, owner.board)
  expect(father.heard).toContain(word('unhanded-told'))
  expect(owner.offered).toHaveLength(6)
  const [open = ''] = father.buttons.filter((data) => data.startsWith('open:'))
  expect(open).toBe('')
  await father.says('/tests')
  expect(father.heard).toContain(word('tests-none'))
  await owner.takesAll()
})

story('a role is not taken back once it was begun there', async ({ gather }) => {
  const { owner, join } = await gather()
  await owner.comesToBoard(ALL)
  const father = join('رضا')
  await father.accepts(await owner.hands(FATHER))
  const [data = ''] = owner.buttons.filter((each) => each.startsWith('unhand:'))
  await father.taps(father.offered[0] ?? '', father.board)
  // The board shows it at once, and a forged button does not help.
  expect(buttonsFor(owner, 'unhand')).toEqual([])
  await owner.forges(data)
  expect(owner.heard).toContain(word('unhand-begun'))
  await father.answers()
  await father.taps(/^submit:/)
  await owner.forges(data)
  expect(owner.heard).toContain(word('unhand-begun'))
  expect(owner.boards).toHaveLength(1)
})

story('a role is not given away with a test half done, but with one that is finished', async ({ gather }) => {
  const { owner, join, world, records } = await gather()
  await owner.comesToBoard(ALL)
  const hand = owner.buttons.find((data) => data.endsWith(`:${MOTHER}`)) ?? ''
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(buttonsFor(owner, 'hand')).toEqual([FATHER, CHILD])
  await owner.forges(hand)
  expect(owner.heard).toContain(word('hand-begun'))
  await owner.taps(owner.offered[0] ?? '', owner.board)
  await owner.answers()
  await owner.taps(/^submit:/)
  const mother = join('مریم')
  await mother.accepts(await owner.hands(MOTHER))
  expect(mother.offered).toHaveLength(1)
  await mother.takesAll()
  expect(owner.board.text).toContain(word('board-handed', { done: 2, total: 2 }))
  expect(records.map((record) => world.sandbox.submissions(record).length)).toEqual([1, 1, 0, 0, 0, 0])
})

story(
  'while an invitation waits nobody opens the tests, not even through an old button',
  async ({ gather }) => {
    const { owner, join, calls } = await gather()
    await owner.comesToBoard(ALL)
    const open = owner.offered[2] ?? ''
    await owner.taps(open, owner.board)
    const curtain = owner.driver.last
    await owner.says('/tests')
    await owner.taps(/^open:/)
    const invitation = await owner.hands(FATHER)
    for (const data of [open, open.replace('open', 'ready')]) {
      await owner.forges(data, curtain)
      expect(owner.driver.last).toBe(owner.board)
    }
    expect(calls('GET', /questions/)).toBe(0)
    const father = join('رضا')
    await father.accepts(invitation)
    await owner.forges(open)
    expect(owner.driver.toasts).toContain(word('button-old'))
    await father.takesAll()
    expect(father.board.text).toContain(word('board-wait-others'))
  },
)

story('a test that was on its way here is not begun after the role was given away', async ({ gather }) => {
  const { owner, join, world, records } = await gather()
  await owner.comesToBoard(ALL)
  world.sandbox.fault({ kind: 'slow', ms: 250, path: 'questions' })
  const hand = owner.buttons.find((data) => data.endsWith(`:${MOTHER}`)) ?? ''
  owner.driver.tap(owner.offered[0] ?? '', owner.board)
  await new Promise((resolve) => setTimeout(resolve, 120))
  await owner.forges(hand, owner.board)
  const invitation = /start=(i_[a-z2-7]{12})/.exec(owner.chat)?.[1] ?? ''
  const mother = join('مریم')
  await mother.accepts(invitation)
  await mother.takesAll()
  expect(records.map((record) => world.sandbox.submissions(record).length)).toEqual([1, 1, 0, 0, 0, 0])
  expect(owner.chat).not.toContain('گرم است؟')
})

story('the own account of a child asks for the guardian again', async ({ gather }) => {
  const { owner, join } = await gather()
  await owner.comesToBoard(ALL)
  const child = join('سارا')
  await child.opens(await owner.hands(CHILD))
  await child.taps(/^begin:/)
  expect(child.data).toEqual(['guardian:yes', 'guardian:no'])
  expect(child.boards).toEqual([])
  await child.taps('guardian:no')
  expect(child.heard).toContain(word('guardian-stop'))
  await child.opens('')
  await child.taps('guardian:yes')
  expect(child.offered).toHaveLength(2)
  await child.opens('')
  expect(child.driver.last).toBe(child.board)
  await child.takesAll()
})

story('one account can be given two roles, with the curtain between them', async ({ gather }) => {
  const { owner, join, world, records } = await gather()
  await owner.comesToBoard(ALL)
  const father = join('رضا')
  await father.accepts(await owner.hands(FATHER))
  const second = await owner.hands(CHILD)
  await father.opens(second)
  expect(father.screen).toContain(word('hand-intro', { role: 'فرزند', organizer: 'کلینیک آرامش' }))
  // The first role goes on while the second invitation waits.
  await father.opens('')
  await father.takes()
  await father.opens(second)
  await father.taps(/^begin:/)
  await father.taps('guardian:yes')
  expect(father.offered).toHaveLength(3)
  await father.taps(father.offered[1] ?? '', father.board)
  expect(father.screen).toBe(word('curtain', { role: 'فرزند', test: 'روزهای من' }))
  await father.opens('')
  await owner.taps(/^unhand:/, owner.board)
  expect(father.heard).toContain(word('unhanded-told'))
  expect(father.offered).toHaveLength(1)
  await father.takesAll()
  expect(records.map((record) => world.sandbox.submissions(record).length)).toEqual([0, 0, 1, 1, 0, 0])
})

story('forged buttons of a roadmap do nothing for strangers and invited people', async ({ gather }) => {
  const { owner, join, calls } = await gather({ productId: 'pair' })
  await owner.comesToBoard([11, 12])
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
