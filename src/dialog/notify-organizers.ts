import type { NoticeKind } from '../domain/notice.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { isFlagged, validityOf } from '../domain/response-validity.ts'
import type { Failure } from '../jobs/call-table.ts'
import { type NoticeKey, postNotice, settleNotice, type Variables } from '../jobs/notices.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { raw, type Translate } from '../texts/texts.ts'
import { failureView } from '../views/failure.ts'
import { validityText } from '../views/organizer-notices.ts'
import type { Button } from '../views/view.ts'
import { readAttempt } from './attempt.ts'
import { askAbout, sendText } from './send.ts'
import type { UpdateContext } from './update-context.ts'

/** Notifies the organizers of a problem that only they can solve, once an hour for each record. */
export async function notifyOrganizers<K extends NoticeKey>(
  { deps, work }: UpdateContext,
  whose: RecordFile,
  key: K,
  variables: Variables<K>,
  { buttons: rows, kind }: { buttons?: (t: Translate) => Button[][]; kind?: NoticeKind } = {},
): Promise<void> {
  if (await postNotice(deps, work, { key, of: whose.s, whose, kind }, variables, rows))
    deps.log.warn({ kind: key }, 'organizer is needed')
}

/** No guardian agrees for a minor: the dialog stops, and the organizers are notified. */
export async function stopForGuardian(
  ctx: UpdateContext,
  file: RecordFile,
  {
    role,
    word = 'guardian-stop',
  }: { role?: number | undefined; word?: 'guardian-stop' | 'guardian-declined-apart' } = {},
): Promise<void> {
  await sendText(ctx, word)
  const { s, roadmap, test } = file
  // For a roadmap the notice names the person who needs a guardian, not the others.
  const parent = roadmap && role !== undefined ? { s, role } : file.parent
  const whose = { ...file, parent, ...(roadmap && parent && { shownAs: undefined }) }
  await notifyOrganizers(ctx, whose, 'notice-guardian', { title: test.title })
}

/** Notifies the organizers that the service has accepted answers, with how they were given, never which. */
export async function notifyFinished(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { attemptCipher } = ctx.deps.vault
  const attempt = await readAttempt(ctx, file.s)
  const validity = attempt && validityOf(attempt, attemptCipher.decrypt(attempt))
  const whole = (file.parent && (await ctx.work.get(recordFiles, file.parent.s))) ?? file
  if (validity) {
    const { fast, run, activeMinutes } = validity
    file.validity = { fast, run, activeMinutes }
    if (isFlagged(validity)) whole.isFlagged = true
  }
  const { title, minutes } = file.test
  await notifyOrganizers(ctx, file, 'notice-finished', (t) => ({
    title,
    validity: validity ? raw(validityText(t, validity, minutes)) : '',
  }))
}

/** Notifies the organizers that the service refuses the key, only once until it works again. */
export async function notifyKeyTrouble({ deps, work }: UpdateContext): Promise<void> {
  await postNotice(deps, work, { ...KEY_TROUBLE, isLasting: true }, undefined)
}

/** A call has succeeded: if the key is refused again, the organizers get a new notice. */
export const keyWorks = ({ work }: UpdateContext): Promise<void> => settleNotice(work, KEY_TROUBLE)

/** Notifies the organizers that too many codes stay unverified, so that none is sent for a while. */
export async function notifyUnverified({ deps, work }: UpdateContext): Promise<void> {
  await postNotice(deps, work, { key: 'notice-sms-unverified', of: 'bot' }, undefined)
}

const KEY_TROUBLE = { key: 'notice-key', of: 'key' } as const

/** Failures of any call that only an organizer can solve. */
const REFUSALS: readonly Failure['code'][] = ['key_invalid', 'forbidden', 'billing', 'bad_request']

/** Tells the participant why a call failed and how to go on; organizers are notified if they can solve it. */
export async function failed(ctx: UpdateContext, file: RecordFile, failure: Failure): Promise<void> {
  // A record that was begun had a valid link.
  const code = failure.code === 'not_found' && file.isBegun ? 'bad_request' : failure.code
  if (REFUSALS.includes(code)) {
    // A record that was never read has no title; the organizer knows it by its token.
    const title = file.test.title || file.token
    const kind = code === 'billing' && { kind: code }
    if (code === 'key_invalid') await notifyKeyTrouble(ctx)
    else await notifyOrganizers(ctx, file, 'notice-refused', { title }, { ...kind })
  }
  await askAbout(ctx, file, failureView(ctx.t, code, file.s))
}
