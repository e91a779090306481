import { Agent, buildConnector, type Dispatcher, ProxyAgent, Socks5ProxyAgent } from 'undici'

const CONNECT = { timeout: 10_000 }
const CONNECTIONS = 64

/**
 * The connections to Telegram, kept alive: direct, or through an `http://`, `https://` or `socks5://` proxy. Through
 * an HTTP proxy `https:` is tunnelled and `http:` is forwarded, as such proxies expect it.
 */
export function createDispatcher(proxyUrl?: string): Dispatcher {
  if (!proxyUrl) return new Agent({ connect: CONNECT, connections: CONNECTIONS })
  if (proxyUrl.startsWith('socks5:')) {
    return new Socks5ProxyAgent(proxyUrl, { connect: buildConnector(CONNECT), connections: CONNECTIONS })
  }
  return new ProxyAgent({
    uri: proxyUrl,
    proxyTunnel: false,
    proxyTls: CONNECT,
    requestTls: CONNECT,
    connections: CONNECTIONS,
  })
}
