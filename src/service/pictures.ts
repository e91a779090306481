import { request } from 'undici'
import { isPicture, LARGEST_PICTURE_BYTES } from '../domain/picture.ts'
import { isPublicHost, publicLookup } from './addresses.ts'
import { createDispatcher, readWithin } from './dispatcher.ts'

const CONNECT_MS = 5_000
const WHOLE_MS = 20_000

/** Fetches a picture by its address; `undefined` when it cannot be had, or is none. */
export type FetchPicture = (address: string) => Promise<Buffer | undefined>

/**
 * Pictures come from `https:` and `data:` addresses, through the proxy where there is one, and from no network inside;
 * no redirect is followed.
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
