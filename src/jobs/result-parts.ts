import type { Config } from '../config.ts'
import { languageOf } from '../domain/account.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { LARGEST_ALBUM } from '../pictures/card.ts'
import type { CardRenderer } from '../pictures/card-renderer.ts'
import { accounts } from '../storage/documents/kinds.ts'
import type { OwedResult, Part } from '../storage/documents/owed-result.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Vault } from '../storage/vault.ts'
import type { Sender } from '../telegram/sender.ts'
import type { Texts } from '../texts/texts.ts'
import type { FetchedResult } from './fetch-result.ts'
import type { Entitled } from './recipients.ts'
import { createResultContent } from './result-content.ts'

/** What a result consists of for each of its recipients, and how a part is sent. */
export function createResultParts(deps: { texts: Texts; config: Config; cards: CardRenderer; vault: Vault }) {
  const { vault } = deps
  const content = createResultContent(deps)

  return {
    async of(
      work: UnitOfWork,
      file: RecordFile,
      result: FetchedResult,
      everybody: readonly Entitled[],
    ): Promise<Part[]> {
      const parts: Part[] = []
      for (const member of everybody) {
        const { chatId, who = vault.hash('account', String(chatId)), language: locale } = member
        const recipient = { chatId, language: languageOf(await work.get(accounts, who), { locale }) }
        const pictures = await content.pictures(file, result, recipient.language)
        const messages = await content.messages(file, result, recipient.language)
        const hasReport = result.html !== undefined || result.isReportAwaited === true
        parts.push(
          ...albumsOf(pictures.length).map((album): Part => ({ ...recipient, ...album })),
          ...messages.map((_, index): Part => ({ ...recipient, kind: 'text', index })),
          ...(hasReport ? [{ ...recipient, kind: 'document', index: 0 } as const] : []),
        )
      }
      return parts
    },

    /** `apart`: this Telegram takes no album, so its pictures have to go one by one. */
    async send(
      sender: Sender,
      file: RecordFile,
      owed: OwedResult,
      { chatId, language, kind, index, count = 0 }: Part,
    ): Promise<'apart' | undefined> {
      switch (kind) {
        case 'album': {
          const { files, caption } = await content.album(file, owed, language, { index, count })
          const isRefused = files.length > 0 && (await sender.album(chatId, files, caption)) === 'refused'
          return isRefused ? 'apart' : undefined
        }
        case 'picture': {
          const picture = (await content.pictures(file, owed, language))[index]
          if (picture) await sender.photo(chatId, picture.file, picture.caption)
          return undefined
        }
        case 'document': {
          const document = content.document(file, owed.html ?? '', language)
          await sender.document(chatId, document.file, document.caption)
          return undefined
        }
        case 'text': {
          // An earlier version may have made more messages of it.
          const text = (await content.messages(file, owed, language))[index]
          if (text) await sender.send(chatId, { text })
          return undefined
        }
      }
    },
  }
}

/** The fewest albums that hold so many pictures, each with about as many as the others; one alone is no album. */
export function albumsOf(pictures: number): Pick<Part, 'kind' | 'index' | 'count'>[] {
  if (pictures === 1) return [{ kind: 'picture', index: 0 }]
  const albums = Math.ceil(pictures / LARGEST_ALBUM)
  const edge = (album: number) => Math.ceil((album * pictures) / albums)
  return Array.from({ length: albums }, (_, album) => ({
    kind: 'album',
    index: edge(album),
    count: edge(album + 1) - edge(album),
  }))
}
