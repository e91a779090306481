import { Composer, InputFile } from 'grammy'
import { ownerOf } from '../dialog/access.ts'
import { knownFile } from '../dialog/files.ts'
import { type IncomingContext, tappedMessage } from '../dialog/incoming.ts'
import { noteAct } from '../dialog/note-act.ts'
import { sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { DAY_MS } from '../domain/durations.ts'
import { isGiven } from '../domain/roadmap.ts'
import { onButton } from '../participant/on-button.ts'
import { qrPng } from '../pictures/qr.ts'
import { invitations, isMade, type MadeInvitation, whyClosed } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/keys.ts'
import { buttons } from '../views/buttons.ts'
import { closeRole } from './invite-role.ts'
import { linkOf, showInvitation } from './show-invitation.ts'

/** What can be done with an invitation: its QR code, its end, who receives the result, revoking it. */
export function managing(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()

  onButton(composer, buttons.qr, async ({ ctx }, next, code) => {
    const made = await madeOf(ctx, code)
    if (!made) return next()
    if (await isOver(ctx, made)) return
    const picture = await qrPng(linkOf(ctx, code))
    const caption = ctx.t('qr-caption', { title: made.title, code })
    await ctx.sendPhoto(new InputFile(picture, 'invitation.png'), caption)
  })

  onButton(composer, buttons.expire, async (incoming, next, code, days) => {
    const { ctx } = incoming
    const made = await madeOf(ctx, code)
    if (!made) return next()
    if (await isOver(ctx, made)) return
    if (days === 0) delete made.until
    else made.until = ctx.now + days * DAY_MS
    await noteAct(ctx, 'expire', made.token)
    await showInvitation(ctx, made, tappedMessage(incoming))
  })

  onButton(composer, buttons.to, async (incoming, next, code, to) => {
    const { ctx } = incoming
    const made = await madeOf(ctx, code)
    if (!made) return next()
    if (whyClosed(made, ctx.now) === 'used') return sendText(ctx, 'invitation-to-begun')
    if (await isOver(ctx, made)) return
    // The report of a roadmap whose roles were invited one by one is the same for all of them.
    const file = made.role && (await knownFile(ctx, made.token))
    const isBegun = file && ((await ownerOf(ctx, file)) !== undefined || file.roadmap?.hands.some(isGiven))
    if (isBegun) return sendText(ctx, 'invitation-to-begun')
    if (file) file.resultTo = to
    made.resultTo = to
    await noteAct(ctx, 'to', made.token)
    await showInvitation(ctx, made, tappedMessage(incoming))
  })

  onButton(composer, buttons.revoke, async (incoming, next, code) => {
    const { ctx } = incoming
    const made = await madeOf(ctx, code)
    if (!made) return next()
    if (made.over !== undefined) return showInvitation(ctx, made, tappedMessage(incoming))
    Object.assign(made, { over: 'revoked', overAt: ctx.now } satisfies Partial<MadeInvitation>)
    if (made.role) await closeRole(ctx, made)
    await noteAct(ctx, 'revoke', made.token)
    await showInvitation(ctx, made, tappedMessage(incoming))
  })
  return composer
}

async function madeOf({ work, deps }: UpdateContext, code: string): Promise<MadeInvitation | undefined> {
  const kept = await work.get(invitations, codeKey(deps.vault, code))
  return isMade(kept) ? kept : undefined
}

/** What is over opens nothing again; one that has only expired may be given another end. */
async function isOver(ctx: UpdateContext, { over }: MadeInvitation): Promise<boolean> {
  if (over !== undefined) await sendText(ctx, 'invitation-over-already')
  return over !== undefined
}
