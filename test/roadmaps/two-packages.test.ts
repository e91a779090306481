import { expect } from 'vitest'
import { type Person, story, word } from './gather.ts'
import { MOBILE } from './kin.ts'
import { createPerson } from './person.ts'

const DAY_MS = 86_400_000

/** The same account begins another roadmap of one role, for another person. */
async function alsoFor(owner: Person, world: Parameters<typeof createPerson>[0], name: string) {
  const second = createPerson(world, owner.person, world.sandbox.addRoadmap({ productId: 'single' }))
  await second.opens()
  await second.taps(/^begin:/)
  await second.says(name)
  await second.forges('birth:j:1376:5:12')
  await second.taps('gender:male')
  await second.says(MOBILE)
  await second.taps('profile:ok')
}

const labels = ({ boards }: Person) =>
  boards.map(({ reply_markup }) => reply_markup?.inline_keyboard.flat()[0]?.text)

story('roadmaps of one role for two people are told apart in all messages', async ({ gather }) => {
  const { owner, world, waits } = await gather({ productId: 'single', at: 'board' })
  expect(owner.board.text).not.toContain('نیما')
  expect(labels(owner)).toEqual([word('button-board-begin', { title: 'گفتگو' })])
  await alsoFor(owner, world, 'پارسا کریمی')
  const [above, below] = owner.boards
  expect(above?.text).toContain('تنها · نیما')
  expect(below?.text).toContain('تنها · پارسا')
  expect(labels(owner)).toEqual(
    ['نیما', 'پارسا'].map((role) => word('button-board-begin-role', { role, title: 'گفتگو' })),
  )
  await waits(2 * DAY_MS)
  for (const [index, name] of ['پارسا', 'نیما'].entries()) {
    const title = `گفتگو · ${name} · تنها`
    expect(owner.chat).toContain(word('tests-line', { number: index + 1, title, state: word('stage-new') }))
    expect(owner.person.last.reply_markup?.inline_keyboard[index]?.[0]?.text).toContain(title)
  }
  await owner.taps(/^open:/, below)
  expect(owner.screen).toContain('گفتگو · شرکت‌کننده (پارسا)')
  await owner.answers()
  expect(owner.screen).toContain('گفتگو · شرکت‌کننده (پارسا)')
  await owner.taps(/^submit:/)
  expect(owner.chat).toContain(word('record-finished', { title: 'گفتگو · پارسا' }))
})

story('after a hand-over of one roadmap the chat shows nothing of another one', async ({ gather }) => {
  const { owner, world } = await gather({ productId: 'pair', at: 'board' })
  await owner.taps(owner.offered[0] ?? '', owner.board)
  await owner.taps(/^a:[^:]+:0:2:/)
  await owner.taps(/^go:[^:]+:0/)
  const hers = owner.person.last
  const token = world.sandbox.addRoadmap({ productId: 'kin', authRequired: false })
  const second = createPerson(world, owner.person, token)
  await second.opens()
  await second.taps(/^begin:/)
  await second.taps(/^tests:/, second.board)
  await second.taps(second.offered[2] ?? '', second.board)
  expect(second.place).toBe('hand-over')
  expect(second.chat).not.toContain('گرم است؟')
  expect(second.buttons.filter((data) => /^a:/.test(data))).toEqual([])
  // She can go on where she was.
  await owner.taps(/^open:/, hers)
  expect(owner.question.position).toBe(1)
})

story('a name is for the roadmap that asked for it last', async ({ gather }) => {
  const { owner, world } = await gather({ productId: 'pair' })
  await owner.opens()
  await owner.taps(/^begin:/)
  const asked = owner.person.last
  const [hand = ''] = owner.data.filter((data) => data.startsWith('hand:'))
  const second = createPerson(world, owner.person, world.sandbox.addRoadmap({ productId: 'single' }))
  await second.opens()
  await second.taps(/^begin:/)
  // Pressed on another phone, where the button was still there.
  await owner.forges(hand, asked)
  expect(owner.screen).toBe(word('name-ask-role', { role: 'مرد' }))
  await owner.says('علی رضایی')
  expect(owner.place).toBe('birth')
  expect(owner.screen).toContain('مرد')
  await second.opens()
  expect(second.place).toBe('name')
  const unhand = `un${hand}`
  await owner.forges(unhand, asked)
  expect(owner.screen).toContain(word('name-ask-role', { role: 'زن' }))
  await owner.says('لیلا رضایی')
  expect(owner.screen).toContain('زن')
})

story('an answer shows what comes next while the chat is about another invitation', async ({ gather }) => {
  const { owner, world } = await gather({ productId: 'single', at: 'board' })
  await owner.taps(owner.offered[0] ?? '', owner.board)
  const { message_id } = owner.person.last
  const shown = () => owner.person.messages.find((each) => each.message_id === message_id)
  const second = createPerson(world, owner.person, world.sandbox.addRoadmap({ productId: 'pair' }))
  await second.opens()
  await owner.taps(/^a:[^:]+:0:0:/, shown())
  await owner.taps(/^a:[^:]+:1:0:/, shown())
  expect(
    shown()
      ?.reply_markup?.inline_keyboard.flat()
      .map(({ callback_data: data }) => data),
  ).toContainEqual(expect.stringMatching(/^submit:/))
  // The invitation still waits below.
  await second.taps(/^begin:/)
  expect(second.place).toBe('name')
})
