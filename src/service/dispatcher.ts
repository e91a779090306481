import type { LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher, ProxyAgent, Socks5ProxyAgent } from 'undici'

type Connections = {
  proxyUrl?: string | undefined
  connectMs: number
  /** How names are resolved; behind a proxy the proxy does it. */
  lookup?: LookupFunction
  /** How many to one host at most. */
  connections?: number
}

/**
 * Connections that are kept alive: direct, or through an `http://`, `https://` or `socks5://` proxy. Through an HTTP
 * proxy `https:` is tunnelled and `http:` is forwarded, as such proxies expect it.
 */
export function createDispatcher({ proxyUrl, connectMs, lookup, ...most }: Connections): Dispatcher {
  const connect = { timeout: connectMs }
  if (!proxyUrl) return new Agent({ connect: { ...connect, ...(lookup && { lookup }) }, ...most })
  const { protocol } = new URL(proxyUrl)
  if (protocol === 'socks5:')
    return createSocksAgent(proxyUrl, { connect: createConnector(connect), ...most })
  if (protocol === 'http:' || protocol === 'https:') {
    const byTls = { proxyTls: connect, requestTls: connect }
    return new ProxyAgent({ uri: proxyUrl, proxyTunnel: false, ...byTls, ...most })
  }
  throw new Error('a proxy address begins with http://, https:// or socks5://')
}

/** The agent asks for the host as it stands in an address, an IPv6 one in brackets. */
function createConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options)
  return (to, done) => connect({ ...to, hostname: to.hostname.replace(/^\[(.+)\]$/, '$1') }, done)
}

function createSocksAgent(...given: ConstructorParameters<typeof Socks5ProxyAgent>): Socks5ProxyAgent {
  const { emitWarning } = process
  // The first one of a process says on stderr that it is experimental. Nothing else can run until it is made, and
  // whatever else it says is passed on.
  process.emitWarning = (...said: unknown[]) => {
    if (!String(said[0]).startsWith('SOCKS5')) Reflect.apply(emitWarning, process, said)
  }
  try {
    return new Socks5ProxyAgent(...given)
  } finally {
    process.emitWarning = emitWarning
  }
}

/** The same connections, telling when a request is about to be written: before that it cannot have reached anyone. */
export function notifyingWrites(dispatcher: Dispatcher, onWrite: () => void): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart: (controller, context) => {
          onWrite()
          handler.onRequestStart?.(controller, context)
        },
        onResponseStart: (...args) => handler.onResponseStart?.(...args),
        onResponseData: (...args) => handler.onResponseData?.(...args),
        onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
        onResponseError: (...args) => handler.onResponseError?.(...args),
      }),
  )
}

/** Reads a body; `undefined` for one that is larger, whose connection is closed. */
export async function readWithin(limit: number, body: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > limit) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}
