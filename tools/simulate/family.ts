import type { Product, Sandbox } from '../sandbox/sandbox.ts'
import type { Chance } from './chance.ts'
import type { Memory } from './memory.ts'
import { nameOf } from './names.ts'

type Role = Product['roles'][number]

const MOTHER: Role = { id: 41, title: 'مادر', minAge: 18, maxAge: null, gender: 'both' }
const FATHER: Role = { id: 42, title: 'پدر', minAge: 18, maxAge: null, gender: 'male' }
const CHILD: Role = { id: 43, title: 'فرزند', minAge: 12, maxAge: 17, gender: 'both' }
const CHILD_BIRTH = 'birth:j:1390:3:5'
const OF_CHILD = '۱۲ تا ۱۷'

/** The length of the one test of each role: no two are equal, and nobody has a test of that length beside it. */
const LENGTHS = new Map([
  [MOTHER.id, 3],
  [FATHER.id, 4],
  [CHILD.id, 2],
])
const lengthOf = (role: number): number => LENGTHS.get(role) ?? 0

const shared = (id: string, title: string, roles: readonly Role[]): Product => ({
  id,
  title,
  version: 1,
  roles,
  tests: roles.map((role) => ({ testId: `of-${lengthOf(role.id)}`, role: role.id })),
})

/** Roadmaps of several people, of one test each. */
export const shareable: readonly Product[] = [
  shared('of-two', 'نقشهٔ دونفره', [MOTHER, FATHER]),
  shared('of-three', 'نقشهٔ خانواده', [MOTHER, FATHER, CHILD]),
]

export type Family = ReturnType<typeof createFamily>

/** A roadmap whose owner gives some of its roles to other people, changes their mind, or keeps them. */
export function createFamily({
  chance,
  sandbox,
  members,
}: {
  chance: Chance
  sandbox: Pick<Sandbox, 'addRoadmap'>
  /** How many of the others are to have a role. */
  members: number
}) {
  const product = members > 1 ? shareable[1] : chance.pick(shareable)
  if (!product) throw new Error('there is no such product')
  const { title, roles } = product
  const token = sandbox.addRoadmap({ productId: product.id, testsAuthRequired: chance.is(0.3) })
  const memories: Memory[] = []
  const invited = roles.slice(1, 1 + members).map(({ id, title }) => ({
    id,
    title,
    /** What the owner has sent to whoever is to have this role. */
    sent: { payload: undefined as string | undefined },
  }))
  /** Roles that the owner answers after all. */
  const kept = new Set<number>()
  const names = new Map(roles.slice(1).map((role, index) => [role.title, nameOf(65 + index)]))
  let isOver = false
  const roleIn = (data: string) => Number(data.split(':')[2])

  return {
    title,
    token,
    invited,
    lengths: roles.map(({ id }) => lengthOf(id)),
    /** The length of the test of the role that a button is about. */
    lengthIn: (data: string) => lengthOf(roleIn(data)),
    /** Everybody who may answer something of it. */
    memories: memories as readonly Memory[],
    joins: (memory: Memory) => void memories.push(memory),
    /** The one mobile of all: that of the owner. */
    mobile: '',
    /** The names that the owner has typed for the others. */
    names: [...names.values()],
    /** The person whom a question of the dialog names. */
    nameIn: (text: string) => [...names].find(([role]) => text.includes(role))?.[1],
    /** The birth date of the child; who gives the own details reads only for whom the test is. */
    birthIn: (text: string) =>
      text.includes(CHILD.title) || text.includes(OF_CHILD) ? CHILD_BIRTH : undefined,

    /** Sends every invitation on that stands in the owner's chat, the newest to each role. */
    forward(texts: readonly string[]): void {
      for (const text of texts) {
        const payload = /start=(i_[a-z2-7]{12})/.exec(text)?.[1]
        const role = payload && roles.find((each) => text.includes(each.title))
        const to = role && invited.find(({ id }) => id === role.id)
        if (to) to.sent.payload = payload
      }
    },
    /** What the owner, or somebody who was given a role, does at the board. */
    atBoard(data: readonly string[]): string | undefined {
      const back = data.filter((each) => each.startsWith('unhand:'))
      if (back.length > 0 && chance.is(0.1)) {
        const one = chance.pick(back)
        if (chance.is(0.3)) kept.add(roleIn(one))
        return one
      }
      const isWished = (role: number) => invited.some(({ id }) => id === role) && !kept.has(role)
      const hands = data.filter((each) => each.startsWith('hand:') && isWished(roleIn(each)))
      if (hands.length > 0 && chance.is(0.8)) return chance.pick(hands)
      return data.find((each) => /^(generate|open):/.test(each))
    },
    /** Whoever had a role wants nothing more to do with it. */
    leaves: (role: number) => void kept.add(role),
    comesBack: (role: number) => void kept.delete(role),
    /** The owner has the report. */
    ends(): void {
      isOver = true
    },
    /** Whether it ended without somebody: the owner, or a phone that came before, has answered in their place. */
    endedWithout(role: number, own: Memory): boolean {
      const has = (memory: Memory) => memory.hasAnswered(lengthOf(role))
      return isOver && (!has(own) || memories.some((other) => other !== own && has(other)))
    },
  }
}
