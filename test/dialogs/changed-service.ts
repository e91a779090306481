import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sandbox } from '../../tools/sandbox/sandbox.ts'
import { knownPerson } from './short-tests.ts'
import type { Meeting, Participant } from './walk.ts'

type Change = (path: string, data: never) => unknown

/** A participant whose service answers with other data than the sandbox would. */
export async function withChanged(
  meet: (meeting: Meeting) => Promise<Participant>,
  change: Change,
  meeting = knownPerson(),
): Promise<Participant> {
  let sandbox: Sandbox | undefined
  const SERVICE_URL = await changedService(() => sandbox, change)
  const participant = await meet({ ...meeting, environment: { SERVICE_URL, ORGANIZERS: '900' } })
  sandbox = participant.world.sandbox
  return participant
}

/** A proxy in front of a sandbox. Returns its address. */
export async function changedService(sandboxOf: () => Sandbox | undefined, change: Change): Promise<string> {
  const proxy = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const { method = 'GET', url = '', headers } = request
      const sandbox = sandboxOf()
      // The bot checks its service before the story has its world.
      if (!sandbox) return void response.writeHead(503).end()
      const answer = await sandbox.call({
        method,
        url,
        headers: headers as Record<string, string>,
        body: Buffer.concat(chunks),
      })
      const body = JSON.parse(answer.body) as { data: never }
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...body, data: change(url, body.data) }))
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  proxy.unref()
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v2`
}
