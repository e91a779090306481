import type { LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher, ProxyAgent, Socks5ProxyAgent } from 'undici'

type Connections = {
  proxyUrl?: string | undefined
  connectMs: number
  /** How host names are resolved; behind a proxy, the proxy does it. */
  lookup?: LookupFunction
  /** Maximum number of connections to one host. */
  connections?: number
}

/**
 * Keep-alive connections: direct, or through an `http://`, `https://` or `socks5://` proxy. An HTTP proxy
 * tunnels `https:` and forwards `http:`.
 */
export function createDispatcher({ proxyUrl, connectMs, lookup, ...most }: Connections): Dispatcher {
  const connect = { timeout: connectMs }
  if (!proxyUrl) return new Agent({ connect: { ...connect, ...(lookup && { lookup }) }, ...most })
  const { protocol } = new URL(proxyUrl)
  if (protocol === 'socks5:')
    return new Socks5ProxyAgent(proxyUrl, { connect: createConnector(connect), ...most })
  if (protocol === 'http:' || protocol === 'https:') {
    const byTls = { proxyTls: connect, requestTls: connect }
    return new ProxyAgent({ uri: proxyUrl, proxyTunnel: false, ...byTls, ...most })
  }
  throw new Error('a proxy address begins with http://, https:// or socks5://')
}

/** The SOCKS agent passes an IPv6 host in brackets, which a connector does not accept. */
function createConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options)
  return (to, done) => connect({ ...to, hostname: to.hostname.replace(/^\[(.+)\]$/, '$1') }, done)
}

/** Calls `onWrite` before a request is written: until then, no byte can have reached the server. */
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

/** Reads a body; `undefined` if it is larger than the limit, and its connection is closed. */
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
