import { expect } from 'vitest'
import { type Person, story, word } from './gather.ts'
import { MOBILE } from './kin.ts'
import { createPerson } from './person.ts'

const DAY_MS = 86_400_000

/** The same account begins another package of one role, for somebody else. */
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

story('packages of one role for two people are told apart wherever they stand', async ({ gather }) => {
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
