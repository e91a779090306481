import { expect } from 'vitest'
import { milestones } from '../../src/observe/metrics.ts'
import { shortTest } from './short-tests.ts'
import { story, word } from './walk.ts'

type Line = {
  msg: string
  trace?: string
  actor?: string
  kind?: string
  endpoint?: string
  version?: string
}

const sandbox = { tests: [shortTest()] }

story(
  'an operator can follow one participant from link to result in the log and the metrics',
  async ({ meet }) => {
    const sara = await meet({
      at: 'question',
      onFoot: true,
      sandbox,
      record: { testId: 'short', testsAuthRequired: true },
    })
    const { world } = sara
    const shown = async () => {
      const text = await (await fetch(`${world.address}/metrics`)).text()
      return (name: string) =>
        Number(
          text
            .split('\n')
            .find((line) => line.startsWith(`${name} `))
            ?.split(' ')[1],
        )
    }
    const during = await shown()
    expect(during('porsa_sittings{state="open"}')).toBe(1)
    expect(during('porsa_milestones_total{milestone="begun"}')).toBe(1)
    expect(during('porsa_milestones_total{milestone="sms-sent"}')).toBe(1)
    expect(during('porsa_budget_used{window="hour"}')).toBeGreaterThan(2)
    await sara.answers(0, 1, 2)
    sara.person.inGroup('سلام')
    await sara.taps(/^submit:/)
    world.pass(61_000)
    const after = await shown()
    for (const name of ['submitted', 'delivered'])
      expect(after(`porsa_milestones_total{milestone="${name}"}`), name).toBe(1)
    expect(after('porsa_sittings{state="open"}')).toBe(0)
    expect(after('porsa_queue_due{class="service",kind="submit"}')).toBe(0)
    expect(after('porsa_breaker_open')).toBe(0)
    expect(
      ['queues', 'kept', 'budget'].map((source) => after(`porsa_state_known{source="${source}"}`)),
    ).toEqual([1, 1, 1])

    const lines = world.lines.map((line): Line => JSON.parse(line))
    expect(lines.find(({ msg }) => msg === 'started')?.version).toMatch(/^\d+\.\d+\.\d+/)
    const told = lines.filter(({ msg }) => milestones.some((milestone) => milestone === msg))
    expect(told.map(({ msg }) => msg)).toEqual(['sms-sent', 'begun', 'submitted', 'delivered'])
    const trace = told[0]?.trace ?? ''
    expect(trace).toMatch(/^[a-p]{12}$/)
    const ofSara = lines.filter((line) => line.trace === trace)
    const calls = lines.filter(({ msg, endpoint }) => msg === 'service call' && endpoint !== 'connect')
    expect(calls.filter((line) => line.trace !== trace)).toEqual([])
    expect(calls.map(({ endpoint }) => endpoint)).toContain('submitAnswers')
    const handled = ofSara.filter(({ msg }) => msg === 'handled').map(({ actor, kind }) => `${actor} ${kind}`)
    for (const one of [
      'chat message',
      'chat callback_query',
      'chat submitted',
      'call auth',
      'submit undefined',
    ])
      expect(handled).toContain(one)

    // Each answer has its line, without question and answer; so has each message in a group.
    const answered = lines.filter(({ actor }) => actor === 'answer')
    expect(answered).toHaveLength(3)
    for (const line of answered) {
      expect(line).toEqual({
        level: 'info',
        time: expect.any(String),
        actor: 'answer',
        kind: 'callback_query',
        outcome: 'accepted',
        ms: expect.any(Number),
        trace,
        msg: 'handled',
      })
    }
    expect(lines.filter(({ actor }) => actor === 'group').map(({ kind }) => kind)).toEqual(['message'])
  },
)

story('a code refused for its limits is counted in the metrics', async ({ meet }) => {
  const sara = await meet({
    at: 'code',
    onFoot: true,
    sandbox,
    record: { testId: 'short', testsAuthRequired: true },
  })
  await sara.taps(word('button-sms-again'))
  const text = await (await fetch(`${sara.world.address}/metrics`)).text()
  expect(text).toContain('porsa_milestones_total{milestone="sms-refused"} 1')
})
