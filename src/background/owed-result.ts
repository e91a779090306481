import type { Config } from '../config.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { membersOf } from '../domain/roadmap.ts'
import { documentKind } from '../store/documents.ts'
import type { Language } from '../texts/texts.ts'
import type { OnBehalf } from './actors.ts'

/** A result that is owed until Telegram has confirmed each of its parts. By `S`. */
export const owedResults = documentKind<OwedResult>('o')

/**
 * What waits for an account that had blocked the bot, and is perhaps no participant at all. By the account's keyed hash.
 */
export const blockedDeliveries = documentKind<{ results: BlockedDelivery[] }>('b')

/** The job that goes on with a delivery, also of a result that its participant has. */
export type BlockedDelivery = { s: string; onBehalf: OnBehalf; isRepeat: true }

export type OwedResult = {
  json: unknown
  html: string | undefined
  /** The report could not be had yet, and is fetched when its turn has come. */
  isReportAwaited?: true
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
  config: Pick<Config, 'resultTo' | 'organizers' | 'locale'>,
  { roadmap, owner }: RecordFile,
  { chatId, language, who }: OnBehalf,
): (Recipient & { who?: string })[] {
  const { resultTo, organizers, locale } = config
  const participants = roadmap
    ? membersOf(roadmap, owner).map((member) => ({ ...member, language: member.language ?? locale }))
    : [{ who, chatId, language }]
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
