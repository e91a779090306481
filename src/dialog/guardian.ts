import { DAY_MS } from '../domain/durations.ts'
import { linkTo } from '../domain/invitation.ts'
import { parseWrongField } from '../domain/persian/saying.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { invitations, isGuardianLink } from '../storage/documents/invitations.ts'
import { codeKey, recordFiles } from '../storage/documents/kinds.ts'
import { GUARDIAN_LINK_DAYS } from '../storage/documents/retention.ts'
import { buttons } from '../views/buttons.ts'
import { guardianLinkView } from '../views/hand-over.ts'
import { guardianView } from '../views/profile.ts'
import { consentNow, type Minor, noteAgreement, waitingForGuardian } from './agreement.ts'
import { onBehalf } from './call.ts'
import { parentOf } from './files.ts'
import { stopForGuardian } from './notify-organizers.ts'
import { sendText } from './send.ts'
import type { Talk } from './talk.ts'
import type { UpdateContext } from './update-context.ts'

/**
 * For a participant under 18 a parent or guardian must agree, here or by a link on their own phone. A refusal
 * stops the dialog, and the organizers are notified. Who has mistyped the birth date can correct it.
 */
export async function guardian(talk: Talk): Promise<void> {
  const { text, data = '' } = await talk.ask(({ t, person }) => guardianView(t, person))
  const wrong = text === undefined ? buttons.profileEdit.read(data)?.[0] : parseWrongField(text)
  const isMistyped = wrong === 'birth'
  if (text !== undefined && !isMistyped) return talk.again(({ t }) => t('use-buttons'))
  const [answer] = buttons.guardian.read(data) ?? []
  if (answer === undefined && !isMistyped) return talk.refuse()
  if (answer === 'no')
    return talk.stay(({ ctx, file, person }) => stopForGuardian(ctx, file, { role: person.role?.id }))
  if (answer === 'link')
    return talk.stay(({ ctx, file: { s }, person }) =>
      sendGuardianLink(ctx, { who: ctx.who, s, role: person.role?.id }),
    )
  const isDeclined = await talk.know(async ({ ctx, file, person }) =>
    hasDeclinedApart(ctx, (await parentOf(ctx, file)) ?? file, person.role?.id),
  )
  if (isDeclined) return talk.stay(({ toast, t }) => toast(t.plain('guardian-only-apart'), true))
  if (isMistyped)
    return talk.correct('birth', await talk.know(({ draft, person }) => draft.people.indexOf(person)))
  await talk.end(async ({ ctx, file, person }) => {
    const whole = (await parentOf(ctx, file)) ?? file
    const consent = consentNow(ctx, resultToOf(ctx.deps.config, whole))
    await noteAgreement(ctx, whole, { by: 'guardian', role: file.parent?.role ?? person.role?.id, consent })
  })
  await talk.keep({ guardian: true }, ({ t }) => t('guardian-agreed'))
}

/** Sends a link for the minor to forward: the same link until it is used or expires. */
export async function sendGuardianLink(ctx: UpdateContext, minor: Minor): Promise<void> {
  const { account, work, now, deps, t } = ctx
  const waiting = await waitingForGuardian(ctx, minor)
  if (!waiting) return sendText(ctx, 'button-old')
  const { s, role } = minor
  const key = role === undefined ? s : `${s}:${role}`
  const keyOf = (code: string) => codeKey(work.vault, code)
  const older = account.guardianLinks?.[key]
  const kept = older === undefined ? undefined : await work.get(invitations, keyOf(older))
  const isOpen = isGuardianLink(kept) && kept.over === undefined && now < kept.until
  const code = isOpen && older !== undefined ? older : ctx.newCode(key)
  if (code !== older) {
    const days = Math.min(GUARDIAN_LINK_DAYS, deps.config.retentionDays)
    const isDeclined = isGuardianLink(kept) ? kept.isDeclined : undefined
    const link = { minor: await onBehalf(ctx), s, role, until: now + days * DAY_MS, isDeclined }
    work.put(invitations, keyOf(code), link)
    account.guardianLinks = { ...account.guardianLinks, [key]: code }
  }
  await sendText(ctx, 'guardian-link-forward')
  // The link is the last message, so that it can be forwarded at once.
  const link = linkTo(deps.username, `i_${code}`)
  await ctx.send(guardianLinkView(t, { title: waiting.whole.test.title, role: waiting.title, link }))
}

/** Whether a guardian has refused by a link; while that is stored, only a new link can change the answer. */
export async function hasDeclinedApart({ account, work }: UpdateContext, whole: RecordFile, role?: number) {
  for (const code of Object.values(account.guardianLinks ?? {})) {
    const link = await work.get(invitations, codeKey(work.vault, code))
    if (!isGuardianLink(link) || !link.isDeclined || link.role !== role) continue
    const file = await work.get(recordFiles, link.s)
    if (link.s === whole.s || file?.parent?.s === whole.s) return true
  }
  return false
}

/** Removes the guardian links of this account. */
export function endGuardianLinks({ account, work }: UpdateContext): void {
  for (const code of Object.values(account.guardianLinks ?? {}))
    work.remove(invitations, codeKey(work.vault, code))
}
