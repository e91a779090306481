import { expect, test } from 'vitest'
import { runLink } from '../../src/cli/run-link.ts'
import { captured, goodEnvironment } from './world.ts'

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'

async function link(args: string[], changes: NodeJS.ProcessEnv = {}) {
  const { lines, output } = captured()
  const code = await runLink(args, { ...(await goodEnvironment()), ...changes }, output)
  return { code, ...lines }
}

test.each([
  [['record', uuid], `record_${uuid}`],
  [['record', uuid.toUpperCase()], `record_${uuid}`],
  [['record', uuid, '42'], `record_${uuid}_42`],
  [['roadmap', uuid], `roadmap_${uuid}`],
])('%j is a link and a QR code', async (args, payload) => {
  const { code, out, err } = await link(args)
  expect([code, err]).toEqual([0, []])
  expect(out[0]).toBe(`https://t.me/porsa_bot?start=${payload}`)
  expect(out[1]).toMatch(/[▀▄█]{5}/)
})

test.each([
  [[], 'record or roadmap'],
  [['test', uuid], 'record or roadmap'],
  [['record'], 'the record must be given by its UUID'],
  [['roadmap', '123'], 'the roadmap must be given by its UUID'],
  [['record', uuid, 'seven'], 'external id'],
  [['record', uuid, '99999999999999999'], 'external id'],
  [['roadmap', uuid, '42'], 'too many'],
  [['record', uuid, '42', '43'], 'too many'],
])('%j is explained', async (args, problem) => {
  const { code, out, err } = await link(args)
  expect([code, out]).toEqual([1, []])
  expect(err[0]).toContain(problem)
  expect(err[0]).toContain('usage: npm run link')
})

test('bad settings and an unknown token are told without a stack', async () => {
  expect(await link(['record', uuid], { BOT_TOKEN: '' })).toEqual({
    code: 1,
    out: [],
    err: [expect.stringMatching(/^BOT_TOKEN is required: /)],
  })
  const refused = await link(['record', uuid], { BOT_TOKEN: '1:sesame' })
  expect([refused.code, refused.out]).toEqual([1, []])
  expect(refused.err.join()).toContain('npm run check')
})
