import { expect, test } from 'vitest'
import { porsa } from '../../src/cli/commands.ts'
import { captured, goodEnvironment } from './world.ts'

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'

async function link(args: string[], changes: NodeJS.ProcessEnv = {}) {
  const { lines, output } = captured()
  const code = await porsa(['link', ...args], { ...(await goodEnvironment()), ...changes }, output)
  return { code, ...lines }
}

test.each([
  [[], 'record or roadmap'],
  [['test', uuid], 'record or roadmap'],
  [['record'], 'the record must be given by its UUID'],
  [['roadmap', '123'], 'the roadmap must be given by its UUID'],
  [['record', uuid, 'seven'], 'external id'],
  [['record', uuid, '99999999999999999'], 'external id'],
  [['roadmap', uuid, '42'], 'too many'],
  [['record', uuid, '42', '43'], 'too many'],
])('the problem of %j is explained', async (args, problem) => {
  const { code, out, err } = await link(args)
  expect([code, out]).toEqual([1, []])
  expect(err[0]).toContain(problem)
  expect(err[0]).toContain('porsa link record <uuid>')
})

test.each(['-5', '۴۷۱۱', '٤٧١١'])('%s is an external id, not an option', async (id) => {
  const { code, err } = await link(['record', uuid, id], { INVITATION_ONLY: 'true' })
  // All arguments were understood.
  expect([code, err.join()]).toEqual([1, expect.stringContaining('INVITATION_ONLY')])
})

test('bad settings and an unknown token are reported without a stack', async () => {
  expect(await link(['record', uuid], { BOT_TOKEN: '' })).toEqual({
    code: 1,
    out: [],
    err: [expect.stringMatching(/^BOT_TOKEN is required: /)],
  })
  const refused = await link(['record', uuid], { BOT_TOKEN: '1:sesame' })
  expect([refused.code, refused.out]).toEqual([1, []])
  expect(refused.err.join()).toContain('porsa check')
})

test('a bare link is refused where the bot would refuse it', async () => {
  const { code, err } = await link(['record', uuid], { INVITATION_ONLY: 'true' })
  expect([code, err.join()]).toEqual([1, expect.stringContaining('INVITATION_ONLY')])
})

test('an unreachable Telegram is not reported as a wrong setting', async () => {
  expect((await link(['record', uuid], { TELEGRAM_API_ROOT: 'http://127.0.0.1:1' })).code).toBe(75)
})
