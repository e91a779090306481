import { Agent, buildConnector, type Dispatcher, ProxyAgent, Socks5ProxyAgent } from 'undici'

const connect = { timeout: 10_000 }
const connections = 64

/**
 * The connections to Telegram, kept alive: direct, or through an `http://`, `https://` or `socks5://` proxy. Through
 * an HTTP proxy `https:` is tunnelled and `http:` is forwarded, as such proxies expect it.
 */
export function createDispatcher(proxyUrl?: string): Dispatcher {
  if (!proxyUrl) return new Agent({ connect, connections })
  if (proxyUrl.startsWith('socks5:')) {
    return new Socks5ProxyAgent(proxyUrl, { connect: buildConnector(connect), connections })
  }
  return new ProxyAgent({
    uri: proxyUrl,
    proxyTunnel: false,
    proxyTls: connect,
    requestTls: connect,
    connections,
  })
}
