import type { Takes, Taking } from '../domain/account.ts'
import { triesOf } from '../domain/assignee.ts'
import { whyClosed } from '../domain/invitation.ts'
import { parseSaidMobile } from '../domain/persian/mobile.ts'
import { roleOf } from '../domain/roadmap.ts'
import { madeInvitation } from '../jobs/invite.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { mobileErrorText } from '../views/profile.ts'
import type { AsideTalk } from './aside-talk.ts'
import { callService } from './call.ts'
import type { Aside } from './due.ts'
import { assigneeOf } from './files.ts'
import { sendText } from './send.ts'
import type { UpdateContext } from './update-context.ts'

/** Asks for the mobile in the profile before an account takes over what was released for the same person. */
export async function takeoverMobile(
  talk: AsideTalk<Extract<Aside, { ask: 'known-mobile' }>>,
): Promise<void> {
  const { taking } = talk.about
  const { text, contact, messageId } = await talk.ask(async (ctx) =>
    ctx.t('takeover-ask', { tries: triesOf(await assigneeOf(ctx, taking)) ?? 0 }),
  )
  const read = parseSaidMobile(text ?? contact?.phone_number ?? '')
  await talk.outside((ctx) => ctx.deleteMessages([messageId]))
  if (!read.ok)
    return talk.again(async (ctx) => (await wordIfOver(ctx, taking)) ?? mobileErrorText(ctx.t, read.error))
  await talk.outside((ctx) => compare(ctx, { taking, mobile: read.mobile, typed: [messageId] }))
}

/** Compares the number with the one in the profile, which only the service knows. */
async function compare(ctx: UpdateContext, takes: Takes): Promise<void> {
  const { taking } = takes
  const closed = await whyNotInvited(ctx, taking)
  if (closed) return sendText(ctx, `invitation-${closed}`)
  if (triesOf(await assigneeOf(ctx, taking)) === 0) return askForMobile(ctx, taking)
  const token = await profiledRecord(ctx, taking)
  await callService(ctx, taking.s, { kind: 'open', token }, { takes })
}

/** Asks for the mobile. After too many wrong ones only a new release helps; typed ones are still deleted. */
export async function askForMobile(ctx: UpdateContext, taking: Taking, word?: string): Promise<void> {
  const said = (await wordIfOver(ctx, taking)) ?? word
  ctx.due = { show: 'aside', aside: { ask: 'known-mobile', taking }, word: said }
}

const wordIfOver = async (ctx: UpdateContext, taking: Taking): Promise<string | undefined> =>
  triesOf(await assigneeOf(ctx, taking)) === 0 ? ctx.t('takeover-over') : undefined

/** Why the invitation that led here is no longer open; `undefined` while it is. A newer release revokes it. */
export async function whyNotInvited({ work, now }: UpdateContext, { code }: Taking) {
  const made = await madeInvitation(work, code)
  return made ? whyClosed(made, now) : 'used'
}

/** The record whose profile has the mobile: roadmaps name no profiles; all that were typed here share one. */
async function profiledRecord(ctx: UpdateContext, { s, token, role }: Taking): Promise<string> {
  const released = await assigneeOf(ctx, token)
  const mobileOf = 'mobileOf' in released ? released.mobileOf : undefined
  const { roadmap } = (await ctx.work.get(recordFiles, s)) ?? {}
  const own = roadmap?.records.filter((record) => role === undefined || record.role === role) ?? []
  const typed = own.find((record) => roleOf(roadmap, record.role)?.name !== undefined)
  return mobileOf ?? (typed ?? own[0])?.token ?? token
}
