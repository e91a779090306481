import type { Config } from '../config.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { membersOf } from '../domain/roadmap.ts'
import type { OnBehalf, Recipient } from '../kept/owed-result.ts'

/**
 * Who receives a result: the one who began, those who were given a role of the roadmap, the organizers, as
 * `RESULT_TO` says. Whoever was forgotten since is not among them any more.
 */
export function recipientsOf(
  { resultTo, organizers, locale }: Pick<Config, 'resultTo' | 'organizers' | 'locale'>,
  { roadmap, owner, chatId: ownerChatId }: RecordFile,
  { chatId, language, who }: OnBehalf,
): (Recipient & { who?: string })[] {
  const participants = roadmap
    ? membersOf(roadmap, { who: owner, chatId: ownerChatId }).map((member) => ({
        ...member,
        language: member.language ?? locale,
      }))
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
