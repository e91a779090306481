import { readIds } from '../domain/invitation-lines.ts'
import { toAsciiDigits } from '../domain/persian/clean.ts'
import { externalIdsOf, isIn, type RecordFile } from '../domain/record/record.ts'
import { missingRoles, type RoadmapRole } from '../domain/roadmap.ts'
import { settleNotice } from '../jobs/notices.ts'
import { postEvent } from '../queue/chat-message.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import type { AsideTalk } from './aside-talk.ts'
import type { Aside } from './due.ts'
import { noteAct } from './organizer.ts'
import { sendText } from './send.ts'
import type { UpdateContext } from './update-context.ts'

/** New external ids in place of the taken ones: as many as were sent to the service. */
export async function externalId(talk: AsideTalk<Extract<Aside, { ask: 'external-id' }>>): Promise<void> {
  const { s } = talk.about
  const { text = '' } = await talk.ask((ctx) => question(ctx, s))
  const ids = readIds(toAsciiDigits(text))
  const isSettled = await talk.outside(async (ctx) => {
    const file = await waitingFile(ctx, s)
    // The service does not say which of several is taken: all are asked for again. Another button drops them.
    const isEnough = ids?.some((id) => id !== null) && file && ids.length === externalIdsOf(file).length
    if (file && !isEnough) return false
    await settle(ctx, file, ids ?? [])
    return true
  })
  if (!isSettled) await talk.again()
}

/** The record whose external id is refused, until an organizer settles it. */
export async function waitingFile(ctx: UpdateContext, s: string): Promise<RecordFile | undefined> {
  const file = await ctx.work.get(recordFiles, s)
  return file && isIn(file, 'profile') && externalIdsOf(file).length > 0 ? file : undefined
}

async function question(ctx: UpdateContext, s: string): Promise<string> {
  const people = rolesWithId(await waitingFile(ctx, s))
  const roles = people.map(({ title }) => title).join('، ')
  return people.length < 2 ? ctx.t('external-id-ask') : ctx.t('external-id-ask-roles', { roles })
}

const rolesWithId = (file: RecordFile | undefined): RoadmapRole[] =>
  file?.roadmap ? missingRoles(file.roadmap).filter(({ externalId }) => externalId !== undefined) : []

/** Goes on with new ids, in the order of the refused ones, or without; the participant's dialog continues. */
export async function settle(
  ctx: UpdateContext,
  file: RecordFile | undefined,
  ids: readonly (number | null)[],
): Promise<void> {
  if (!file) return sendText(ctx, 'external-id-over')
  for (const [index, role] of rolesWithId(file).entries()) role.externalId = ids[index] ?? undefined
  if (file.externalId !== undefined) file.externalId = ids[0] ?? undefined
  await settleNotice(ctx.work, { key: 'notice-external-id', of: file.s })
  await noteAct(ctx, 'external-id', file.token)
  const { s, chatId } = file
  const who = await ownerOf(ctx.work, file)
  if (who !== undefined && chatId !== undefined)
    postEvent(ctx.work, { who, chatId }, s, { kind: 'profile-again' })
  await sendText(ctx, 'external-id-settled')
}
