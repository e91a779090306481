import { expect, onTestFinished, test } from 'vitest'
import { runSandbox } from '../../tools/sandbox/command.ts'

async function run(env: NodeJS.ProcessEnv) {
  const printed: string[] = []
  const complaints: string[] = []
  const sandbox = await runSandbox({
    env,
    print: (line) => printed.push(line),
    complain: (line) => complaints.push(line),
  })
  if (sandbox) onTestFinished(() => sandbox.close())
  return { sandbox, printed, complaints }
}

test('the command prints that it is a sandbox, its address, its key and its invitations', async () => {
  const { sandbox, printed, complaints } = await run({ SANDBOX_PORT: '0' })
  expect(complaints).toEqual([])
  expect(printed[0]).toContain('This is a sandbox')
  const url = printed[1]?.replace('SERVICE_URL=', '')
  const key = printed[2]?.replace('SERVICE_KEY=', '') ?? ''
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2$/)
  expect((await fetch(`${url}/auth/connect/`, { headers: { 'API-KEY': key } })).status).toBe(200)
  expect(printed.slice(3)).toHaveLength(sandbox?.seed().length ?? -1)
})

test('a given key is used and not printed', async () => {
  const { sandbox, printed } = await run({ SANDBOX_PORT: '0', SANDBOX_KEY: 'given-key' })
  expect(sandbox?.key).toBe('given-key')
  expect(printed.join('\n')).not.toContain('given-key')
})

test('every bad variable is named at once, and no value is shown', async () => {
  const env = { NODE_ENV: 'production', SANDBOX_PORT: '70000', SANDBOX_GENERATION_SECONDS: 'soon' }
  const { sandbox, complaints } = await run(env)
  expect(sandbox).toBeUndefined()
  expect(complaints.map((line) => line.split(':')[0])).toEqual(Object.keys(env))
  expect(complaints.join()).not.toMatch(/70000|soon/)
})

test('a port in use is reported plainly', async () => {
  const { printed } = await run({ SANDBOX_PORT: '0' })
  const port = new URL(printed[1]?.replace('SERVICE_URL=', '') ?? '').port
  const { sandbox, complaints } = await run({ SANDBOX_PORT: port })
  expect(sandbox).toBeUndefined()
  expect(complaints[0]).toMatch(/^SANDBOX_PORT: /)
})
