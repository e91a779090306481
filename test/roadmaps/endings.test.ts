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
