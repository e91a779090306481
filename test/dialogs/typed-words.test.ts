import { expect } from 'vitest'
import { knownPerson, shortTest } from './short-tests.ts'
import { story, word } from './walk.ts'

story('an option can be typed as its label or as its number in words', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', ...knownPerson() })
  await sara.walksTo('question')
  await sara.says('گاهی')
  await sara.says('گزینه دو')
  await sara.says('second')
  await sara.taps(/^submit:/)
  expect(sara.submissions.map(({ record }) => record)).toEqual([['q1o2', 'q2o2', 'q3o2']])
})

story('a label of twelve Latin letters is an answer, and no invitation code', async ({ meet }) => {
  const answers = ['never', 'occasionally', 'considerably']
  const sara = await meet({ at: 'introduction', ...knownPerson(shortTest({ answers })) })
  await sara.walksTo('question')
  for (const answer of ['occasionally', 'considerably', 'never']) await sara.says(answer)
  await sara.taps(/^submit:/)
  expect(sara.submissions.map(({ record }) => record)).toEqual([['q1o2', 'q2o3', 'q3o1']])
})

story('the second of two numbers typed at once does not answer a later question', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', ...knownPerson() })
  await sara.walksTo('question')
  await sara.acts(() => {
    sara.person.say('1')
    sara.person.say('3')
  })
  expect(sara.heard).toContain(word('answer-too-early'))
  expect(sara.question.position).toBe(2)
})

story('a voice message is answered with what Telegram can do with it', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', ...knownPerson() })
  await sara.walksTo('question')
  await sara.acts(() => sara.person.sendFile('voice'))
  expect(sara.heard).toContain(word('voice-message'))
  expect(sara.place).toBe('question')
})

story(
  'a name of one word has to be confirmed once, by the button or by typing it again',
  async ({ meet }) => {
    const sara = await meet({ at: 'name' })
    await sara.says('زهرا')
    expect(sara.place).toBe('name-confirm')
    await sara.says('زهرا')
    expect(sara.place).toBe('birth')
    await sara.walksTo('summary')
    await sara.taps('profile:edit:name')
    await sara.says('نگار')
    await sara.taps('name:ok')
    expect(sara.place).toBe('summary')
    expect(sara.screen).toContain(word('summary-name', { name: 'نگار' }))
    await sara.taps('profile:edit:name')
    await sara.says('مینا')
    await sara.says('مینا کریمی')
    expect(sara.screen).toContain('مینا کریمی')
    await sara.taps('profile:edit:name')
    await sara.says('لیلا')
    await sara.says('احمدی')
    expect(sara.screen).toContain(word('summary-name', { name: 'لیلا احمدی' }))
  },
)

story('a title and one word have to be confirmed as the whole name', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  for (const said of ['خانم احمدی', 'سرکار خانم دکتر احمدی', 'خانم احمدی']) {
    await sara.says(said)
    expect(sara.place, said).toBe('name-confirm')
  }
  expect(sara.screen).toContain(word('name-ask'))
  // A first name alone has to be confirmed like any other single word.
  await sara.says('مریم')
  expect(sara.place).toBe('name-confirm')
  await sara.says('خانم احمدی')
  expect(sara.place).toBe('name-confirm')
  await sara.says('خانم احمدی')
  await sara.walksTo('summary')
  expect(sara.screen).toContain(word('summary-name', { name: 'خانم احمدی' }))
  for (const [said, name] of [
    ['آقای رضایی', 'آقای رضایی'],
    ['خانم دکتر مریم احمدی', 'خانم دکتر مریم احمدی'],
  ] as const) {
    await sara.taps('profile:edit:name')
    await sara.says(said)
    if (sara.place === 'name-confirm') await sara.taps('name:ok')
    expect(sara.screen).toContain(word('summary-name', { name }))
  }
})
