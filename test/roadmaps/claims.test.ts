import { expect } from 'vitest'
import { ORGANIZED, organizerOf } from '../organizers/office.ts'
import { story, word } from './gather.ts'
import { ALL, MOBILE, profilesOf } from './kin.ts'

story('a consent that is given twice at once begins once', async ({ gather }) => {
  const { owner, calls } = await gather()
  await owner.opens()
  const { last } = owner.person
  await owner.acts(() => {
    owner.person.tap(/^begin:/, last)
    owner.person.tap(/^begin:/, last)
  })
  expect(owner.screen).toContain(word('name-ask-role', { role: 'مادر' }))
  expect(calls('GET', /roadmap/)).toBe(1)
})

story('another account learns only that the invitation is used', async ({ gather }) => {
  const { owner, join } = await gather()
  const stranger = join('غریبه')
  await stranger.opens()
  const { last } = stranger.person
  await owner.opens()
  await owner.taps(/^begin:/)
  await owner.says('مریم احمدی')
  await stranger.taps(/^begin:/, last)
  expect(stranger.heard).toContain(word('invitation-used'))
  await stranger.opens()
  expect(stranger.heard).toBe(word('invitation-used'))
  expect(stranger.chat).not.toContain('مریم')
})

story('a nested record cannot be opened by a link of its own', async ({ gather }) => {
  const { owner, join, records, calls } = await gather({ at: 'board' })
  const stranger = join('غریبه')
  await stranger.opens(`record_${records[0]}`)
  expect(stranger.heard).toBe(word('invitation-used'))
  const before = calls('GET', /record/)
  await owner.opens(`record_${records[3]}`)
  expect(owner.data.some((data) => data.startsWith('ready:'))).toBe(true)
  expect(calls('GET', /record/)).toBe(before)
})

story(
  'an introduction read before the roadmap was begun cannot begin a second attempt',
  async ({ gather }) => {
    const { owner, join, records, calls } = await gather()
    const stranger = join('غریبه')
    await stranger.opens(`record_${records[0]}`)
    const begin = stranger.person.last
    await owner.comesToBoard(ALL)
    await stranger.taps(/^begin:/, begin)
    expect(stranger.heard).toBe(word('invitation-used'))
    expect(calls('GET', /questions/)).toBe(0)
    await owner.takesAll()
  },
)

story(
  'an owner who read the introduction of a nested record before comes from it to the board',
  async ({ gather }) => {
    const { owner, records } = await gather()
    await owner.opens(`record_${records[3]}`)
    const introduction = owner.person.last
    const begin = owner.data.find((data) => data.startsWith('begin:')) ?? ''
    await owner.comesToBoard(ALL)
    await owner.forges(begin, introduction)
    expect(owner.data.some((data) => data.startsWith('ready:'))).toBe(true)
  },
)

story('a roadmap that was forgotten and released begins again behind the mobile', async ({ gather }) => {
  const { owner, world, token } = await gather({ at: 'board', environment: ORGANIZED })
  await owner.forgets()
  const office = await organizerOf({ world })
  await office.says(`/roadmaps ${token}`)
  await office.taps(/^release:/)
  await office.taps(/^release:[^:]+:same$/)
  await owner.opens(office.invitation)
  expect(owner.heard).toBe(word('takeover-ask', { tries: 3 }))
  await owner.says(MOBILE)
  await owner.taps(/^begin:/)
  expect(owner.left).toBe(6)
  await owner.takes()
  expect(owner.left).toBe(5)
})

story('a nested record stays with the account that began it by its own link', async ({ gather }) => {
  const { owner, join, records, calls } = await gather({
    productId: 'pair',
    roadmap: { authRequired: false },
  })
  const stranger = join('غریبه')
  await stranger.opens(`record_${records[0]}`)
  await stranger.taps(/^begin:/)
  await stranger.taps(/^a:[^:]+:0:0:/, stranger.person.last)
  await owner.opens()
  await owner.taps(/^begin:/)
  expect(owner.board.text).toContain(word('stage-apart'))
  expect(owner.left).toBe(1)
  await owner.opens(`record_${records[0]}`)
  expect(owner.heard).toBe(word('invitation-used'))

  await stranger.answers()
  await stranger.taps(/^submit:/)
  expect(calls('POST', /^\/record\/[^/]+\/$/)).toBe(1)
  // A record of a roadmap has no result of its own, and the board belongs to another account.
  expect(stranger.reports).toEqual([])
  expect(stranger.boards).toEqual([])
  expect(owner.board.text).not.toContain(word('stage-apart'))
  await owner.takesAll()
  expect(owner.data.some((data) => data.startsWith('generate:'))).toBe(true)
  expect(calls('POST', /^\/record\/[^/]+\/$/)).toBe(2)
})

story('an owner goes on at the board with a test begun by its own link', async ({ gather }) => {
  const { owner, records, calls } = await gather({ productId: 'pair', roadmap: { authRequired: false } })
  await owner.opens(`record_${records[0]}`)
  await owner.taps(/^begin:/)
  await owner.taps(/^a:[^:]+:0:1:/, owner.person.last)
  await owner.opens()
  await owner.taps(/^begin:/)
  expect(owner.left).toBe(2)
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.question.position).toBe(2)
  await owner.answers(1)
  await owner.taps(/^submit:/)
  expect(calls('POST', /^\/record\/[^/]+\/$/)).toBe(1)
  expect(owner.left).toBe(1)
})

story(
  'a nested record begun by its own link is released with the roadmap of the same account',
  async ({ gather }) => {
    const { owner, join, records, world, token, roles } = await gather({
      productId: 'pair',
      environment: ORGANIZED,
    })
    expect(world.sandbox.register(token, profilesOf(roles))).toBe(true)
    await owner.opens(`record_${records[0]}`)
    await owner.taps(/^begin:/)
    await owner.taps(/^a:[^:]+:0:1:/, owner.person.last)
    const question = owner.person.last
    const [next = ''] = owner.data
    await owner.opens()
    await owner.taps(/^begin:/)
    const office = await organizerOf({ world })
    await office.says(`/roadmaps ${token}`)
    await office.taps(/^release:/)
    await office.taps(/^release:[^:]+:same$/)
    await owner.forges(next, question)
    await owner.opens(`record_${records[0]}`)
    expect(owner.heard).toBe(word('invitation-used'))
    const anew = join('مریم')
    await anew.opens(office.invitation)
    await anew.says(MOBILE)
    await anew.taps(/^open:/)
    expect(anew.question.position).toBe(2)
  },
)
