import { expect } from 'vitest'
import { ORGANIZED } from '../organizers/office.ts'
import { type Party, type Person, story, word } from './gather.ts'
import { MOBILE, people } from './kin.ts'

const PAIR = { productId: 'pair', environment: ORGANIZED }

const registers = ({ world, token, roles }: Party) =>
  world.sandbox.register(token, {
    mobile: MOBILE,
    roles: roles.map((id) => ({
      id,
      profile: { name: people[id]?.name, birth: '1990-01-01', is_male: id === 12 },
    })),
  })

async function beginsApart(person: Person, record: string | undefined) {
  await person.opens(`record_${record}`)
  await person.taps(/^begin:/)
  await person.taps(/^a:[^:]+:0:1:/, person.person.last)
}

async function beginsWhole(person: Person) {
  await person.opens()
  await person.taps(/^begin:/)
}

story('/forget counts answers once that were begun by the link of a test', async ({ gather }) => {
  const party = await gather(PAIR)
  registers(party)
  const { owner, records } = party
  await beginsApart(owner, records[0])
  await beginsWhole(owner)
  await owner.says('/forget')
  expect(owner.heard).toContain(word('forget-attempts', { count: 1 }))
})

story(
  'whoever was forgotten, and has the role again, comes to its test by a link as well',
  async ({ gather }) => {
    const party = await gather({ ...PAIR, at: 'board' })
    const { owner, other, records } = party
    await other.accepts(await owner.hands(12))
    await other.forgets()
    await party.waits(6_000)
    await other.accepts(await owner.hands(12))
    expect(other.offered).toHaveLength(1)
    await other.opens(`record_${records[1]}`)
    expect(other.heard).not.toBe(word('invitation-forgotten'))
    expect(other.place).toBe('question')
  },
)
