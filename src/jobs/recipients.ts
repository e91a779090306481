import type { Config } from '../config.ts'
import type { ResultTo } from '../domain/invitation.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { membersOf } from '../domain/roadmap.ts'
import type { OnBehalf, Recipient } from '../storage/documents/kinds.ts'

/** A chat that may receive a result, with its account if that is known. */
export type Entitled = Recipient & { who?: string }

/** Whether an organizer gets results, releases, and sees exports and the audit. */
export const decides = ({ organizers, desk }: Pick<Config, 'organizers' | 'desk'>, chatId: number): boolean =>
  organizers.includes(chatId) && !desk.includes(chatId)

/** The organizers who get results. */
export const deciders = (config: Pick<Config, 'organizers' | 'desk'>): number[] =>
  config.organizers.filter((organizer) => decides(config, organizer))

/** Who receives the result of a record or roadmap: by the consent, or before it by `RESULT_TO`. */
export const resultToOf = ({ resultTo }: Pick<Config, 'resultTo'>, file: RecordFile): ResultTo =>
  file.resultTo ?? resultTo

/** Whether the participant of this test receives its result: a test of a roadmap has none of its own. */
export const isResultDueHere = (config: Pick<Config, 'resultTo'>, file: RecordFile): boolean =>
  !file.parent && resultToOf(config, file) !== 'organizer'

/**
 * The recipients of a result: the account that began, accounts with a role of the roadmap, the organizers, as
 * `RESULT_TO` says, and organizers who ask for it. Accounts forgotten since are left out.
 */
export function recipientsOf(
  config: Pick<Config, 'resultTo' | 'organizers' | 'desk' | 'locale'>,
  file: RecordFile,
  owner: string | undefined,
  { chatId, language, who }: OnBehalf,
  asking: readonly number[] = [],
): Entitled[] {
  const { locale } = config
  const { roadmap, chatId: ownerChatId } = file
  const resultTo = resultToOf(config, file)
  const participants = roadmap
    ? membersOf(roadmap, { who: owner, chatId: ownerChatId }).map((member) => ({
        ...member,
        language: member.language ?? locale,
      }))
    : // After a release the next account receives the result.
      owner === who
      ? [{ who, chatId, language }]
      : []
  const everybody = [
    ...(resultTo === 'organizer' ? [] : participants),
    ...deciders(config)
      .filter((organizer) => resultTo !== 'participant' || asking.includes(organizer))
      .map((organizer) => ({ chatId: organizer, language: locale })),
  ]
  return everybody.filter(
    (one, index) => everybody.findIndex((other) => other.chatId === one.chatId) === index,
  )
}
