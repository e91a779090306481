import { lookup } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { request } from 'undici'
import { createDispatcher, readWithin } from './dispatcher.ts'

/** No question needs larger pictures, and Telegram does not accept them. */
const LARGEST_PICTURE_BYTES = 5 * 1024 * 1024
const CONNECT_MS = 5_000
const WHOLE_MS = 20_000

/** Fetches a picture by its address; `undefined` when it cannot be fetched or is no picture. */
export type FetchPicture = (address: string) => Promise<Buffer | undefined>

/**
 * Fetches pictures from `https:` and `data:` addresses, through the proxy if there is one, never from an
 * internal network; follows no redirect.
 */
export function createPictureFetcher({ proxyUrl }: { proxyUrl?: string | undefined }): FetchPicture {
  const dispatcher = createDispatcher({ proxyUrl, connectMs: CONNECT_MS, lookup: publicLookup })

  async function download(address: string): Promise<Buffer | undefined> {
    if (!isPublicHost(new URL(address).hostname)) return undefined
    const { statusCode, body } = await request(address, { dispatcher, signal: AbortSignal.timeout(WHOLE_MS) })
    return readWithin(statusCode === 200 ? LARGEST_PICTURE_BYTES : 0, body)
  }

  return async (address) => {
    const bytes = /^data:/i.test(address)
      ? readDataAddress(address)
      : /^https:\/\//i.test(address)
        ? await download(address).catch(() => undefined)
        : undefined
    return bytes && isPicture(bytes) ? bytes : undefined
  }
}

function readDataAddress(address: string): Buffer | undefined {
  const [, base64 = '', data = ''] = /^data:[^,]*?(;base64)?,(.*)$/is.exec(address) ?? []
  if (!base64 || data.length > 2 * LARGEST_PICTURE_BYTES) return undefined
  return Buffer.from(
    data.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'base64',
  )
}

const begins = (bytes: Uint8Array, at: number, ...expected: number[]): boolean =>
  expected.every((byte, index) => bytes[at + index] === byte)

/** Whether these bytes are a picture that a chat can show: PNG, JPEG, GIF or WebP. */
export function isPicture(bytes: Uint8Array): boolean {
  if (bytes.length < 16 || bytes.length > LARGEST_PICTURE_BYTES) return false
  return (
    begins(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) ||
    begins(bytes, 0, 0xff, 0xd8, 0xff) ||
    begins(bytes, 0, 0x47, 0x49, 0x46, 0x38) ||
    (begins(bytes, 0, 0x52, 0x49, 0x46, 0x46) && begins(bytes, 8, 0x57, 0x45, 0x42, 0x50))
  )
}

/** Networks without public hosts: this machine, private and link-local networks, with cloud metadata. */
const inside = new BlockList()
const NETWORKS =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 ' +
  '192.168.0.0/16 198.18.0.0/15 224.0.0.0/3 ' +
  '::/96 64:ff9b::/96 64:ff9b:1::/48 2001::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8'
for (const [network = '', prefix] of NETWORKS.split(' ').map((each) => each.split('/')))
  inside.addSubnet(network, Number(prefix), familyOf(network))

/** Whether an IP address, in any notation that Node accepts, is in none of these networks. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) > 0 && !inside.check(address, familyOf(address))

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

/** Whether a host looks public: neither an address in such a network nor an internal name. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) > 0) return isPublicAddress(host)
  return (
    host.includes('.') &&
    !/\.(localhost|localdomain|local|lan|home|corp|intranet|internal|home\.arpa)$/i.test(host)
  )
}

/** Resolves a name as Node does; a name with any address in such a network is not found. */
export const publicLookup: LookupFunction = (host, options, callback) =>
  lookup(host, { ...options, all: true }, (error, found) => {
    const [first] = found ?? []
    const isPublic = !error && found.every(({ address }) => isPublicAddress(address))
    if (!isPublic || !first) {
      callback(error ?? Object.assign(new Error('no public address'), { code: 'ENOTFOUND' }), '')
    } else if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  })
