import { expect, test } from 'vitest'
import { readSettings } from '../../tools/demo/settings.ts'

test('without any setting the demo serves its own machine', () => {
  expect(readSettings({}, [])).toEqual({
    host: '127.0.0.1',
    port: 8080,
    dataDir: expect.stringMatching(/demo-data$/),
    fresh: false,
    generationSeconds: 20,
    logLevel: 'error',
  })
  expect(readSettings({ HOST: '::1', PORT: '9', DATA_DIR: '/tmp/x' }, ['--fresh'])).toMatchObject({
    host: '::1',
    port: 9,
    dataDir: '/tmp/x',
    fresh: true,
  })
})

test.each([
  [{ BOT_TOKEN: '1:secret' }, [], /^BOT_TOKEN is set/],
  [{ NODE_ENV: 'production' }, [], /^NODE_ENV is production/],
  [{ HOST: '0.0.0.0' }, [], /^HOST must be/],
  [{ PORT: 'x' }, [], /^PORT must be/],
  [{ SANDBOX_GENERATION_SECONDS: 'x' }, [], /^SANDBOX_GENERATION_SECONDS must be/],
  [{ LOG_LEVEL: 'secret' }, [], /^LOG_LEVEL must be one of/],
  [{}, ['--now'], /--fresh/],
])('%o %o is refused', (env, args, why) => {
  const read = readSettings(env, args)
  expect(read).toEqual({ problems: [expect.stringMatching(why)] })
  expect(JSON.stringify(read)).not.toContain('secret')
})
