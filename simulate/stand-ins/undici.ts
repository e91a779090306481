// Stands in for `undici`: the same requests, carried by the simulated network.
import { createRequire } from 'node:module'
import { Network } from '../network.ts'

const real = createRequire(import.meta.url)('undici') as typeof import('undici')

export const {
  request,
  fetch,
  Dispatcher,
  ProxyAgent,
  Socks5ProxyAgent,
  buildConnector,
  setGlobalDispatcher,
} = real
export { Network as Agent }
