import { expect } from 'vitest'
import { recordFiles } from '../../src/storage/documents/kinds.ts'
import { documentKey, openDocument } from '../../src/storage/documents.ts'
import { CONSENT_VERSION } from '../../src/texts/keys.ts'
import { withStorage } from '../kept-entries.ts'
import { type Person, story, word } from './gather.ts'
import { CHILD, FATHER, KIN_TITLE } from './kin.ts'

/** The labels of the buttons under a board, in order. */
const labels = ({ board }: Person) => board.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? []

story('of six tests the next three have a button, and all are one press away', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  const inOrder = ['مریم: خانهٔ ما', 'مریم: گفتگو', 'رضا: خانهٔ ما', word('button-all-tests', { count: 6 })]
  expect(labels(owner).slice(0, 4)).toEqual(inOrder)
  await owner.unfolds()
  expect(owner.offered).toHaveLength(6)
  await owner.taps(/^tests:[^:]+:next$/, owner.board)
  expect(labels(owner).slice(0, 4)).toEqual(inOrder)
  expect(owner.boards).toHaveLength(1)
  // The person who has the phone goes on with their own test, and the others follow.
  await owner.takes(2)
  // One message replaces the questions of a finished test.
  expect(owner.chat).toContain(word('record-finished', { title: 'خانهٔ ما · پدر (رضا)' }))
  expect(owner.chat).not.toContain(word('submit-sent', { total: 2 }))
  expect(labels(owner).slice(0, 4)).toEqual([
    'رضا: گفتگو',
    'مریم: خانهٔ ما',
    'مریم: گفتگو',
    word('button-all-tests', { count: 5 }),
  ])
  expect(owner.board.text).toContain(word('board-next-role', { role: 'پدر (رضا)', title: 'گفتگو' }))
  // The last test is opened by its own button.
  await owner.takes(4)
  expect(owner.left).toBe(4)
})

story('an invitation to a role is the last message, ready to be shared or copied', async ({ gather }) => {
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
  'a finished participant is announced to the others, each by the name known there',
  async ({ gather }) => {
    const { owner, join } = await gather({ at: 'shared board' })
    const father = join('رضا')
    const child = join('سارا')
    await child.accepts(await owner.hands(CHILD))
    const { message_id: before } = owner.board
    await father.takes()
    // After one of two tests the board is edited in place, without a notification.
    expect(owner.board.message_id).toBe(before)
    await father.takes()
    const done = (role: string) => word('role-finished', { role })
    expect(owner.person.last).toBe(owner.board)
    expect(owner.board.message_id).toBeGreaterThan(before)
    expect(owner.board.text).toContain(done('پدر (رضا)'))
    expect(owner.boards).toHaveLength(1)
    // The names were typed in the mother's chat, not in the child's, who knows only the inviter.
    expect(child.screen).toContain(done('پدر'))
    expect(child.chat).not.toContain('رضا')
    // In the middle of a question a message says it, and the question stays.
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

story('a teenager reads at the hand-over who sees the result, and agrees there once', async ({ gather }) => {
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
  // A no begins nothing, names a contact, and leads back.
  await owner.taps(/^decline:/)
  expect(owner.screen).toBe(word('hand-over-declined', { test: 'روزهای من' }))
  await owner.taps(/^open:/)
  expect(owner.person.last).toBe(owner.board)
  expect(owner.left).toBe(6)
  // Consent needs the text: a forged yes without it counts for nothing.
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
  // It is kept like any consent: time, language and version of the text.
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
