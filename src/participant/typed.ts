import { Composer } from 'grammy'
import { isMine } from '../dialog/access.ts'
import { isPending } from '../dialog/call.ts'
import { isExpired } from '../dialog/code.ts'
import { isOnAsked, type TurnContext } from '../dialog/context.ts'
import type { Dialog } from '../dialog/dialog.ts'
import { asideOf, askedNow, type Expected, expectedNow, leaveMobile, stepNow } from '../dialog/expected.ts'
import { focusedFile } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import { leadTo, type Turn } from '../dialog/turn.ts'
import { noteTyped } from '../dialog/typed.ts'
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
export function endAsides(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  composer.on('callback_query', ({ turn }, next) => {
    leaveMobile(turn)
    return next()
  })
  composer.on('message:text', async ({ turn, msg }, next) => {
    if (!msg.text.startsWith('/') || !asideOf(turn.account)) return next()
    delete turn.account.aside
    // Only the waiting is left by it.
    if (/^\/cancel(?:@\w+)?$/.test(msg.text.trim())) return sendText(turn, 'cancelled')
    await next()
  })
  return composer
}

type Message = TurnContext & { msg: NonNullable<TurnContext['msg']> }

/** Hands what was typed, sent or pressed to whoever expects it, once no command has taken it. */
export function typed({ take }: Pick<Dialog, 'take'>): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  composer.on('message', async (ctx) => {
    const { turn, msg } = ctx
    const expected = await expectedNow(turn)
    const invitation = opens(msg.text ?? '', expected)
    if (invitation && !(await isTypedDetail(turn, invitation, expected))) {
      delete turn.account.aside
      return open(turn, invitation)
    }
    if (msg.text?.startsWith('/')) {
      await sendText(turn, 'unknown-command')
      return hereAgain(turn)
    }
    const isWanted = taken[expected.is].some((content) => msg[content] !== undefined)
    await (isWanted ? handOver(ctx, expected, take) : unexpected(ctx))
  })
  composer.callbackQuery(DIALOG_BUTTON, async (ctx, next) => {
    const asked = await askedNow(ctx.turn)
    // They carry no `S`, so they count only on the message that asked last.
    if (asked.is !== 'detail' || !isOnAsked(ctx)) return next()
    if (asked.isCall) return ctx.toast(ctx.turn.t.plain('one-moment'), true)
    await take(ctx, { show: 'question', file: asked.file })
  })
  composer.on('callback_query', async (ctx) => {
    await ctx.toast(ctx.turn.t.plain('button-old'))
    await hereAgain(ctx.turn)
  })
  composer.on('edited_message', async ({ turn }) => {
    await sendText(turn, 'edited-message')
    await hereAgain(turn)
  })
  return composer
}

/** What a text leads to; a payload among lines is one of them. */
function opens(text: string, { is }: Expected): Invitation | undefined {
  const isLine = splitLines(text).length > 1 || 'line' in readLine(text)
  return is === 'lines' && isLine ? undefined : findInvitation(text)
}

/** Where something is waited for twelve letters that are nobody's code are an answer («mohammadreza»). */
const isTypedDetail = async (turn: Turn, invitation: Invitation, { is }: Expected): Promise<boolean> =>
  invitation.kind === 'code' &&
  invitation.isBare === true &&
  is !== 'nothing' &&
  !(await isKnownCode(turn, invitation.code))

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

async function handOver(ctx: Message, expected: Expected, take: Dialog['take']): Promise<void> {
  const { turn, msg } = ctx
  const { text = '', message_id: messageId, date } = msg
  switch (expected.is) {
    case 'lines':
    case 'external-id':
    case 'known-mobile':
      return take(ctx, { show: 'aside' })
    case 'outcome':
      expected.typed.push(messageId)
      await turn.deleteMessages([messageId])
      return sendText(turn, 'one-moment')
    case 'detail':
      await noteTyped(turn, expected.file, messageId)
      return takeDetail(ctx, expected, take)
    case 'answer':
      return takeTypedAnswer(turn, expected.file, { text, messageId, date })
    case 'nothing':
      return
  }
  unreachable(expected)
}

async function takeDetail(
  ctx: Message,
  { file, isCall }: Extract<Expected, { is: 'detail' }>,
  take: Dialog['take'],
): Promise<void> {
  const { turn, msg } = ctx
  if (msg.contact) {
    if ((await stepNow(turn, file)) !== 'mobile') return unexpected(ctx)
  } else if (isCall) {
    if (isIn(file, 'profile')) return leadTo(turn, file)
    if (isIn(file, 'code') && !isExpired(turn, file.state.sms)) return sendText(turn, 'one-moment')
  }
  await take(ctx, { show: 'question', file })
}

/** Whatever nobody understood: a word about it, and the same question again. Nothing is lost, no call is made. */
async function unexpected({ turn, msg }: Message): Promise<void> {
  const file = await focusedFile(turn)
  if (!file) return sendText(turn, 'nothing-open')
  const isSpoken = msg.voice !== undefined || msg.video_note !== undefined || msg.audio !== undefined
  const word = turn.t(isSpoken ? 'voice-message' : msg.text === undefined ? 'only-text' : 'you-are-here')
  if (isIn(file, 'profile') && !isPending(turn, file.s) && (await isMine(turn, file))) {
    turn.due = { show: 'question', file, word }
    return
  }
  await turn.send({ text: word })
  leadTo(turn, file)
}

async function hereAgain(turn: Turn): Promise<void> {
  const file = await focusedFile(turn)
  if (file) leadTo(turn, file)
}
