import { lookup } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'

/** Where nothing public lies: this machine, private and link-local networks, and the metadata of a cloud in them. */
const inside = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  inside.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  inside.addSubnet(network, prefix, 'ipv6')

/** Whether an IP address, in whatever notation Node takes, lies in none of these networks. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) > 0 && !inside.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** Whether a host is written as one that nobody outside has: an address of such a network, or a name of one. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) > 0) return isPublicAddress(host)
  return host.includes('.') && !/\.(localhost|local|internal|home\.arpa)$/i.test(host)
}

/** Resolves a name as Node does; one that leads to such a network, with any of its addresses, is not found. */
export const publicLookup: LookupFunction = (host, options, callback) =>
  lookup(host, { ...options, all: true }, (error, found) => {
    const [first] = found ?? []
    const isPublic = !error && found.every(({ address }) => isPublicAddress(address))
    if (!isPublic || !first) {
      callback(error ?? Object.assign(new Error('no public address'), { code: 'ENOTFOUND' }), '')
    } else if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  })
