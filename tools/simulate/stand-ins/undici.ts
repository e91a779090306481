// Stands in for `undici`: the same requests, carried by the simulated network.
import { createRequire } from 'node:module'
import { Network, talk } from '../network.ts'

const real = createRequire(import.meta.url)('undici') as typeof import('undici')

export const { fetch, Dispatcher, ProxyAgent, Socks5ProxyAgent, buildConnector, setGlobalDispatcher } = real
export { Network as Agent }

type Asked = Parameters<typeof real.request>[1] & {}
type Given = Pick<Awaited<ReturnType<typeof real.request>>, 'statusCode' | 'headers'> & { body: Body }

/** A request without connection, stream and handlers, which would cost the most; only composed dispatchers get handlers. */
export async function request(url: string | URL, asked: Asked = {}): Promise<Given> {
  const { dispatcher } = asked
  if (dispatcher && !(dispatcher instanceof Network))
    return (await real.request(url, asked as never)) as unknown as Given
  const { origin, pathname, search } = typeof url === 'string' ? addressOf(url) : url
  // A composed dispatcher is an instance of Network too, but it has its own `dispatch`, which follows the request.
  if (dispatcher && dispatcher.dispatch !== Network.prototype.dispatch)
    return dispatched(dispatcher, { ...asked, origin, path: pathname + search } as Options)
  const { status, headers, body } = await talk({ ...asked, origin, path: pathname + search } as never)
  return { statusCode: status, headers: headers ?? {}, body: bodyOf(Buffer.from(body)) }
}

type Options = Parameters<typeof real.Dispatcher.prototype.dispatch>[0]

/** Sends a request through a composed dispatcher. */
function dispatched(dispatcher: InstanceType<typeof real.Dispatcher>, options: Options): Promise<Given> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let head: Pick<Given, 'statusCode' | 'headers'> = { statusCode: 0, headers: {} }
    dispatcher.dispatch(options, {
      onRequestStart: () => undefined,
      onResponseStart(_, statusCode, headers) {
        head = { statusCode, headers }
      },
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve({ ...head, body: bodyOf(Buffer.concat(chunks)) }),
      onResponseError: (_, error) => reject(error),
    })
  })
}

type Address = Pick<URL, 'origin' | 'pathname' | 'search'>
const addresses = new Map<string, Address>()

/** Parses an address; the same few recur, so they are cached. */
function addressOf(url: string): Address {
  const known = addresses.get(url)
  if (known) return known
  const { origin, pathname, search } = new URL(url)
  if (addresses.size > MOST_ADDRESSES) addresses.clear()
  addresses.set(url, { origin, pathname, search })
  return { origin, pathname, search }
}
const MOST_ADDRESSES = 1_000

type Body = AsyncIterable<Buffer> & {
  text(): Promise<string>
  arrayBuffer(): Promise<Buffer>
  dump(): Promise<void>
  destroy(): void
}

const bodyOf = (bytes: Buffer): Body => ({
  text: async () => bytes.toString(),
  arrayBuffer: async () => bytes,
  dump: async () => undefined,
  destroy: () => undefined,
  async *[Symbol.asyncIterator]() {
    yield bytes
  },
})
