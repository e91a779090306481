import { z } from 'zod'
import type { Config } from '../config.ts'
import { HOUR_MS } from '../domain/durations.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { toldCauses } from '../kept/documents.ts'
import { job } from '../mail/job.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import type { Button } from '../telegram/message.ts'
import type { TextVariables } from '../texts/keys.ts'
import type { Texts, Translate } from '../texts/texts.ts'
import { buttons as verbs } from '../views/buttons.ts'
import { NOTICE_KINDS, type NoticeKind } from '../views/organizer-buttons.ts'
import { button } from '../views/view.ts'
import { type NoticeKey, noticeKinds } from './notice-kinds.ts'

export type { NoticeKey } from './notice-kinds.ts'

/** Telegram's own shape, as the views make it. */
const buttonShape = z.custom<Button>(
  (value) => typeof value === 'object' && value !== null && 'text' in value,
)

/** Something an organizer is told. By the organizer's account, so that one who cannot be reached holds up nobody else. */
export const noticeJob = job(
  'notice',
  z.object({
    chatId: z.number(),
    // A word to whoever cannot be told otherwise has none.
    kind: z.enum(NOTICE_KINDS).optional(),
    text: z.string(),
    keyboard: z.array(z.array(buttonShape)).optional(),
  }),
)

export type NoticeDeps = {
  config: Pick<Config, 'organizers' | 'locale'>
  texts: Texts
  vault: Pick<Vault, 'hash'>
  now: () => number
}

/** Whose it is, as organizers know them: by case number, external id and token. */
export type Whose = Pick<RecordFile, 'token' | 'roadmap' | 'caseNumber' | 'externalId'>

/**
 * Why organizers are told something: the notice, and the `S` of the record or roadmap, or another name of it; and
 * whose it is.
 */
export type Cause<K extends NoticeKey = NoticeKey> = {
  key: K
  of: string
  whose?: Whose
  kind?: NoticeKind | undefined
}

/**
 * Tells every organizer something, unless they were told of the same cause within the hour; kept until Telegram has
 * taken it. `false` when they know.
 */
export async function postNotice<K extends NoticeKey>(
  { config, texts, vault, now }: NoticeDeps,
  work: Pick<UnitOfWork, 'get' | 'put' | 'post'>,
  { key, of, whose, kind = noticeKinds[key] }: Cause<K>,
  variables: TextVariables[K],
  buttons: (t: Translate) => Button[][] = () => [],
): Promise<boolean> {
  const cause = hashCause(vault, { key, of })
  const told = await work.get(toldCauses, cause)
  if (told && now() - told.at < HOUR_MS) return false
  work.put(toldCauses, cause, { at: now() })
  const t = texts.for(config.locale)
  const text = [t(key, variables), ...whoseLines(t, whose)].join('\n')
  const keyboard = [...buttons(t), ...(whose ? [[cardButton(t, whose)]] : [])]
  for (const chatId of config.organizers) {
    noticeJob.post(work, vault.hash('account', String(chatId)), {
      chatId,
      kind,
      text,
      keyboard,
    })
  }
  return true
}

/** The cause is settled: should it come again organizers hear of it at once. */
export function settleNotice(
  vault: NoticeDeps['vault'],
  work: Pick<UnitOfWork, 'remove'>,
  cause: Cause,
): void {
  work.remove(toldCauses, hashCause(vault, cause))
}

/** The case number, where the service has given one, and the external id. */
function whoseLines(t: Translate, { caseNumber, externalId }: Partial<Whose> = {}): string[] {
  const lines = []
  if (caseNumber !== undefined) lines.push(t('whose-case', { number: caseNumber }))
  if (externalId !== undefined) lines.push(t('whose-external-id', { id: String(externalId) }))
  return lines
}

/** Where everything about it can be seen and done. */
const cardButton = (t: Translate, { token, roadmap }: Whose): Button =>
  button(t.plain('button-card'), verbs.card.data({ kind: roadmap ? 'roadmap' : 'record', token }))

const hashCause = (vault: NoticeDeps['vault'], { key, of }: Cause): string =>
  vault.hash('notice', `${key}:${of}`)
