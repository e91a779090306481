import { Composer } from 'grammy'
import { ownerOf } from '../chat/access.ts'
import { type BotContext, tappedMessage } from '../chat/context.ts'
import { isOrganizer } from '../chat/organizer.ts'
import { tell } from '../chat/say.ts'
import type { Turn } from '../chat/turn.ts'
import { toAsciiDigits } from '../domain/persian/digits.ts'
import type { Person } from '../domain/profile.ts'
import { externalIdsOf, isIn, type RecordFile } from '../domain/record/record.ts'
import { readIds } from '../domain/role-ids.ts'
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
    const isSettled = !file || wish === 'drop'
    // Who is asked for another one may still go on without.
    if (notice !== undefined && isSettled) await turn.disarm(notice)
    if (!file) return tell(turn, 'external-id-settled')
    if (wish === 'drop') return settle(turn, file, [])
    ctx.session = { ...(await ctx.session), asksExternalId: s }
    await ask(turn, file)
  })

  composer.on('message:text', async (ctx, next) => {
    const { turn } = ctx
    if (!isOrganizer(turn)) return next()
    const { asksExternalId: s, ...desk } = await ctx.session
    if (s === undefined) return next()
    const file = await waitingFile(turn, s)
    const ids = readIds(toAsciiDigits(ctx.msg.text))
    // Of several nobody says which one is taken: all are given anew.
    const isEnough = ids && file && ids.length === externalIdsOf(file).length
    // Going on without any is the other button.
    if (file && (!isEnough || ids.every((id) => id === null))) return ask(turn, file)
    ctx.session = desk
    if (!file || !ids) return tell(turn, 'external-id-settled')
    await settle(turn, file, ids)
  })
  return composer
}

async function waitingFile(turn: Turn, s: string): Promise<RecordFile | undefined> {
  const file = await turn.work.get(recordFiles, s)
  return file && isIn(file, 'profile') && externalIdsOf(file).length > 0 ? file : undefined
}

/** Asks for as many ids as were taken to the service. */
async function ask(turn: Turn, file: RecordFile): Promise<void> {
  const people = peopleWithId(file)
  if (people.length < 2) return tell(turn, 'external-id-ask')
  const roles = people.map(({ role }) => role?.title ?? '').join('، ')
  await turn.say({ text: turn.t('external-id-ask-roles', { roles }) })
}

const peopleWithId = (file: RecordFile): Person[] =>
  isIn(file, 'profile') ? file.state.draft.people.filter(({ externalId }) => externalId !== undefined) : []

/** Goes on with these ids, in the order of those that were refused, or without. */
async function settle(turn: Turn, file: RecordFile, ids: readonly (number | null)[]): Promise<void> {
  for (const [index, person] of peopleWithId(file).entries()) {
    const id = ids[index] ?? undefined
    person.externalId = id
    const role = file.roadmap?.roles.find((each) => each.id === person.role?.id)
    if (role) role.externalId = id
  }
  if (file.externalId !== undefined) file.externalId = ids[0] ?? undefined
  await settleNotice(turn.deps.vault, turn.work, { key: 'notice-external-id', of: file.s })
  await noteAct(turn, 'external-id', file.token)
  const { s, chatId } = file
  const owner = await ownerOf(turn, file)
  if (owner !== undefined && chatId !== undefined) {
    postEvent(turn.work, { who: owner, chatId }, s, { kind: 'profile-again' })
  }
  await tell(turn, 'external-id-settled')
}
