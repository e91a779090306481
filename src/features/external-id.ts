import { Composer } from 'grammy'
import { type BotContext, tappedMessage } from '../chat/context.ts'
import { isOrganizer } from '../chat/organizer.ts'
import { tell } from '../chat/say.ts'
import type { Turn } from '../chat/turn.ts'
import { toAsciiDigits } from '../domain/persian/digits.ts'
import { externalIdsOf, isIn, type RecordFile } from '../domain/record/record.ts'
import { settleNotice } from '../jobs/notices.ts'
import { recordFiles } from '../kept/documents.ts'
import { postEvent } from '../mail/chat-message.ts'
import { buttons } from '../views/buttons.ts'
import { onButton } from './on-button.ts'
import { noteAct } from './organizer/audit.ts'

/**
 * An external id that is taken already cannot be mended by the participant: an organizer says whether to go on
 * without one or with another, and the participant's dialog goes on by itself.
 */
export function externalId(): Composer<BotContext> {
  const composer = new Composer<BotContext>()

  onButton(composer, buttons.extid, async (ctx, next, s, wish) => {
    const { turn } = ctx
    if (!isOrganizer(turn)) return next()
    const notice = tappedMessage(ctx)
    const file = await waitingFile(turn, s)
    if (notice !== undefined) await turn.disarm(notice)
    if (!file) return tell(turn, 'external-id-settled')
    if (wish === 'drop') return settle(turn, file, undefined)
    ctx.session = { ...(await ctx.session), asksExternalId: s }
    await tell(turn, 'external-id-ask')
  })

  composer.on('message:text', async (ctx, next) => {
    const { turn } = ctx
    if (ctx.msg.text.startsWith('/') || !isOrganizer(turn)) return next()
    const { asksExternalId: s, ...desk } = await ctx.session
    if (s === undefined) return next()
    const file = await waitingFile(turn, s)
    const digits = toAsciiDigits(ctx.msg.text).trim()
    const id = /^-?\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN
    if (file && !Number.isSafeInteger(id)) return tell(turn, 'external-id-ask')
    ctx.session = desk
    if (!file) return tell(turn, 'external-id-settled')
    await settle(turn, file, id)
  })
  return composer
}

async function waitingFile(turn: Turn, s: string): Promise<RecordFile | undefined> {
  const file = await turn.work.get(recordFiles, s)
  return file && isIn(file, 'profile') && externalIdsOf(file).length > 0 ? file : undefined
}

async function settle(turn: Turn, file: RecordFile, id: number | undefined): Promise<void> {
  const { people } = isIn(file, 'profile') ? file.state.draft : { people: [] }
  for (const person of people) if (person.externalId !== undefined) person.externalId = id
  for (const role of file.roadmap?.roles ?? []) if (role.externalId !== undefined) role.externalId = id
  if (file.externalId !== undefined) file.externalId = id
  settleNotice(turn.deps.vault, turn.work, { key: 'notice-external-id', of: file.s })
  await noteAct(turn, 'external-id', file.token)
  const { s, owner, chatId } = file
  if (owner !== undefined && chatId !== undefined) {
    postEvent(turn.work, { who: owner, chatId }, s, { kind: 'profile-again' })
  }
  await tell(turn, 'external-id-settled')
}
