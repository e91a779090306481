import { Composer } from 'grammy'
import { recordFiles } from '../background/kinds.ts'
import { postEvent } from '../background/post-event.ts'
import { saveFile } from '../dialog/files.ts'
import { tell } from '../dialog/say.ts'
import type { Turn } from '../dialog/turn.ts'
import { toAsciiDigits } from '../domain/persian/digits.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { type BotContext, tappedMessage } from './context.ts'

/**
 * An external id that is taken already cannot be mended by the participant: an organizer says whether to go on
 * without one or with another, and the participant's dialog goes on by itself.
 */
export function externalId(): Composer<BotContext> {
  const composer = new Composer<BotContext>()

  composer.callbackQuery(/^extid:([\w-]{1,16}):(drop|new)$/, async (ctx, next) => {
    const { turn } = ctx
    if (!isOrganizer(turn)) return next()
    const notice = tappedMessage(ctx)
    const file = await waitingFile(turn, ctx.match[1] ?? '')
    if (notice !== undefined) await turn.disarm(notice)
    if (!file) return tell(turn, 'external-id-settled')
    if (ctx.match[2] === 'drop') return settle(turn, file, undefined)
    turn.account.asksExternalId = file.s
    await tell(turn, 'external-id-ask')
  })

  composer.on('message:text', async (ctx, next) => {
    const { turn } = ctx
    const s = turn.account.asksExternalId
    if (s === undefined || ctx.msg.text.startsWith('/') || !isOrganizer(turn)) return next()
    const file = await waitingFile(turn, s)
    const digits = toAsciiDigits(ctx.msg.text).trim()
    const id = /^-?\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN
    if (file && !Number.isSafeInteger(id)) return tell(turn, 'external-id-ask')
    delete turn.account.asksExternalId
    if (!file) return tell(turn, 'external-id-settled')
    await settle(turn, file, id)
  })
  return composer
}

const isOrganizer = ({ deps, account }: Turn): boolean => deps.config.organizers.includes(account.chatId)

async function waitingFile(turn: Turn, s: string): Promise<RecordFile | undefined> {
  const file = await turn.work.get(recordFiles, s)
  return file?.stage === 'profile' && file.externalId !== undefined ? structuredClone(file) : undefined
}

async function settle(turn: Turn, file: RecordFile, id: number | undefined): Promise<void> {
  file.externalId = id
  saveFile(turn, file)
  const { s, owner, chatId } = file
  if (owner !== undefined && chatId !== undefined) {
    postEvent(turn.work, { who: owner, chatId }, s, { kind: 'profile-again' })
  }
  await tell(turn, 'external-id-settled')
}
