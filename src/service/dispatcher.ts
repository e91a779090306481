import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici'
import { createSocksAgent } from './socks-agent.ts'

/**
 * The connections to the service: direct, or through an `http://`, `https://` or `socks5://` proxy. Through an HTTP
 * proxy `https:` is tunnelled and `http:` is forwarded, as such proxies expect it.
 */
export function createDispatcher({
  proxyUrl,
  connectMs,
}: {
  proxyUrl?: string | undefined
  connectMs: number
}): Dispatcher {
  const connect = { timeout: connectMs }
  if (!proxyUrl) return new Agent({ connect })
  const { protocol } = new URL(proxyUrl)
  if (protocol === 'socks5:') return createSocksAgent(proxyUrl, { connect: buildConnector(connect) })
  if (protocol === 'http:' || protocol === 'https:') {
    return new ProxyAgent({ uri: proxyUrl, proxyTunnel: false, proxyTls: connect, requestTls: connect })
  }
  throw new Error('a proxy address begins with http://, https:// or socks5://')
}

/** The same connections, telling when a request is about to be written: before that it cannot have reached anyone. */
export function tellingWrites(dispatcher: Dispatcher, onWrite: () => void): Dispatcher {
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
