import { expect } from 'vitest'
import { recordFiles } from '../../src/storage/documents/kinds.ts'
import { documentKey, openDocument } from '../../src/storage/documents.ts'
import { CONSENT_VERSION } from '../../src/texts/keys.ts'
import { withStorage } from '../kept-entries.ts'
import { type Person, story, word } from './gather.ts'
import { CHILD, FATHER, KIN_TITLE } from './kin.ts'

/** The labels of the buttons under a board, in their order, with the data of each. */
const labels = ({ board }: Person) => board.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? []

story('of six tests the next three have a button, and every one is a press away', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  const inOrder = ['مریم: خانهٔ ما', 'مریم: گفتگو', 'رضا: خانهٔ ما', word('button-all-tests', { count: 6 })]
  expect(labels(owner).slice(0, 4)).toEqual(inOrder)
  await owner.unfolds()
  expect(owner.offered).toHaveLength(6)
  await owner.taps(/^tests:[^:]+:next$/, owner.board)
  expect(labels(owner).slice(0, 4)).toEqual(inOrder)
  expect(owner.boards).toHaveLength(1)
  // Whoever has the phone goes on with their own, and the others follow.
  await owner.takes(2)
  // One word on what was finished, in the place of the questions.
  expect(owner.chat).toContain(word('record-finished', { title: 'خانهٔ ما · پدر (رضا)' }))
  expect(owner.chat).not.toContain(word('submit-sent', { total: 2 }))
  expect(labels(owner).slice(0, 4)).toEqual([
    'رضا: گفتگو',
    'مریم: خانهٔ ما',
    'مریم: گفتگو',
    word('button-all-tests', { count: 5 }),
  ])
  expect(owner.board.text).toContain(word('board-next-role', { role: 'پدر (رضا)', title: 'گفتگو' }))
  // The last of all is opened by its own button.
  await owner.takes(4)
  expect(owner.left).toBe(4)
})

story('an invitation to a role is the last message, to be shared or copied at once', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'board' })
  const payload = await owner.hands(FATHER)
  const { text = '', reply_markup } = owner.person.last
  const link = /https:\S+/.exec(text)?.[0] ?? ''
  expect(link).toContain(payload)
  const ways = reply_markup?.inline_keyboard.flat() ?? []
  expect(ways.map(({ copy_text }) => copy_text?.text).filter(Boolean)).toEqual([link])
  const shared = new URL(ways.find(({ url }) => url)?.url ?? '').searchParams
  expect(shared.get('url')).toBe(link)
  expect(shared.get('text')).toBe(word('hand-share', { title: KIN_TITLE, role: 'پدر' }))
  // The board above says who answers on which phone.
  expect(owner.board.text).toContain(`${word('board-here').replace(/<\/?u>/g, '')}\nمادر (مریم)`)
  expect(owner.board.text).toContain(`${word('board-elsewhere').replace(/<\/?u>/g, '')}\nپدر (رضا)`)
  await join('رضا').accepts(payload)
  expect(owner.board.text).toContain(word('board-handed', { done: 0, total: 2 }))
})

story(
  'whoever has finished is announced to the others, each by the name that is right there',
  async ({ gather }) => {
    const { owner, join } = await gather({ at: 'shared board' })
    const father = join('رضا')
    const child = join('سارا')
    await child.accepts(await owner.hands(CHILD))
    const { message_id: before } = owner.board
    await father.takes()
    // One of two: the board changes where it stands, and nobody's phone rings.
    expect(owner.board.message_id).toBe(before)
    await father.takes()
    const done = (role: string) => word('role-finished', { role })
    expect(owner.person.last).toBe(owner.board)
    expect(owner.board.message_id).toBeGreaterThan(before)
    expect(owner.board.text).toContain(done('پدر (رضا)'))
    expect(owner.boards).toHaveLength(1)
    // Names were typed in the chat of the mother, not in the child's, who knows by whom it is invited.
    expect(child.screen).toContain(done('پدر'))
    expect(child.chat).not.toContain('رضا')
    // In the midst of a question it is said, and the question stays.
    await owner.taps(owner.offered[0] ?? '', owner.board)
    const { message_id: question } = owner.person.last
    await child.takesAll()
    expect(owner.screen).toBe(done('فرزند (سارا)'))
    expect(owner.person.messages.some(({ message_id: id }) => id === question)).toBe(true)
    for (const sign of [/^a:/, /^a:/, /^submit:/]) await owner.taps(sign)
    await owner.takesAll()
    expect(father.screen).toContain(done('مادر'))
    expect(father.screen).toContain(word('board-all-finished-soon'))
    await father.says('/tests')
    expect(father.screen).toContain(`${KIN_TITLE} · رضا\n`)
    for (const name of ['مریم', 'سارا']) expect(father.chat).not.toContain(name)
  },
)

story('a teenager reads at the hand-over who sees the result, and agrees there, once', async ({ gather }) => {
  const { owner, world, restarts } = await gather({ at: 'board' })
  await owner.unfolds()
  const [hers = '', , , , teens = '', also = ''] = owner.offered
  await owner.taps(teens, owner.board)
  expect(owner.screen).toContain(word('hand-over', { role: 'فرزند (سارا)', test: 'روزهای من' }))
  expect(owner.screen).toContain(word('roadmap-result-participant'))
  expect(owner.screen).toContain(word('roadmap-result-shared'))
  expect(owner.person.last.reply_markup?.inline_keyboard.flat()[0]?.text).toBe(
    word('button-hand-over-agree', { role: 'سارا' }),
  )
  // A no begins nothing, says who helps, and leads back.
  await owner.taps(/^decline:/)
  expect(owner.screen).toBe(word('hand-over-declined', { test: 'روزهای من' }))
  await owner.taps(/^open:/)
  expect(owner.person.last).toBe(owner.board)
  expect(owner.left).toBe(6)
  // What was agreed to is what is read: a forged yes elsewhere is none.
  await owner.forges(`ready:${teens.slice('open:'.length)}`)
  expect(owner.place).toBe('hand-over')
  await restarts()
  await owner.taps(/^ready:/)
  expect(owner.place).toBe('question')
  await owner.answers()
  await owner.taps(/^submit:/)
  await owner.taps(hers, owner.board)
  expect(owner.screen).toBe(word('hand-over', { role: 'مادر (مریم)', test: 'خانهٔ ما' }))
  await owner.taps(/^ready:/)
  await owner.taps(/^pause:/)
  await owner.unfolds()
  await owner.taps(also, owner.board)
  expect(owner.screen).toBe(word('hand-over', { role: 'فرزند (سارا)', test: 'خانهٔ ما' }))
  // It is kept as any consent is: when, in which language, to which words.
  const s = owner.buttons.find((data) => data.startsWith('hand:'))?.split(':')[1] ?? ''
  await withStorage({ world }, async ({ store, vault }) => {
    const [kept] = await store.read([documentKey(recordFiles, s)])
    const roles = kept && openDocument(vault, recordFiles, s, kept).roadmap?.roles
    const agreed = {
      at: expect.any(Number),
      language: 'fa',
      resultTo: 'participant',
      version: CONSENT_VERSION,
    }
    expect(roles?.map(({ consent }) => consent)).toEqual([undefined, undefined, agreed])
  })
})
