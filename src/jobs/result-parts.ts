import type { Config } from '../config.ts'
import { languageOf } from '../domain/account.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { accounts } from '../kept/documents.ts'
import type { OnBehalf, OwedResult, Part } from '../kept/owed-result.ts'
import type { CardRenderer } from '../report/card-renderer.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Sender } from '../telegram/sender.ts'
import type { Texts } from '../texts/texts.ts'
import type { FetchedResult } from './fetch-result.ts'
import { recipientsOf } from './recipients.ts'
import { createResultContent } from './result-content.ts'

/** What a result consists of for each of its recipients, and how a part is sent. */
export function createResultParts(deps: { texts: Texts; config: Config; cards: CardRenderer }) {
  const { config } = deps
  const content = createResultContent(deps)

  return {
    async of(
      work: UnitOfWork,
      file: RecordFile,
      result: FetchedResult,
      onBehalf: OnBehalf,
      asking?: number,
    ): Promise<Part[]> {
      const parts: Part[] = []
      for (const { who, ...member } of recipientsOf(config, file, onBehalf, asking)) {
        const account = who === undefined ? undefined : await work.get(accounts, who)
        const recipient = { ...member, language: languageOf(account, { locale: member.language }) }
        const pictures = await content.pictures(file, result, recipient.language)
        const messages = content.messages(file, result, recipient.language)
        const hasReport = result.html !== undefined || result.isReportAwaited === true
        parts.push(
          ...pictures.map((_, index): Part => ({ ...recipient, kind: 'picture', index })),
          ...messages.map((_, index): Part => ({ ...recipient, kind: 'text', index })),
          ...(hasReport ? [{ ...recipient, kind: 'document', index: 0 } as const] : []),
        )
      }
      return parts
    },

    async send(
      sender: Sender,
      file: RecordFile,
      owed: OwedResult,
      { chatId, language, kind, index }: Part,
    ): Promise<void> {
      if (kind === 'picture') {
        const picture = (await content.pictures(file, owed, language))[index]
        if (picture) await sender.photo(chatId, picture.file, picture.caption)
      } else if (kind === 'document') {
        const document = content.document(file, owed.html ?? '', language)
        await sender.document(chatId, document.file, document.caption)
      } else await sender.send(chatId, { text: content.messages(file, owed, language)[index] ?? '' })
    },
  }
}
