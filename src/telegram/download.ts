import type { Api } from 'grammy'
import { request } from 'undici'
import { readWithin } from '../service/dispatcher.ts'
import { connectTo } from './client.ts'
import { isRefused } from './errors.ts'

/** Fetches a file that a person has sent; `undefined` where Telegram does not hand it out, `'large'` above the limit. */
export type Download = (fileId: string, mostBytes: number) => Promise<Buffer | 'large' | undefined>

const LIMIT_MS = 30_000

/** Fetches files from the root of the Bot API, through the same proxy as everything else. */
export function createDownload({
  api,
  token,
  apiRoot,
  proxyUrl,
}: {
  api: Pick<Api, 'getFile'>
  token: string
  apiRoot: string
  proxyUrl?: string | undefined
}): Download {
  const dispatcher = connectTo(proxyUrl)
  return async (fileId, mostBytes) => {
    try {
      const { file_path: path, file_size: size = 0 } = await api.getFile(fileId)
      if (size > mostBytes) return 'large'
      if (path === undefined) return undefined
      const address = `${apiRoot}/file/bot${token}/${path}`
      const signal = AbortSignal.timeout(LIMIT_MS)
      const { statusCode, body } = await request(address, { dispatcher, signal })
      const bytes = (await readWithin(mostBytes, body)) ?? 'large'
      return statusCode === 200 ? bytes : undefined
    } catch (error) {
      if (isRefused(error)) return undefined
      // The address holds the token of the bot, so the error is not passed on.
      throw new Error('a file could not be fetched from Telegram')
    }
  }
}
