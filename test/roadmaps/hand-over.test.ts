import { expect } from 'vitest'
import { type Person, story, word } from './gather.ts'
import { FATHER, MOTHER } from './kin.ts'

const HAND_OVER = word('hand-over', { test: '', role: '' }).split('\n').at(-1) ?? ''
const ready = (person: Person) => person.data.filter((data) => data.startsWith('ready:'))

story('a hand-over comes before a test of another role, and names role and test', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  await owner.takes(0)
  expect(owner.chat).not.toContain(HAND_OVER)
  await owner.taps(owner.offered[1] ?? '', owner.board)
  expect(ready(owner)).toHaveLength(1)
  expect(owner.screen).toBe(word('hand-over', { role: 'پدر (رضا)', test: 'خانهٔ ما' }))
  await owner.taps(/^ready:/)
  expect(owner.data.some((data) => data.startsWith('a:'))).toBe(true)
})

story(
  'a hand-over comes before the tests of all roles but the one that has the phone',
  async ({ gather }) => {
    const { owner } = await gather({ at: 'board' })
    const asks = owner.person.messages.find((each) => JSON.stringify(each).includes('"me:'))
    await owner.taps(new RegExp(`^me:[^:]+:${FATHER}$`), asks)
    const [his = '', , hers = ''] = owner.offered
    await owner.taps(his, owner.board)
    expect(owner.chat).not.toContain(HAND_OVER)
    expect(owner.place).toBe('question')
    await owner.taps(hers, owner.board)
    expect(owner.screen).toBe(word('hand-over', { role: 'مادر (مریم)', test: 'خانهٔ ما' }))
  },
)

story('no hand-over comes between two tests of one role', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  await owner.takes(0)
  await owner.takes(0)
  expect(owner.chat).not.toContain(HAND_OVER)
})

story(
  'after the hand-over the chat has nothing of the former person: shown, chosen or typed',
  async ({ gather }) => {
    const { owner } = await gather({ at: 'board' })
    await owner.taps(owner.offered[0] ?? '', owner.board)
    await owner.says('۳')
    await owner.says('۲')
    // The review shows both answers; an older copy stays above when it is opened again.
    await owner.taps(/^review:/)
    expect(owner.screen).toContain('همیشه')
    await owner.says('چه شد؟')
    await owner.taps(/^review:/)
    await owner.taps(/^go:/)
    await owner.says('/tests')
    await owner.taps(/^open:/)
    await owner.taps(owner.offered[2] ?? '', owner.board)
    expect(ready(owner)).toHaveLength(1)
    for (const said of ['همیشه', 'گاهی', 'گرم است؟']) expect(owner.chat).not.toContain(said)
    expect(owner.person.messages.map(({ text }) => text)).not.toContain('۳')
    expect(owner.buttons.filter((data) => /^(a|go|review|submit):/.test(data))).toEqual([])
  },
)

story(
  'after the hand-over no text and no forged button shows or changes former answers',
  async ({ gather }) => {
    const { owner } = await gather({ productId: 'pair', at: 'board' })
    const [hers = '', his = ''] = owner.offered
    const s = hers.slice('open:'.length)
    await owner.taps(hers, owner.board)
    await owner.says('۳')
    await owner.opens('')
    await owner.taps(his, owner.board)
    await owner.taps(/^ready:/)
    await owner.says('۱')
    await owner.opens('')
    await owner.taps(hers, owner.board)
    expect(ready(owner)).toHaveLength(1)
    for (const typed of ['سلام', '۲', '۲']) await owner.says(typed)
    for (const forged of [`go:${s}:0`, `review:${s}:0`, `pause:${s}`, `submit:${s}`])
      await owner.forges(forged)
    expect(ready(owner)).toHaveLength(1)
    expect(owner.chat).not.toContain('همیشه')
    await owner.taps(/^ready:/)
    await owner.taps(/^go:/)
    expect(owner.screen).toContain('همیشه')
  },
)

story('a message typed at a hand-over is not taken as an answer', async ({ gather }) => {
  const { owner, world, records } = await gather({ at: 'board' })
  const [hers = ''] = owner.offered
  await owner.taps(hers, owner.board)
  await owner.taps(owner.offered[2] ?? '', owner.board)
  await owner.says('۲')
  expect(ready(owner)).toHaveLength(1)
  expect(owner.chat).not.toContain('گرم است؟')
  await owner.taps(/^ready:/)
  await owner.answers()
  await owner.taps(/^submit:/)
  // The mother's test goes on at its first question.
  await owner.taps(hers, owner.board)
  await owner.taps(/^ready:/)
  await owner.answers(1)
  await owner.taps(/^submit:/)
  expect(world.sandbox.submissions(records[0] ?? '')[0]?.record).toEqual({ s1: ['q1o2', 'q2o2'] })
})

story('the hand-over stays until its button is pressed', async ({ gather }) => {
  const { owner, restarts } = await gather({ at: 'board' })
  await owner.takes(0)
  await owner.taps(owner.offered[1] ?? '', owner.board)
  await owner.opens('')
  await owner.taps(owner.offered[1] ?? '', owner.board)
  expect(ready(owner)).toHaveLength(1)
  await restarts()
  await owner.taps(/^ready:/)
  expect(owner.screen).toContain('خانهٔ ما: گرم است؟')
})

story('two presses of the hand-over at once open one test', async ({ gather }) => {
  const { owner, calls } = await gather({ at: 'board' })
  await owner.takes(0)
  await owner.taps(owner.offered[1] ?? '', owner.board)
  const before = calls('GET', /questions/)
  const { last } = owner.person
  await owner.acts(() => {
    owner.person.tap(/^ready:/, last)
    owner.person.rawTap(last, ready(owner)[0] ?? '')
  })
  expect(calls('GET', /questions/)).toBe(before + 1)
})

story('a hand-over comes again on the way back to the first person', async ({ gather }) => {
  const { owner } = await gather({ at: 'board' })
  await owner.takes(0)
  await owner.takes(1)
  await owner.taps(owner.offered[1] ?? '', owner.board)
  expect(owner.screen).toBe(word('hand-over', { role: 'مادر (مریم)', test: 'گفتگو' }))
})

story('a hand-over is still needed after a role was assigned to another account', async ({ gather }) => {
  const { owner, join } = await gather({ at: 'board' })
  await owner.takes(0)
  await join('مریم').accepts(await owner.hands(MOTHER))
  await owner.taps(owner.offered[0] ?? '', owner.board)
  expect(owner.screen).toBe(word('hand-over', { role: 'پدر (رضا)', test: 'خانهٔ ما' }))
})

story('an account that answers one role sees no hand-over', async ({ gather }) => {
  const { join } = await gather({ at: 'shared board' })
  const father = join('رضا')
  await father.takesAll()
  expect(father.chat).not.toContain(HAND_OVER)
})
