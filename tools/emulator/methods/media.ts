import type { Arguments } from '../arguments.ts'
import type { MethodTable, Parts } from '../parts.ts'
import { badRequest } from '../refusal.ts'
import { writableChat } from '../target-chat.ts'
import type { WireContent } from '../wire.ts'
import { captionContent, documentContent, photoContent, place } from './send.ts'

const SMALLEST_ALBUM = 2
const LARGEST_ALBUM = 10

/** sendMediaGroup: sends the whole album or nothing. */
export function albumMethods(parts: Parts): MethodTable {
  return {
    sendMediaGroup(args) {
      const media = args.object('media')
      if (!Array.isArray(media)) throw badRequest("can't parse media: expected an Array of InputMedia")
      if (media.length < SMALLEST_ALBUM) throw badRequest('too few messages to send as an album')
      if (media.length > LARGEST_ALBUM) throw badRequest('too many messages to send as an album')
      writableChat(parts.world, args)
      const contents = media.map((item) => mediaContent(parts, args, item))
      if (contents.some(({ document }) => document) && contents.some(({ photo }) => photo)) {
        throw badRequest("document can't be mixed with other media types")
      }
      const albumId = String(parts.world.state.counters.message + 1)
      return contents.map((content) => place(parts, args, { ...content, media_group_id: albumId }))
    },
  }
}

/** One InputMedia: a photo or a document with its own caption. */
export function mediaContent(parts: Parts, args: Arguments, source: unknown): WireContent {
  const media = (source ?? {}) as Record<string, unknown>
  if (typeof media.media !== 'string') throw badRequest("can't parse InputMedia: media not found")
  const nested: Arguments = {
    ...args,
    text: (name) => (typeof media[name] === 'string' ? media[name] : ''),
    object: (name) => media[name],
  }
  const caption = captionContent(nested)
  if (media.type === 'photo') return { ...photoContent(parts, nested, 'media'), ...caption }
  if (media.type === 'document') return { ...documentContent(parts, nested, 'media'), ...caption }
  throw badRequest("can't parse InputMedia: type of the media is not supported")
}
