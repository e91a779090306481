import { expect } from 'vitest'
import { ORGANIZED, organizerOf } from '../organizers/office.ts'
import { story, word } from './gather.ts'
import { MOBILE, people } from './kin.ts'

/** What somebody else has told the service of a couple, so that every test can be begun. */
const profilesOf = (roles: readonly number[]) => ({
  mobile: MOBILE,
  roles: roles.map((id) => ({
    id,
    profile: { name: people[id]?.name, birth: '1990-01-01', is_male: id === 12 },
  })),
})

story('details typed by the link of one test keep that test from nobody', async ({ gather }) => {
  const { owner, join, records, roles } = await gather({ productId: 'pair' })
  const stranger = join('غریبه')
  await stranger.opens(`record_${records[0]}`)
  await stranger.taps(/^begin:/)
  await stranger.says('سارا محمدی')
  await owner.comesToBoard(roles)
  expect(owner.board.text).not.toContain(word('stage-apart'))
  expect(stranger.heard).toBe(word('belongs-to-roadmap'))
  expect(stranger.chat).not.toContain('محمدی')
  await stranger.says('/tests')
  expect(stranger.heard).toBe(word('tests-none'))
  await owner.takesAll()
  expect(owner.data.some((data) => data.startsWith('generate:'))).toBe(true)
})

story(
  'whoever gave details by the link of one test comes to the board, and to that alone',
  async ({ gather }) => {
    const { owner, records, roles } = await gather({ productId: 'pair' })
    await owner.opens(`record_${records[0]}`)
    await owner.taps(/^begin:/)
    await owner.says('سارا محمدی')
    await owner.comesToBoard(roles)
    expect(owner.left).toBe(2)
    expect(owner.chat).not.toContain('محمدی')
    await owner.says('/tests')
    expect(owner.heard).not.toContain(word('stage-profile'))
    await owner.takesAll()
  },
)

story('a test begun by its own link goes on when its role is taken by somebody else', async ({ gather }) => {
  const { join, records, world, token, roles, calls } = await gather({
    productId: 'pair',
    environment: ORGANIZED,
  })
  world.sandbox.register(token, profilesOf(roles))
  const stranger = join('غریبه')
  await stranger.opens(`record_${records[0]}`)
  await stranger.taps(/^begin:/)
  await stranger.taps(/^a:[^:]+:0:0:/, stranger.person.last)
  const office = await organizerOf({ world })
  await office.forges(`invite:m:${token}:${roles[0]}`)
  const holder = join('مریم')
  await holder.accepts(office.invitation)
  expect(holder.board.text).toContain(word('stage-apart'))
  expect(holder.board.text).toContain(word('board-wait-others'))

  await stranger.answers()
  await stranger.taps(/^submit:/)
  expect(calls('POST', /^\/record\/[^/]+\/$/)).toBe(1)
  expect(holder.board.text).not.toContain(word('stage-apart'))
})

story(
  'a role that is released takes a test with it that somebody has begun by its own link',
  async ({ gather }) => {
    const { join, records, world, token, roles, calls } = await gather({
      productId: 'pair',
      environment: ORGANIZED,
    })
    world.sandbox.register(token, profilesOf(roles))
    const stranger = join('غریبه')
    await stranger.opens(`record_${records[0]}`)
    await stranger.taps(/^begin:/)
    await stranger.taps(/^a:[^:]+:0:1:/, stranger.person.last)
    const question = stranger.person.last
    const [next = ''] = stranger.data
    const office = await organizerOf({ world })
    await office.forges(`invite:m:${token}:${roles[0]}`)
    const holder = join('مریم')
    await holder.accepts(office.invitation)

    await office.says(`/roadmaps ${token}`)
    await office.taps(/^release:/)
    await office.taps(/^release:[^:]+:same$/)
    expect(stranger.heard).toBe(word('released-told', { title: 'خانهٔ ما' }))
    await stranger.forges(next, question)
    const anew = join('مریم')
    await anew.opens(office.invitation)
    await anew.says(MOBILE)
    expect(anew.board.text).not.toContain(word('stage-apart'))
    await anew.taps(/^open:/)
    expect(anew.question.position).toBe(2)
    await anew.answers(1)
    await anew.taps(/^submit:/)
    expect(calls('POST', /^\/record\/[^/]+\/$/)).toBe(1)
  },
)

story(
  'a test that was released by itself goes on with its role, once that is released',
  async ({ gather }) => {
    const { join, records, world, token, roles } = await gather({
      productId: 'pair',
      environment: ORGANIZED,
    })
    world.sandbox.register(token, profilesOf(roles))
    const stranger = join('غریبه')
    await stranger.opens(`record_${records[0]}`)
    await stranger.taps(/^begin:/)
    await stranger.taps(/^a:[^:]+:0:1:/, stranger.person.last)
    const office = await organizerOf({ world })
    await office.says(`/records ${records[0]}`)
    await office.taps(/^release:/)
    await office.taps(/^release:[^:]+:same$/)
    await office.forges(`invite:m:${token}:${roles[0]}`)
    const holder = join('مریم')
    await holder.accepts(office.invitation)
    expect(holder.board.text).toContain(word('stage-apart'))
    expect(holder.data.some((data) => data.startsWith('open:'))).toBe(false)

    await office.says(`/roadmaps ${token}`)
    await office.taps(/^release:/)
    await office.taps(/^release:[^:]+:same$/)
    const anew = join('مریم')
    await anew.opens(office.invitation)
    await anew.says(MOBILE)
    await anew.taps(/^open:/)
    expect(anew.question.position).toBe(2)
  },
)
