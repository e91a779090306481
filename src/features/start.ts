import { Composer } from 'grammy'
import { recordFiles } from '../background/kinds.ts'
import { acceptRole, isRoleInvitation, openRoleInvitation } from '../dialog/accept-role.ts'
import { isPending } from '../dialog/call.ts'
import { deliverBlocked, isServed } from '../dialog/deliver.ts'
import { focusedFile, openedHand, openFiles, takesPart, visibleFile } from '../dialog/files.ts'
import { begin, look, openInvitation } from '../dialog/introduce.ts'
import { withLanguageHint } from '../dialog/language-hint.ts'
import { showPlace } from '../dialog/place.ts'
import { tell } from '../dialog/say.ts'
import type { Turn } from '../dialog/turn.ts'
import { findInvitation, type Invitation, parsePayload } from '../domain/invitation.ts'
import { type BotContext, buttonOf } from './context.ts'
import { listTests } from './tests.ts'

/** `/start` with and without a payload, and links or codes pasted as a message. */
export function start(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.command('start', async (ctx) => {
    const payload = ctx.match.trim()
    delete ctx.turn.account.blocked
    if (payload === '') return startAlone(ctx.turn)
    await deliverOwed(ctx.turn)
    await open(ctx.turn, parsePayload(payload))
  })
  composer.on('message:text', async (ctx, next) => {
    const invitation = findInvitation(ctx.msg.text)
    if (!invitation || (await isTypedDetail(ctx.turn, invitation))) return next()
    await open(ctx.turn, invitation)
  })
  return composer
}

/** In the midst of the details twelve letters that are nobody's code are an answer («mohammadreza»). */
async function isTypedDetail(turn: Turn, invitation: Invitation): Promise<boolean> {
  if (invitation.kind !== 'code' || !invitation.isBare) return false
  if (await isRoleInvitation(turn, invitation.code)) return false
  return (await focusedFile(turn))?.stage === 'profile'
}

async function open(turn: Turn, invitation: Invitation | undefined): Promise<void> {
  if (invitation?.kind === 'code') {
    const file = await openRoleInvitation(turn, invitation.code)
    if (file) await showPlace(turn, file)
  } else if (invitation && !turn.deps.config.invitationOnly) await openInvitation(turn, invitation)
  else await tell(turn, 'invitation-unknown')
}

/** Delivers what is owed, then goes on with the one thing that is open, or lists them. */
async function startAlone(turn: Turn): Promise<void> {
  const isOwed = await deliverOwed(turn)
  const files = await openFiles(turn)
  const open = files.filter(({ stage }) => stage !== 'scored' && stage !== 'done' && stage !== 'elsewhere')
  const [only] = open
  if (only && open.length === 1) return showPlace(turn, only)
  if (isOwed && open.length === 0) return
  if (files.length > 0) return listTests(turn, files)
  if (turn.account.items.some((s) => isPending(turn, s))) return tell(turn, 'one-moment')
  const { organizerName, organizerContact } = turn.deps.config
  const text = turn.t('welcome', { organizer: organizerName, contact: organizerContact })
  await turn.say(withLanguageHint(turn, { text }))
}

/** Has sent what is still owed, also to somebody who had blocked the bot. */
async function deliverOwed(turn: Turn): Promise<boolean> {
  const { focus } = turn.account
  const wasBlocked = await deliverBlocked(turn)
  const owed = []
  for (const file of await openFiles(turn)) {
    if (file.stage === 'scored' && !(await isServed(turn, file))) owed.push(file)
  }
  for (const file of owed) await showPlace(turn, file)
  if (focus === undefined) delete turn.account.focus
  else turn.account.focus = focus
  return wasBlocked || owed.length > 0
}

/** Buttons of the introduction and of waiting for the organizer. */
export function introduction(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.callbackQuery(buttonOf('begin'), async (ctx) => {
    const file = await visibleFile(ctx.turn, ctx.match[1] ?? '')
    if (!file) {
      const isBegun = await ctx.turn.work.get(recordFiles, ctx.match[1] ?? '')
      return tell(ctx.turn, isBegun ? 'invitation-used' : 'invitation-closed')
    }
    const hand = openedHand(ctx.turn, file)
    if (hand) return acceptRole(ctx.turn, file, hand)
    await (file.owner !== undefined && takesPart(ctx.turn, file) ? showPlace : begin)(ctx.turn, file)
  })
  composer.callbackQuery(buttonOf('refresh'), async (ctx, next) => {
    const file = await visibleFile(ctx.turn, ctx.match[1] ?? '')
    if (!file) return next()
    if (file.stage === 'waiting' || file.stage === 'new') return look(ctx.turn, file)
    await showPlace(ctx.turn, file)
  })
  return composer
}
