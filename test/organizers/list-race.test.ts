import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { eventually } from '../until.ts'
import type { World } from '../world.ts'
import { story, word } from './office.ts'

/** A proxy in front of the service. From `hold` on the second page is waited for, and is gone in the end. */
async function createGoingPage() {
  const known: { world?: World; isHeld?: true; goes?: () => void } = {}
  const proxy = createServer(async ({ method = 'GET', url = '', headers }, response) => {
    if (!known.world) return void response.writeHead(503).end()
    if (known.isHeld && url.includes('page=2')) {
      await new Promise<void>((resolve) => {
        known.goes = resolve
      })
      const body = { data: null, successful: false, messages: ['Invalid page.'] }
      return void response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const sent = { method, url, headers: headers as Record<string, string>, body: Buffer.alloc(0) }
    const answer = await known.world.sandbox.call(sent)
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { known, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v2` }
}

story('a page of an earlier look that is gone leaves the list that is shown now', async ({ work }) => {
  const { known, url } = await createGoingPage()
  const office = await work({ environment: { SERVICE_URL: url } })
  known.world = office.world
  for (let n = 0; n < 35; n += 1) office.addRecord()
  await office.says('/records')
  await office.taps(word('button-list-next'))
  await office.taps(word('button-list-next'))
  known.isHeld = true
  office.person.tap(word('button-list-next'))
  await eventually(() => expect(known.goes).toBeDefined())
  office.person.tap(word('button-list-again'))
  const shown = word('list-count', { count: 35, from: 1, to: 8 })
  await eventually(() => expect(office.chat).toContain(shown))
  known.goes?.()
  await office.world.settled()
  expect(office.chat).not.toContain(word('list-rest-gone'))
  expect(office.chat).toContain(shown)
})
