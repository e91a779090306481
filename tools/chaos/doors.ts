import { createServer, type Server } from 'node:http'
import type { Emulator } from '../emulator/emulator.ts'

/** A server before the emulated Telegram for one replica: it adds the replica as `bot` to each payload. */
export async function openDoor(
  emulator: Emulator,
  bot: number,
): Promise<{ apiRoot: string; server: Server }> {
  const server = createServer((request, response) => {
    const [path, query] = (request.url ?? '').split('?')
    request.url = `${path}?bot=${bot}${query ? `&${query}` : ''}`
    emulator.app.server.emit('request', request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { apiRoot: `http://127.0.0.1:${port}`, server }
}
