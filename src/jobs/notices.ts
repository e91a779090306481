import { z } from 'zod'
import { languageOf } from '../domain/account.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { NOTICE_KINDS, type NoticeKind } from '../domain/notice.ts'
import { personOf, roleLabel } from '../domain/record/names.ts'
import { kindOfFile, type RecordFile } from '../domain/record/record.ts'
import { roleOf } from '../domain/roadmap.ts'
import { epochOf, job } from '../queue/job.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { accountKey, accounts, notifiedCauses, recordFiles } from '../storage/documents/kinds.ts'
import { notice } from '../storage/documents/notices.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Button } from '../telegram/message.ts'
import type { TextKey, TextVariables } from '../texts/keys.ts'
import type { Translate } from '../texts/texts.ts'
import { noticeView, type Offer, type Whose } from '../views/organizer-notices.ts'
import type { JobDeps, With } from './deps.ts'

/** A message to an organizer. Keyed by the organizer's account, so that a blocked chat delays no other. */
export const noticeJob = job(
  'notice',
  // A message that is sent at once, also to participants, has no kind.
  notice.extend({ chatId: z.number(), kind: z.enum(NOTICE_KINDS).optional() }),
)

export type NoticeDeps = Pick<JobDeps, 'texts' | 'now'> & With<'organizers' | 'desk' | 'locale'>

/**
 * Why organizers are notified: the notice, the record id or another name of what it is about, and the file
 * that shows whose it is.
 */
type Cause<K extends NoticeKey = NoticeKey> = {
  key: K
  of: string
  whose?: RecordFile | undefined
  kind?: NoticeKind | undefined
  /** The notice is not sent again before it is settled. */
  isLasting?: true
}

/** The variables of the text; some of them are texts themselves. */
export type Variables<K extends NoticeKey> = TextVariables[K] | ((t: Translate) => TextVariables[K])

/**
 * Notifies every organizer in their own language, unless they were notified of the same cause within the
 * hour; keeps the message until Telegram has taken it. Returns whether it was posted.
 */
export async function postNotice<K extends NoticeKey>(
  { config, texts, now }: NoticeDeps,
  work: UnitOfWork,
  { key, of, whose: file, kind = noticeKinds[key], isLasting }: Cause<K>,
  variables: Variables<K>,
  buttons: (t: Translate) => Button[][] = () => [],
): Promise<boolean> {
  const cause = hashCause(work, { key, of })
  const told = await work.get(notifiedCauses, cause)
  if (told && (told.isLasting || now() - told.at < HOUR_MS)) return false
  work.put(notifiedCauses, cause, { at: now(), ...(isLasting && { isLasting }) })
  const whose = file && (await whoseOf(work, file))
  const who = file && (await ownerOf(work, file))
  const about = who === undefined ? undefined : { who, epoch: await epochOf(work, who) }
  const offer = noticeOffers[key]
  for (const chatId of config.organizers) {
    const organizer = accountKey(work.vault, chatId)
    const isDesk = config.desk.includes(chatId)
    const t = texts.for(languageOf(await work.get(accounts, organizer), config))
    const text = t(key, typeof variables === 'function' ? variables(t) : variables).trimEnd()
    noticeJob.post(work, organizer, {
      ...{ chatId, kind, about },
      ...noticeView(t, { text, buttons: buttons(t), whose, offer: isDesk ? deskOffer(offer) : offer }),
    })
  }
  return true
}

/** Whose a record or roadmap is, as organizers know the person. */
export async function whoseOf(work: UnitOfWork, file: RecordFile): Promise<Whose> {
  const { s, token, test, parent, caseNumber, externalId, shownAs } = file
  const roadmap = parent && (await work.get(recordFiles, parent.s))
  const role = roleOf(roadmap?.roadmap, parent?.role)
  // Shown until the service has a person; the person of a role is shown with the role.
  const typed = personOf(file)
  return {
    s,
    target: { kind: kindOfFile(file), token },
    // A file that was never read has no title yet.
    title: test.title || token,
    person: shownAs ?? (parent || typed === caseNumber ? undefined : typed),
    caseNumber,
    externalId: externalId ?? role?.externalId,
    ...(roadmap && role && { role: { title: roleLabel(role), roadmap: roadmap.test.title } }),
  }
}

/** Settles the cause: if it comes again, organizers are notified at once. */
export async function settleNotice(work: UnitOfWork, cause: Pick<Cause, 'key' | 'of'>): Promise<void> {
  const told = hashCause(work, cause)
  if (await work.get(notifiedCauses, told)) work.remove(notifiedCauses, told)
}

const hashCause = ({ vault }: UnitOfWork, { key, of }: Pick<Cause, 'key' | 'of'>): string =>
  vault.hash('notice', `${key}:${of}`)

export type NoticeKey = Exclude<TextKey & `notice-${string}`, 'notice-label'>

/** The kind of each notice, by which organizers switch it. A new notice without a kind does not compile. */
const noticeKinds: Record<NoticeKey, NoticeKind> = {
  'notice-external-id': 'external',
  'notice-refused': 'trouble',
  'notice-key': 'key',
  'notice-unreadable': 'trouble',
  'notice-unreadable-question': 'trouble',
  'notice-billing': 'billing',
  'notice-waiting': 'billing',
  'notice-submit': 'trouble',
  'notice-attempt': 'trouble',
  'notice-result': 'trouble',
  'notice-report': 'trouble',
  'notice-figures': 'trouble',
  'notice-generation-slow': 'analysis',
  'notice-analysis-ready': 'analysis',
  'notice-analysis-failed': 'analysis',
  'notice-finished': 'finished',
  'notice-stuck': 'stuck',
  'notice-blocked': 'blocked',
  'notice-guardian': 'guardian',
  'notice-sms-limit': 'trouble',
  'notice-sms-unverified': 'trouble',
  'notice-mobile-limit': 'trouble',
  'notice-answers-expire': 'trouble',
  'notice-result-expires': 'trouble',
  'notice-roadmap-left': 'trouble',
  'notice-withdrawn': 'trouble',
  'notice-done-elsewhere': 'trouble',
  'notice-test-elsewhere': 'trouble',
  'notice-finished-elsewhere': 'trouble',
  'notice-registered-elsewhere': 'trouble',
  'notice-uncertain': 'trouble',
  'notice-trouble': 'trouble',
}

/** Notices of what stops participants are sent at once, also at night. */
export const isUrgent = (kind: NoticeKind): boolean =>
  kind === 'billing' || kind === 'key' || kind === 'trouble'

/** What a notice offers beside the card. */
const noticeOffers: { readonly [K in NoticeKey]?: Offer } = {
  'notice-finished': 'send',
  'notice-analysis-ready': 'send',
  'notice-done-elsewhere': 'send',
  'notice-finished-elsewhere': 'send',
  'notice-uncertain': 'send',
  'notice-stuck': 'nudge or release',
}

/** Desk organizers may remind, but get no result. */
const deskOffer = (offer: Offer): Offer => (offer === 'nudge or release' ? 'nudge' : undefined)

/** Notices with buttons of their own, and the digest, are sent alone, also among many. */
export const comesAlone = (kind: NoticeKind): boolean => kind === 'external' || kind === 'digest'
