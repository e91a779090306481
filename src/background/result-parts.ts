import { type Api, GrammyError } from 'grammy'
import type { Config } from '../config.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { Log } from '../observe/logger.ts'
import type { CardRenderer } from '../report/card-renderer.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import { isBlocked } from '../telegram/errors.ts'
import { plain } from '../texts/html.ts'
import type { Texts } from '../texts/texts.ts'
import type { OnBehalf } from './actors.ts'
import { accounts } from './kinds.ts'
import { type OwedResult, type Part, recipientsOf } from './owed-result.ts'
import { createResultContent } from './result-content.ts'

/** What a result consists of for each of its recipients, and how a part is sent. */
export function createResultParts(deps: {
  api: Api
  texts: Texts
  config: Config
  cards: CardRenderer
  log: Log
}) {
  const { api, config, log } = deps
  const content = createResultContent(deps)
  const quiet = { link_preview_options: { is_disabled: true } }

  async function sendText(chatId: number, text: string): Promise<void> {
    try {
      await api.sendMessage(chatId, text, { parse_mode: 'HTML', ...quiet })
    } catch (err) {
      if (isBlocked(err) || !(err instanceof GrammyError) || err.error_code !== 400) throw err
      log.error({ err }, 'Telegram refused the form of a result')
      await api.sendMessage(chatId, plain(text), quiet)
    }
  }

  return {
    async of(
      work: UnitOfWork,
      file: RecordFile,
      result: Omit<OwedResult, 'parts'>,
      onBehalf: OnBehalf,
    ): Promise<Part[]> {
      const parts: Part[] = []
      for (const { who, ...member } of recipientsOf(config, file, onBehalf)) {
        const chosen = who === undefined ? undefined : (await work.get(accounts, who))?.language
        const recipient = { ...member, language: chosen ?? member.language }
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

    async send(file: RecordFile, owed: OwedResult, { chatId, language, kind, index }: Part): Promise<void> {
      if (kind === 'picture') {
        const picture = (await content.pictures(file, owed, language))[index]
        if (!picture) return
        await api.sendPhoto(chatId, picture.file, { caption: picture.caption, parse_mode: 'HTML' })
      } else if (kind === 'document') {
        const document = content.document(file, owed.html ?? '', language)
        await api.sendDocument(chatId, document.file, { caption: document.caption, parse_mode: 'HTML' })
      } else await sendText(chatId, content.messages(file, owed, language)[index] ?? '')
    },
  }
}
