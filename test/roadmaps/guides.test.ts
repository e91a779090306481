import { expect } from 'vitest'
import { story, word } from './gather.ts'
import { CHILD, FATHER, MOBILE, MOTHER } from './kin.ts'

story('the bot asks once who has the phone, and the board says «شما» after that', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  expect(owner.chat).toContain(word('which-are-you'))
  const asks = owner.person.messages.find((each) => JSON.stringify(each).includes('"me:'))
  await owner.taps(/^me:/, asks)
  expect(owner.board.text).toContain(word('board-you').replace(/<[^>]+>/g, ''))
  await owner.opens('')
  expect(owner.chat.split(word('which-are-you'))).toHaveLength(1)
})

story(
  'one message asks who of those present has the phone, and goes with the last of them',
  async ({ gather }) => {
    const { owner } = await gather()
    await owner.opens()
    await owner.taps(/^begin:/)
    await owner.introduces(MOTHER)
    const asking = () => owner.person.messages.filter((each) => JSON.stringify(each).includes('"me:'))
    const roles = () => JSON.stringify(asking()[0]?.reply_markup).match(/me:[^:"]+:(\d+)/g)
    await owner.taps(new RegExp(`^hand:[^:]+:${FATHER}$`))
    expect(asking()).toHaveLength(1)
    expect(roles()).toHaveLength(2)
    const [mine = ''] = roles() ?? []
    await owner.forges(`${mine.slice(0, mine.lastIndexOf(':'))}:${FATHER}`)
    expect(asking()).toHaveLength(1)
    await owner.taps(new RegExp(`^hand:[^:]+:${CHILD}$`))
    expect(asking()).toEqual([])
    await owner.says(MOBILE)
    expect(owner.chat).not.toContain(word('which-are-you'))
  },
)

story('the bot asks again who has the phone after a role was taken back', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  const asking = () => owner.person.messages.filter((each) => JSON.stringify(each).includes('"me:'))
  await owner.hands(FATHER)
  await owner.hands(CHILD)
  expect(asking()).toEqual([])
  await owner.taps(new RegExp(`^unhand:[^:]+:${FATHER}$`), owner.board)
  expect(asking()).toHaveLength(1)
  expect(JSON.stringify(asking()[0]).match(/"me:[^:"]+:\d+/g)).toHaveLength(2)
})

story(
  'after the last test the analysis starts by itself, and a late press is answered',
  async ({ gather }) => {
    const party = await gather({ at: 'finished' })
    const { owner, waits } = party
    expect(owner.screen).toContain(word('board-all-finished-soon'))
    const generate = owner.data.find((data) => data.startsWith('generate:')) ?? ''
    await waits(61_000)
    expect(owner.board.text).toContain(word('generating').split('.')[0])
    await owner.forges(generate)
    expect(owner.board.text).toContain(word('generating').split('.')[0])
    await waits(20 * 60_000)
    expect(owner.reports).toHaveLength(1)
  },
)

story('the owner can make the analysis wait for a press', async ({ gather }) => {
  const { owner, waits } = await gather({ at: 'finished' })
  await owner.taps(/^auto:.*:off$/)
  expect(owner.screen).toContain(word('board-all-finished'))
  await waits(10 * 60_000)
  expect(owner.board.text).toContain(word('board-all-finished'))
  await owner.taps(/^generate:/)
  expect(owner.board.text).toContain(word('generating').split('.')[0])
})

story('an invited person reads who invites, and gets their own next test', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'board' })
  const asks = owner.person.messages.find((each) => JSON.stringify(each).includes('"me:'))
  await owner.taps(/^me:/, asks)
  const father = join('رضا')
  const invitation = await owner.hands(FATHER)
  await father.opens(invitation)
  expect(father.screen).toMatch(/شما را دعوت کرده است/)
  await father.taps(/^begin:/)
  expect(father.board.text).toMatch(/آزمون بعدی شما: /)
})

