import { Socks5ProxyAgent } from 'undici'

/** The connections through a SOCKS5 proxy. */
export function createSocksAgent(...given: ConstructorParameters<typeof Socks5ProxyAgent>): Socks5ProxyAgent {
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
