import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici'
import { createSocksAgent } from '../service/socks-agent.ts'

const CONNECT = { timeout: 10_000 }
const CONNECTIONS = 64

/**
 * The connections to Telegram, kept alive: direct, or through an `http://`, `https://` or `socks5://` proxy. Through
 * an HTTP proxy `https:` is tunnelled and `http:` is forwarded, as such proxies expect it.
 */
export function createDispatcher(proxyUrl?: string): Dispatcher {
  if (!proxyUrl) return new Agent({ connect: CONNECT, connections: CONNECTIONS })
  if (proxyUrl.startsWith('socks5:')) {
    return createSocksAgent(proxyUrl, { connect: buildConnector(CONNECT), connections: CONNECTIONS })
  }
  return new ProxyAgent({
    uri: proxyUrl,
    proxyTunnel: false,
    proxyTls: CONNECT,
    requestTls: CONNECT,
    connections: CONNECTIONS,
  })
}
