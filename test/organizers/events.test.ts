import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { story, ZAHRA } from '../dialogs/walk.ts'

type Received = { body: string; signature: string; event: { id: string; type: string } }

/** An organizer's own software, that answers as it is told. */
async function software(answers: () => number) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ body, signature: String(request.headers['x-porsa-signature']), event: JSON.parse(body) })
    response.writeHead(answers()).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { received, url: `http://127.0.0.1:${port}/events`, close: () => server.close() }
}

const SECRET = 'only-between-us'

story(
  'software hears of each stage in order, signed, at least once, and never of a person',
  async ({ meet }) => {
    let isBroken = true
    const { received, url, close } = await software(() => (isBroken ? 500 : 204))
    const sara = await meet({ environment: { EVENTS_URL: url, EVENTS_SECRET: SECRET } })
    await sara.opens(`${sara.payload}_4711`)
    await sara.walksTo('question')
    expect(new Set(received.map(({ event }) => event.type))).toEqual(new Set(['opened']))
    isBroken = false
    await sara.world.restarts()
    await sara.waits(120_000)
    await sara.walksTo('review')
    await sara.taps(/^submit:/)
    await sara.waits(10_000)
    const types = received.map(({ event }) => event.type)
    expect([...new Set(types)]).toEqual(['opened', 'begun', 'submitted', 'delivered'])
    expect(types.slice(types.lastIndexOf('opened'))).toEqual(['opened', 'begun', 'submitted', 'delivered'])
    expect(new Set(received.map(({ event }) => event.id)).size).toBe(4)
    for (const { body, signature } of received) {
      expect(signature).toBe(`sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`)
      expect(body).not.toContain(ZAHRA.mobile)
      expect(body).not.toContain(ZAHRA.name)
      expect(JSON.parse(body)).toMatchObject({ kind: 'record', token: sara.token, external_id: 4711 })
    }
    close()
  },
)
