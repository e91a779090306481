import type { Composer } from 'grammy'
import { consentNow, noteAgreement, waitingForGuardian } from '../dialog/agreement.ts'
import { focusedFile } from '../dialog/files.ts'
import { type IncomingContext, onButton, tappedMessage } from '../dialog/incoming.ts'
import { stopForGuardian } from '../dialog/notify-organizers.ts'
import { isBusyElsewhere, sendText } from '../dialog/send.ts'
import { leadTo, leaveAsked, type UpdateContext } from '../dialog/update-context.ts'
import { whyClosed } from '../domain/invitation.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { type EventOf, postEvent } from '../queue/chat-message.ts'
import { guardCurrent } from '../queue/job.ts'
import { type GuardianLink, invitations, isGuardianLink } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { guardianAskedView } from '../views/hand-over.ts'

/** Opens the link by which a minor asks a parent or guardian on their own phone. */
export async function openGuardianLink(ctx: UpdateContext, code: string, link: GuardianLink): Promise<void> {
  const waiting = await askedBy(ctx, link)
  if (typeof waiting === 'string') return sendText(ctx, waiting)
  const { whole, title: role } = waiting
  const { config } = ctx.deps
  // A question about the guardian's own test keeps its buttons.
  const ask = (await focusedFile(ctx)) ? ctx.send : ctx.ask
  await ask(
    guardianAskedView(ctx.t, {
      ...{ code, role, title: whole.test.title, resultTo: resultToOf(config, whole) },
      isRoadmap: whole.roadmap !== undefined,
      days: Math.ceil(config.retentionDays),
    }),
  )
}

/** What a link asks for; otherwise the notice for the account that opens it, which names no person. */
async function askedBy(ctx: UpdateContext, link: GuardianLink) {
  const { minor, s, role } = link
  if (minor.who === ctx.who) return 'guardian-link-own'
  const closed = whyClosed(link, ctx.now)
  if (closed) return closed === 'expired' ? 'guardian-link-expired' : 'guardian-link-used'
  const isThere = await guardCurrent(ctx.work, minor)
  const waiting = isThere ? await waitingForGuardian(ctx, { who: minor.who, s, role }) : undefined
  return waiting ?? 'guardian-link-over'
}

/** The guardian's buttons: the answer counts once, and the minor's chat goes on with it. */
export function guardianAsked(composer: Composer<IncomingContext>): void {
  onButton(composer, buttons.agree, async (incoming, next, code, answer) => {
    const { ctx } = incoming
    const { work, deps, t } = ctx
    const link = await work.get(invitations, codeKey(work.vault, code))
    if (!isGuardianLink(link)) return next()
    const waiting = await askedBy(ctx, link)
    const message = tappedMessage(incoming)
    if (message === ctx.account.asked) delete ctx.account.asked
    if (typeof waiting === 'string') return ctx.show(message, { text: t(waiting) })
    const { minor, s, role } = link
    link.over = 'used'
    link.isDeclined = answer === 'no' || undefined
    const consent = consentNow(ctx, resultToOf(deps.config, waiting.whole))
    postEvent(work, minor, s, { kind: 'guardian', answer, role, consent })
    await ctx.show(message, { text: t(`guardian-asked-${answer}`) })
  })
}

/** Takes the guardian's answer: a yes leads on, a no stops, and one that is not awaited does nothing. */
export async function guardianAnswered(ctx: UpdateContext, file: RecordFile, event: EventOf<'guardian'>) {
  const { answer, role, consent } = event
  const waiting = await waitingForGuardian(ctx, { who: ctx.who, s: file.s, role })
  if (!waiting) return
  if (answer === 'no')
    return stopForGuardian(ctx, waiting.whole, {
      role: waiting.role ?? role,
      word: 'guardian-declined-apart',
    })
  waiting.note()
  await noteAgreement(ctx, waiting.whole, {
    by: 'guardian',
    role: waiting.role ?? role,
    isApart: true,
    consent,
  })
  const word = ctx.t('guardian-agreed-apart')
  if (!(await isBusyElsewhere(ctx, file))) {
    if (ctx.account.focus === file.s) leaveAsked(ctx)
    ctx.account.focus = file.s
  }
  if (isIn(file, 'profile')) {
    ctx.due = { show: 'question', file, word }
    return
  }
  await ctx.send({ text: word })
  leadTo(ctx, file)
}
