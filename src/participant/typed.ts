import { Composer } from 'grammy'
import { isMine } from '../dialog/access.ts'
import { isPending } from '../dialog/call.ts'
import { isExpired } from '../dialog/code.ts'
import type { Dialog } from '../dialog/dialog.ts'
import { asideOf, askedNow, type Expected, expectedNow, leaveMobile, stepNow } from '../dialog/expected.ts'
import { focusedFile } from '../dialog/files.ts'
import { type IncomingContext, isOnAsked } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import { noteTyped } from '../dialog/typed.ts'
import { leadTo, type UpdateContext } from '../dialog/update-context.ts'
import { findInvitation, type Invitation } from '../domain/invitation.ts'
import { readLine, splitLines } from '../domain/invitation-lines.ts'
import { isIn } from '../domain/record/record.ts'
import { unreachable } from '../domain/unreachable.ts'
import { DIALOG_BUTTON } from '../views/buttons.ts'
import { isKnownCode } from './accept-role.ts'
import { open } from './open-code.ts'
import { takeTypedAnswer } from './typed-answer.ts'

/**
 * Ends what stands beside the dialog and waits for words: a command wins over it, and a button leads elsewhere. An
 * organizer presses buttons to look up what is asked for.
 */
export function endAsides(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer.on('callback_query', ({ ctx }, next) => {
    leaveMobile(ctx)
    return next()
  })
  composer.on('message:text', async ({ ctx, msg }, next) => {
    if (!msg.text.startsWith('/') || !asideOf(ctx.account)) return next()
    delete ctx.account.aside
    // Only the waiting is left by it.
    if (/^\/cancel(?:@\w+)?$/.test(msg.text.trim())) return sendText(ctx, 'cancelled')
    await next()
  })
  return composer
}

type Message = IncomingContext & { msg: NonNullable<IncomingContext['msg']> }

/** Hands what was typed, sent or pressed to whoever expects it, once no command has taken it. */
export function typed({ take }: Pick<Dialog, 'take'>): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer.on('message', async (incoming) => {
    const { ctx, msg } = incoming
    const expected = await expectedNow(ctx)
    const invitation = opens(msg.text ?? '', expected)
    if (invitation && !(await isTypedDetail(ctx, invitation, expected))) {
      delete ctx.account.aside
      return open(ctx, invitation)
    }
    if (msg.text?.startsWith('/')) {
      await sendText(ctx, 'unknown-command')
      return hereAgain(ctx)
    }
    const isWanted = taken[expected.is].some((content) => msg[content] !== undefined)
    await (isWanted ? assignRole(incoming, expected, take) : unexpected(incoming))
  })
  composer.callbackQuery(DIALOG_BUTTON, async (incoming, next) => {
    const asked = await askedNow(incoming.ctx)
    // They carry no record id, so they count only on the message that asked last.
    if (asked.is !== 'detail' || !isOnAsked(incoming)) return next()
    if (asked.isCall) return incoming.toast(incoming.ctx.t.plain('one-moment'), true)
    await take(incoming, { show: 'question', file: asked.file })
  })
  composer.on('callback_query', async (incoming) => {
    await incoming.toast(incoming.ctx.t.plain('button-old'))
    await hereAgain(incoming.ctx)
  })
  composer.on('edited_message', async ({ ctx }) => {
    await sendText(ctx, 'edited-message')
    await hereAgain(ctx)
  })
  return composer
}

/** What a text leads to; a payload among lines is one of them. */
function opens(text: string, { is }: Expected): Invitation | undefined {
  const isLine = splitLines(text).length > 1 || 'line' in readLine(text)
  return is === 'lines' && isLine ? undefined : findInvitation(text)
}

/** Where something is waited for twelve letters that are nobody's code are an answer («mohammadreza»). */
const isTypedDetail = async (
  ctx: UpdateContext,
  invitation: Invitation,
  { is }: Expected,
): Promise<boolean> =>
  invitation.kind === 'code' &&
  invitation.isBare === true &&
  is !== 'nothing' &&
  !(await isKnownCode(ctx, invitation.code))

/** What may be sent where something is expected. */
const taken: Record<Expected['is'], readonly ('text' | 'contact' | 'document')[]> = {
  lines: ['text', 'document'],
  'external-id': ['text'],
  'known-mobile': ['text', 'contact'],
  outcome: ['text', 'contact'],
  detail: ['text', 'contact'],
  answer: ['text'],
  nothing: [],
}

async function assignRole(incoming: Message, expected: Expected, take: Dialog['take']): Promise<void> {
  const { ctx, msg } = incoming
  const { text = '', message_id: messageId, date } = msg
  switch (expected.is) {
    case 'lines':
    case 'external-id':
    case 'known-mobile':
      return take(incoming, { show: 'aside' })
    case 'outcome':
      expected.typed.push(messageId)
      await ctx.deleteMessages([messageId])
      return sendText(ctx, 'one-moment')
    case 'detail':
      await noteTyped(ctx, expected.file, messageId)
      return takeDetail(incoming, expected, take)
    case 'answer':
      return takeTypedAnswer(ctx, expected.file, { text, messageId, date })
    case 'nothing':
      return
  }
  unreachable(expected)
}

async function takeDetail(
  incoming: Message,
  { file, isCall }: Extract<Expected, { is: 'detail' }>,
  take: Dialog['take'],
): Promise<void> {
  const { ctx, msg } = incoming
  if (msg.contact) {
    if ((await stepNow(ctx, file)) !== 'mobile') return unexpected(incoming)
  } else if (isCall) {
    if (isIn(file, 'profile')) return leadTo(ctx, file)
    if (isIn(file, 'code') && !isExpired(ctx, file.state.sms)) return sendText(ctx, 'one-moment')
  }
  await take(incoming, { show: 'question', file })
}

/** Whatever nobody understood: a word about it, and the same question again. Nothing is lost, no call is made. */
async function unexpected({ ctx, msg }: Message): Promise<void> {
  const file = await focusedFile(ctx)
  if (!file) return sendText(ctx, 'nothing-open')
  const isSpoken = msg.voice !== undefined || msg.video_note !== undefined || msg.audio !== undefined
  const word = ctx.t(isSpoken ? 'voice-message' : msg.text === undefined ? 'only-text' : 'you-are-here')
  if (isIn(file, 'profile') && !isPending(ctx, file.s) && (await isMine(ctx, file))) {
    ctx.due = { show: 'question', file, word }
    return
  }
  await ctx.send({ text: word })
  leadTo(ctx, file)
}

async function hereAgain(ctx: UpdateContext): Promise<void> {
  const file = await focusedFile(ctx)
  if (file) leadTo(ctx, file)
}
