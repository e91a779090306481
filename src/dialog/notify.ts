import type { NoticeKind } from '../domain/notice.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { Failure } from '../jobs/call.ts'
import { type NoticeKey, postNotice, settleNotice, type Variables } from '../jobs/notices.ts'
import { LANGUAGE_CODES } from '../texts/languages.ts'
import type { SimpleTextKey, Translate } from '../texts/texts.ts'
import { buttons } from '../views/buttons.ts'
import { failureView } from '../views/failure.ts'
import { type Button, button, type View } from '../views/view.ts'
import { askAbout } from './meanwhile.ts'
import type { UpdateContext } from './update-context.ts'

/** Says a text that needs nothing filled in. */
export async function sendText(ctx: UpdateContext, key: SimpleTextKey): Promise<void> {
  await ctx.send({ text: ctx.t(key) })
}

/** Adds the way to the other language, for somebody whose Telegram is not in the default one and who chose none yet. */
export function withOtherLanguage({ account, language, deps }: UpdateContext, view: View): View {
  if (account.language !== undefined || !account.isForeign) return view
  const others = LANGUAGE_CODES.filter((code) => code !== language)
  const ways = others.map((code) => [
    button(deps.texts.for(code).plain('language-name'), buttons.lang.data(code)),
  ])
  return { ...view, keyboard: [...(view.keyboard ?? []), ...ways] }
}

/** Tells the organizers what only they can mend, of one record once an hour. */
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

/** Nobody is there who may agree for a minor: it stops here, and the organizers hear of it. */
export async function stopForGuardian(ctx: UpdateContext, file: RecordFile): Promise<void> {
  await sendText(ctx, 'guardian-stop')
  await notifyOrganizers(ctx, file, 'notice-guardian', { title: file.test.title })
}

/** Tells the organizers once that the service refuses the key, until it works again. */
export async function notifyKeyTrouble({ deps, work }: UpdateContext): Promise<void> {
  await postNotice(deps, work, { ...KEY_TROUBLE, isLasting: true }, undefined)
}

/** A call has succeeded: should the key be refused again organizers hear of it anew. */
export const keyWorks = ({ deps, work }: UpdateContext): Promise<void> =>
  settleNotice(deps.vault, work, KEY_TROUBLE)

const KEY_TROUBLE = { key: 'notice-key', of: 'key' } as const

const kindOf = ({ code }: Failure): { kind?: NoticeKind } => (code === 'billing' ? { kind: 'billing' } : {})

/** What only an organizer can mend, whichever call it stopped. */
const REFUSALS: readonly Failure['code'][] = ['key_invalid', 'forbidden', 'billing', 'bad_request']

/** Says why a call failed, in words for the participant, with the way on; organizers hear of what they can mend. */
export async function failed(ctx: UpdateContext, file: RecordFile, failure: Failure): Promise<void> {
  const { organizerContact } = ctx.deps.config
  if (REFUSALS.includes(failure.code)) {
    // A record that was never read has no title yet; the organizer knows it by its token.
    const title = file.test.title || file.token
    if (failure.code === 'key_invalid') await notifyKeyTrouble(ctx)
    else await notifyOrganizers(ctx, file, 'notice-refused', { title }, kindOf(failure))
  }
  await askAbout(ctx, file, failureView(ctx.t, { s: file.s, failure, organizerContact }))
}