story(
  'the board names the only person who is left, and the owner can have them reminded',
  async ({ gather }) => {
    const { owner, join, waits } = await gather({ productId: 'pair', at: 'board' })
    const other = join('علی')
    const role = Number(owner.data.find((data) => data.startsWith('hand:'))?.split(':')[2])
    const invitation = await owner.hands(role)
    await owner.takes()
    expect(owner.board.text).toMatch(/فقط .+ مانده/)
    // A person who has not accepted cannot be reminded.
    expect(JSON.stringify(owner.board)).not.toContain('recall:')
    await other.accepts(invitation)
    expect(owner.board.text).toMatch(/فقط .+ مانده/)
    await owner.taps(/^recall:/, owner.board)
    await waits(1_000)
    expect(other.chat).toContain('هر وقت فرصت داشتید')
  },
)

story('a participant is never named to themselves by role and name, on any phone', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'board' })
  const asks = owner.person.messages.find((each) => JSON.stringify(each).includes('"me:'))
  await owner.taps(/^me:[^:]+:21$/, asks)
  await owner.takes()
  const you = word('board-you').replace(/<[^>]+>/g, '')
  expect(owner.chat).toContain(word('record-finished', { title: `خانهٔ ما · ${you}` }))
  await owner.takes(1)
  await owner.takes(1)
  expect(owner.chat).toContain('پدر (رضا)')
  const sara = join('سارا')
  await sara.accepts(await owner.hands(CHILD))
  await sara.takes()
  expect(sara.chat).toContain(word('record-finished', { title: 'روزهای من' }))
  expect(sara.chat).not.toContain('فرزند (سارا)')
})

story('all accounts are told that the analysis starts by itself, or that it waits', async ({ gather }) => {
  const { owner, other } = await gather({ productId: 'pair', at: 'shared and finished' })
  for (const { board } of [owner, other]) expect(board.text).toContain(word('board-all-finished-soon'))
  await owner.taps(/^auto:.*:off$/)
  for (const { board } of [owner, other]) {
    expect(board.text).not.toContain(word('board-all-finished-soon'))
    expect(board.text).toContain(word('board-all-finished'))
  }
})

story(
  'a teenager reads before the beginning, in unfolded text, that the others see the result',
  async ({ gather }) => {
    const { owner, join } = await gather({ at: 'board' })
    const sara = join('سارا')
    await sara.opens(await owner.hands(CHILD))
    const { text = '', entities = [] } = sara.person.messages.at(-1) ?? {}
    const at = text.indexOf(word('roadmap-result-shared').replace(/<[^>]+>/g, ''))
    expect(at).toBeGreaterThan(0)
    const folded = entities.filter(({ type }) => type.includes('blockquote'))
    expect(folded.length).toBeGreaterThan(0)
    for (const { offset, length } of folded) expect(at < offset || at >= offset + length).toBe(true)
    expect(sara.data.some((data) => data.startsWith('begin:'))).toBe(true)
  },
)

story('a participant whose answers are still being sent is not reminded to go on', async ({ gather }) => {
  const environment = { ORGANIZERS: '4001' }
  const { owner, other, world, waits } = await gather({ productId: 'pair', environment, at: 'shared board' })
  await owner.takesAll()
  world.sandbox.fault({
    kind: 'status',
    status: 503,
    method: 'POST',
    path: '^/record/[^/]*/$',
    times: 10_000,
  })
  const recall = /recall:[\w-]+/.exec(JSON.stringify(owner.board))?.[0] ?? ''
  await other.takes()
  await owner.opens('')
  expect(owner.board.text).toContain(word('board-sending'))
  await owner.forges(recall)
  for (let hour = 0; hour < 26; hour++) await waits(60 * 60_000)
  expect(other.chat).not.toContain('هنوز تمام نشده است')
  expect(other.chat).not.toContain('هر وقت فرصت داشتید')
})
