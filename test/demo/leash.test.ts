import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { LEASH } from '../../tools/demo/bot-process.ts'
import { eventually } from '../until.ts'

test('the bot does not outlive a demo that was killed', async () => {
  const parent = spawn(
    process.execPath,
    [
      '-e',
      `require('node:child_process').spawn(process.execPath,
        ['--import', process.argv[1], '-e', 'console.log(process.pid); setInterval(() => {}, 1000)'],
        { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })`,
      LEASH,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const bot = Number(line.toString())
  expect(process.kill(bot, 0)).toBe(true)
  parent.kill('SIGKILL')
  await eventually(() => expect(() => process.kill(bot, 0)).toThrow())
})
