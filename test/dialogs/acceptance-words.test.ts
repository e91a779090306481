import { expect, test } from 'vitest'
import { resultMessages } from '../../src/views/result.ts'
import { texts } from '../words.ts'
import { withChanged } from './changed-service.ts'
import { shortTest } from './short-tests.ts'
import { story, word } from './walk.ts'

story(
  'details that the service refuses for good are deleted, and the chat does not call them registered',
  async ({ meet }) => {
    const sara = await meet({ at: 'summary' })
    sara.world.sandbox.fault({
      kind: 'status',
      status: 409,
      message: 'بخشی از نقشه راه است.',
      path: 'auth/$',
    })
    await sara.taps('profile:ok')
    const shown = sara.person.messages.map(({ text }) => text ?? '').join('\n')
    expect(shown).toContain(word('typed-withdrawn'))
    expect(shown).not.toContain(word('typed-deleted').slice(0, 20))
    expect(shown).not.toContain('زهرا')
  },
)

story('a record that the service has lost sends the participant to the organizer', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  sara.world.sandbox.fault({
    kind: 'status',
    status: 404,
    message: 'Not found.',
    path: '^/record/',
    times: 2,
  })
  await sara.taps('profile:ok')
  expect(sara.heard).toContain(word('failure-organizer'))
  expect(sara.heard).not.toContain(word('finished-elsewhere'))
})

story('a 404 for the details does not end a record that the service still knows', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  sara.world.sandbox.fault({ kind: 'status', status: 404, message: 'Not found.', path: 'auth/$' })
  await sara.taps('profile:ok')
  expect(sara.place).toBe('summary')
  expect(sara.heard).toContain(word('failure-unavailable'))
  expect(sara.chat).not.toContain(word('typed-withdrawn'))
  await sara.taps('profile:ok')
  expect(sara.place).toBe('code')
})

for (const [path, testsAuthRequired] of [
  ['/auth/', false],
  ['/auth/verify/', true],
] as const)
  story(`an empty answer to ${path} proves no profile: the bot reads the record`, async ({ meet }) => {
    const emptied: string[] = []
    const change = (url: string, data: never) => {
      if (!url.endsWith(path) || emptied.length > 0) return data
      emptied.push(url)
      return {}
    }
    const sandbox = { tests: [shortTest()], testsAuthRequired }
    const sara = await withChanged(meet, change, { sandbox, record: { testId: 'short' } })
    await sara.walksTo('question')
    expect(emptied).toHaveLength(1)
    expect(sara.calls.slice(1)).toContain('look')
  })

test.each(['fa', 'en'] as const)(
  'a scale without score and percentile is shown without a colon (%s)',
  async (language) => {
    const t = texts.for(language)
    const result = { scales: [{ title: 'خلق' }] }
    const ending = { hasReport: true }
    const [text = ''] = await resultMessages(t, { title: 'آزمون', result, ...ending })
    expect(text).toContain('خلق')
    expect(text).not.toMatch(/خلق\u2069?<\/b>:/)
  },
)
