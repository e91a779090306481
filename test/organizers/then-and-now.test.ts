import { expect } from 'vitest'
import { withAnother } from '../dialogs/participant.ts'
import { onBothStores, word } from './office.ts'

const THEN = word('result-then', { date: '' }).trim()
const captions = ({ person }: { person: { messages: readonly { photo?: unknown; caption?: string }[] } }) =>
  person.messages.flatMap(({ photo, caption = '' }) => (photo ? [caption] : []))

onBothStores(
  'a delayed comparison survives a restart, and the audit names its receiver for both results',
  async ({ work }) => {
    const office = await work({ sandbox: { testsAuthRequired: false } })
    const before = office.addRecord()
    const sara = office.join(before)
    await sara.walksTo('review')
    await sara.goesOn()
    office.world.pass(86_400_000)
    const again = withAnother(sara, { testId: 'mood-7', testsAuthRequired: false })
    await again.walksTo('review')
    sara.person.block()
    await again.taps(/^submit:/)
    await office.world.restarts()
    sara.person.unblock()
    await sara.opens('')
    expect(captions(sara).map((caption) => caption.includes(THEN))).toEqual([false, true])

    await office.says(`/records ${again.token}`)
    await office.taps(/^send:/)
    expect(captions(office).at(-1)).toContain(THEN)
    await office.says('/status')
    await office.taps('audit')
    const received = office.heard.split('\n').filter((line) => line.includes(word('act.received')))
    expect(
      [before, again.token].map((token) => received.filter((line) => line.includes(token)).length),
    ).toEqual([1, 1])
  },
)
