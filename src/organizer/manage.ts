import { Composer, InputFile } from 'grammy'
import { ownerOf } from '../dialog/access.ts'
import { type TurnContext, tappedMessage } from '../dialog/context.ts'
import { knownFile } from '../dialog/files.ts'
import { noteAct } from '../dialog/note-act.ts'
import { sendText } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
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
export function managing(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()

  onButton(composer, buttons.qr, async ({ turn }, next, code) => {
    const made = await madeOf(turn, code)
    if (!made) return next()
    if (await isOver(turn, made)) return
    const picture = await qrPng(linkOf(turn, code))
    const caption = turn.t('qr-caption', { title: made.title, code })
    await turn.sendPhoto(new InputFile(picture, 'invitation.png'), caption)
  })

  onButton(composer, buttons.expire, async (ctx, next, code, days) => {
    const { turn } = ctx
    const made = await madeOf(turn, code)
    if (!made) return next()
    if (await isOver(turn, made)) return
    if (days === 0) delete made.until
    else made.until = turn.now + days * DAY_MS
    await noteAct(turn, 'expire', made.token)
    await showInvitation(turn, made, tappedMessage(ctx))
  })

  onButton(composer, buttons.to, async (ctx, next, code, to) => {
    const { turn } = ctx
    const made = await madeOf(turn, code)
    if (!made) return next()
    if (whyClosed(made, turn.now) === 'used') return sendText(turn, 'invitation-to-begun')
    if (await isOver(turn, made)) return
    // The report of a roadmap whose roles were invited one by one is the same for all of them.
    const file = made.role && (await knownFile(turn, made.token))
    const isBegun = file && ((await ownerOf(turn, file)) !== undefined || file.roadmap?.hands.some(isGiven))
    if (isBegun) return sendText(turn, 'invitation-to-begun')
    if (file) file.resultTo = to
    made.resultTo = to
    await noteAct(turn, 'to', made.token)
    await showInvitation(turn, made, tappedMessage(ctx))
  })

  onButton(composer, buttons.revoke, async (ctx, next, code) => {
    const { turn } = ctx
    const made = await madeOf(turn, code)
    if (!made) return next()
    if (made.over !== undefined) return showInvitation(turn, made, tappedMessage(ctx))
    Object.assign(made, { over: 'revoked', overAt: turn.now } satisfies Partial<MadeInvitation>)
    if (made.role) await closeRole(turn, made)
    await noteAct(turn, 'revoke', made.token)
    await showInvitation(turn, made, tappedMessage(ctx))
  })
  return composer
}

async function madeOf({ work, deps }: Turn, code: string): Promise<MadeInvitation | undefined> {
  const kept = await work.get(invitations, codeKey(deps.vault, code))
  return isMade(kept) ? kept : undefined
}

/** What is over opens nothing again; one that has only expired may be given another end. */
async function isOver(turn: Turn, { over }: MadeInvitation): Promise<boolean> {
  if (over !== undefined) await sendText(turn, 'invitation-over-already')
  return over !== undefined
}
