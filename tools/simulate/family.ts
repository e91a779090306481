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

/** The length of the only test of each role: all differ, and no participant has another test of that length. */
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

/** Roadmaps for several people, each with one test. */
export const shareable: readonly Product[] = [
  shared('of-two', 'نقشهٔ دونفره', [MOTHER, FATHER]),
  shared('of-three', 'نقشهٔ خانواده', [MOTHER, FATHER, CHILD]),
]

export type Family = ReturnType<typeof createFamily>

/** A roadmap whose owner hands some of its roles to other people, takes them back, or keeps them. */
export function createFamily({
  chance,
  sandbox,
  members,
}: {
  chance: Chance
  sandbox: Pick<Sandbox, 'addRoadmap'>
  /** How many people besides the owner get a role. */
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
    /** The link that the owner has sent to the person for this role. */
    sent: { payload: undefined as string | undefined },
  }))
  /** Roles that the owner answers instead. */
  const kept = new Set<number>()
  const names = new Map(roles.slice(1).map((role, index) => [role.title, nameOf(65 + index)]))
  let isOver = false
  const roleIn = (data: string) => Number(data.split(':')[2])

  return {
    title,
    token,
    invited,
    lengths: roles.map(({ id }) => lengthOf(id)),
    /** The length of the test of a button's role. */
    lengthIn: (data: string) => lengthOf(roleIn(data)),
    /** The memories of all people who may answer a part of it. */
    memories: memories as readonly Memory[],
    joins: (memory: Memory) => void memories.push(memory),
    /** The mobile of all roles: the owner's. */
    mobile: '',
    /** The names that the owner types for the other roles. */
    names: [...names.values()],
    /** The name for the role in a question of the dialog. */
    nameIn: (text: string) => [...names].find(([role]) => text.includes(role))?.[1],
    /** The birth date of the child; the question names the role, or only the ages that the test is for. */
    birthIn: (text: string) =>
      text.includes(CHILD.title) || text.includes(OF_CHILD) ? CHILD_BIRTH : undefined,

    /** Forwards the invitations in the owner's chat, the newest for each role. */
    forward(texts: readonly string[]): void {
      for (const text of texts) {
        const payload = /start=(i_[a-z2-7]{12})/.exec(text)?.[1]
        const role = payload && roles.find((each) => text.includes(each.title))
        const to = role && invited.find(({ id }) => id === role.id)
        if (to) to.sent.payload = payload
      }
    },
    /** The button that the owner, or a person with a role, presses at the board. */
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
    /** The person with this role gives it up. */
    leaves: (role: number) => void kept.add(role),
    comesBack: (role: number) => void kept.delete(role),
    /** The owner has the report. */
    ends(): void {
      isOver = true
    },
    /** Whether the roadmap ended without this person: the owner, or an earlier phone, has answered in their place. */
    endedWithout(role: number, own: Memory): boolean {
      const has = (memory: Memory) => memory.hasAnswered(lengthOf(role))
      return isOver && (!has(own) || memories.some((other) => other !== own && has(other)))
    },
  }
}
