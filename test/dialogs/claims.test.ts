import { expect } from 'vitest'
import { knownPerson } from './short-tests.ts'
import { another, type Participant, type Place, story, word, ZAHRA } from './walk.ts'

const stages: readonly Place[] = ['name', 'summary', 'code', 'question', 'review']

/** Everything that a second account ever gets to read, apart from the introduction. */
const heardOf = ({ person }: Participant) => person.transcript()

for (const at of stages) {
  story(
    `while the first account is at "${at}" a second one learns only that the invitation is used`,
    async ({ meet }) => {
      const sara = await meet({ at })
      const { calls } = sara
      const reza = another(sara)
      await reza.opens()
      expect(reza.heard).toBe(word('invitation-used'))
      expect(heardOf(reza)).not.toContain(ZAHRA.name)
      expect(heardOf(reza)).not.toContain('حال این دو هفته')
      await reza.says(reza.link)
      expect(reza.heard).toBe(word('invitation-used'))
      await reza.says('/tests')
      expect(reza.heard).toBe(word('tests-none'))
      expect(sara.calls).toEqual(calls)
      expect(sara.place).toBe(at)
    },
  )
}

story('after the result the link opens for no other account', async ({ meet }) => {
  const sara = await meet({ at: 'review', ...knownPerson() })
  await sara.taps(/^submit:/)
  expect(sara.files).toHaveLength(2)
  const reza = another(sara)
  await reza.opens()
  expect(reza.heard).toBe(word('invitation-used'))
  expect(reza.files).toEqual([])
})

story('an account that begins second is told that the invitation is used', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  const reza = another(sara)
  await reza.walksTo('introduction')
  await sara.walksTo('birth')
  await reza.taps(/^begin:/)
  expect(reza.heard).toBe(word('invitation-used'))
  await reza.says('رضا رضایی')
  await sara.walksTo('question')
  expect(sara.calls.filter((name) => name === 'auth')).toHaveLength(1)
})

story('of two accounts that begin at the same moment only one gets the test', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  const reza = another(sara)
  await reza.walksTo('introduction')
  await sara.acts(() => {
    sara.person.tap(/^begin:/)
    reza.person.tap(/^begin:/)
  })
  const owners = [sara, reza].filter(({ place }) => place === 'name')
  expect(owners).toHaveLength(1)
  const [other] = [sara, reza].filter(({ place }) => place !== 'name')
  expect(other?.screen).toBe(word('invitation-used'))
  await owners[0]?.walksTo('question')
})

story('two accounts that open a link at the same moment both read the introduction', async ({ meet }) => {
  const sara = await meet()
  const reza = another(sara)
  await sara.acts(() => {
    sara.person.start(sara.payload)
    reza.person.start(reza.payload)
  })
  expect(sara.place).toBe('introduction')
  expect(reza.place).toBe('introduction')
  await reza.walksTo('name')
  await sara.taps(/^begin:/)
  expect(sara.heard).toBe(word('invitation-used'))
})

story(
  'an account that opens the link while another one begins is told that the invitation is used',
  async ({ meet }) => {
    const sara = await meet({ at: 'introduction' })
    const reza = another(sara)
    sara.world.sandbox.fault({ kind: 'slow', ms: 800, method: 'GET', path: '^/record/[^/]+$' })
    sara.world.pass(11 * 60_000)
    await sara.acts(() => {
      reza.person.start(reza.payload)
      sara.person.tap(/^begin:/)
    })
    expect(sara.place).toBe('name')
    await sara.walksTo('birth')
    if (reza.place === 'introduction') await reza.taps(/^begin:/)
    expect(reza.screen).toBe(word('invitation-used'))
  },
)
