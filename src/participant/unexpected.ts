import { helpFor } from '../dialog/ask.ts'
import { commandsOf } from '../dialog/commands.ts'
import { focusedFile, unfinishedFile } from '../dialog/files.ts'
import type { IncomingMessage } from '../dialog/incoming.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { noteEarly } from '../dialog/typed-messages.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { nearest } from '../environment.ts'
import { lines, paragraphs } from '../views/view.ts'
import { nothingOpenText, sendWayOn } from './here.ts'

/** Says that a command is unknown, and which one is similar. */
export function unknownCommand(ctx: UpdateContext, text: string): string {
  const given = /^\/(\w+)/.exec(text)?.[1]?.toLowerCase()
  const near = given === undefined ? undefined : nearest(given, commandsOf(ctx))
  return lines(ctx.t('unknown-command'), near !== undefined && ctx.t('command-near', { command: `/${near}` }))
}

/** Answers a message that no part has taken; words can be sent to the organizers. */
export async function unexpected({ ctx, msg }: IncomingMessage): Promise<void> {
  const { text } = msg
  // A document counts only while `/invite` waits for lines, or replies to it.
  if (msg.document && isOrganizer(ctx)) return sendWayOn(ctx, ctx.t('command-near', { command: '/invite' }))
  const isSpoken = msg.voice !== undefined || msg.video_note !== undefined || msg.audio !== undefined
  const kind = isSpoken ? 'voice-message' : text === undefined ? 'only-text' : undefined
  const file = (await focusedFile(ctx)) ?? (await unfinishedFile(ctx))
  const isOpen = file !== undefined
  // Details that come too early or too late are deleted like the others.
  if (msg.contact && isOpen) ctx.deleteMessages([msg.message_id])
  else if (file && text !== undefined) await noteEarly(ctx, file, msg.message_id)
  const help = text === undefined ? undefined : helpFor(ctx, text)
  const word =
    help === undefined ? kind && isOpen && ctx.t(kind) : paragraphs(help, !isOpen && nothingOpenText(ctx))
  await sendWayOn(ctx, word || undefined, text)
}
