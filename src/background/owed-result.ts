import type { Config } from '../config.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { documentKind } from '../store/documents.ts'
import type { Language } from '../texts/texts.ts'
import type { OnBehalf } from './actors.ts'

/** A result that is owed until Telegram has confirmed each of its parts. By `S`. */
export const owedResults = documentKind<OwedResult>('o')

export type OwedResult = {
  json: unknown
  html: string | undefined
  date: number
  /** What has not been confirmed yet, in order. */
  parts: Part[]
}

export type Part = Recipient & { kind: 'picture' | 'text' | 'document'; index: number }

/** A chat that receives the result, in its language. */
export type Recipient = { chatId: number; language: Language }

/**
 * Who receives a result: the one who began, those who were given a role of the roadmap, the organizers, as
 * `RESULT_TO` says. Whoever was forgotten since is not among them any more.
 */
export function recipientsOf(
  config: Config,
  file: RecordFile,
  { chatId, language, who }: OnBehalf,
): Recipient[] {
  const { resultTo, organizers, locale } = config
  const { roadmap, owner } = file
  const began = owner === who || !roadmap ? { chatId, language } : undefined
  const participants: Recipient[] = [
    ...(began ? [began] : roadmap?.ownerChatId ? [{ chatId: roadmap.ownerChatId, language: locale }] : []),
    ...(roadmap?.hands ?? []).flatMap((hand) =>
      hand.who === undefined || hand.chatId === undefined
        ? []
        : [{ chatId: hand.chatId, language: hand.language ?? locale }],
    ),
  ]
  const everybody = [
    ...(resultTo === 'organizer' ? [] : participants),
    ...(resultTo === 'participant'
      ? []
      : organizers.map((organizer) => ({ chatId: organizer, language: locale }))),
  ]
  return everybody.filter(
    (one, index) => everybody.findIndex((other) => other.chatId === one.chatId) === index,
  )
}
