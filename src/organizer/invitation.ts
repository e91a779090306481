import { type Composer, InputFile } from 'grammy'
import { assign, removeFile } from '../dialog/files.ts'
import { type IncomingContext, onButton, tappedMessage } from '../dialog/incoming.ts'
import { noteAct } from '../dialog/organizer.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { rejoined } from '../domain/assignee.ts'
import { DAY_MS } from '../domain/durations.ts'
import { linkTo, type ResultTo, whyClosed } from '../domain/invitation.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { isGiven, type RoadmapRole, type RoleAssignment } from '../domain/roadmap.ts'
import {
  endInvitations,
  forgetDetails,
  invitationsOf,
  invite,
  madeInvitation,
  useUp,
  whyClosedNow,
} from '../jobs/invite.ts'
import { deciders } from '../jobs/recipients.ts'
import { qrPng } from '../pictures/qr.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { invitationDetails, type MadeInvitation } from '../storage/documents/invitations.ts'
import { codeKey, fileOfToken } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { madeInvitationView } from '../views/made-invitation.ts'

/** What an organizer invites to, and what the invitation contains. */
type Wanted = Omit<MadeInvitation, 'code' | 'by' | 'at' | 'over' | 'overAt'>

/** Makes an invitation. The caller has checked that it may be made. */
export async function makeInvitation(
  ctx: UpdateContext,
  wanted: Wanted,
  code = ctx.newCode(wanted.token),
): Promise<MadeInvitation> {
  const { work, now, account } = ctx
  await noteAct(ctx, 'invite', wanted.token)
  return invite({ work, now }, { ...wanted, by: account.chatId }, code)
}

/** What the newest invitation to a record or roadmap contains, unless it was revoked. */
export async function givenBefore(
  { work }: UpdateContext,
  token: string,
): Promise<Pick<Wanted, 'externalId' | 'roleIds' | 'resultTo'>> {
  const all = await invitationsOf(work, token)
  const { externalId, roleIds, resultTo } = all.find(({ role, over }) => !role && over !== 'revoked') ?? {}
  return { externalId, roleIds, resultTo }
}

/** The invitation that is made with a release. All invitations before it no longer open anything. */
export async function inviteAgain(ctx: UpdateContext, wanted: Wanted): Promise<MadeInvitation> {
  await endInvitations(ctx, wanted.token, 'revoked')
  return makeInvitation(ctx, wanted)
}

/** The new invitation to a role. The role's invitation before it no longer opens anything. */
export async function inviteToRole(
  ctx: UpdateContext,
  { s, token, test }: RecordFile,
  { id, title }: Pick<RoadmapRole, 'id' | 'title'>,
  hand: RoleAssignment,
): Promise<MadeInvitation> {
  useUp(await madeInvitation(ctx.work, hand.code), ctx.now, 'revoked')
  hand.code = ctx.newCode(`${token}:${id}`)
  const role = { s, id, title }
  return makeInvitation(ctx, { kind: 'roadmap', token, title: test.title, role }, hand.code)
}

/** Shows an invitation with its buttons, in its own message or in a new one. */
export async function showInvitation(ctx: UpdateContext, made: MadeInvitation, messageId?: number) {
  const { code, resultTo, token } = made
  const { config, isInline, username } = ctx.deps
  const file = await fileOfToken(ctx.work, token)
  const shown = {
    ...made,
    link: linkTo(username, `i_${code}`),
    now: ctx.now,
    // The receivers that were agreed to stay, also after a release.
    resultTo: (file?.isBegun ? file.resultTo : undefined) ?? resultTo ?? config.resultTo,
    hasDeciders: deciders(config).length > 0,
    closed: await whyClosedNow(ctx.work, made, ctx.now),
    isInline,
  }
  await ctx.show(messageId, madeInvitationView(ctx.t, shown))
}

/** The actions of an invitation: its QR code, its end, the receivers of the result, revoking it. */
export function managing(composer: Composer<IncomingContext>): void {
  onButton(composer, buttons.qr, ofInvitation(sendQr))
  onButton(composer, buttons.expire, ofInvitation(expire))
  onButton(composer, buttons.to, ofInvitation(sendTo))
  onButton(composer, buttons.revoke, ofInvitation(revoke))
}

/** A tap on the message of an invitation. */
type Tap = { ctx: UpdateContext; made: MadeInvitation; messageId: number | undefined }

/** Handles such a tap, if the invitation is stored. */
const ofInvitation =
  <A extends readonly unknown[]>(handle: (tap: Tap, ...args: A) => Promise<unknown>) =>
  async (incoming: IncomingContext, next: () => Promise<void>, code: string, ...args: A) => {
    const { ctx } = incoming
    const made = await madeInvitation(ctx.work, code)
    if (made) await handle({ ctx, made, messageId: tappedMessage(incoming) }, ...args)
    else await next()
  }

async function sendQr({ ctx, made }: Tap) {
  if (made.over !== undefined) return sendText(ctx, 'invitation-over-already')
  const { code, title } = made
  const picture = await qrPng(linkTo(ctx.deps.username, `i_${code}`))
  await ctx.sendPhoto(new InputFile(picture, 'invitation.png'), ctx.t('qr-caption', { title, code }))
}

async function expire({ ctx, made, messageId }: Tap, days: number) {
  // An invitation that has only expired may be given another end.
  if (made.over !== undefined) return sendText(ctx, 'invitation-over-already')
  if (days === 0) delete made.until
  else made.until = ctx.now + days * DAY_MS
  const details = await ctx.work.get(invitationDetails, codeKey(ctx.work.vault, made.code))
  if (details) details.until = made.until
  await noteAct(ctx, 'expire', made.token)
  await showInvitation(ctx, made, messageId)
}

async function sendTo({ ctx, made, messageId }: Tap, to: ResultTo) {
  if (whyClosed(made, ctx.now) === 'used') return sendText(ctx, 'invitation-to-begun')
  if (made.over !== undefined) return sendText(ctx, 'invitation-over-already')
  const file = await fileOfToken(ctx.work, made.token)
  const owner = file && (await ownerOf(ctx.work, file))
  const isBegun = made.role ? file?.roadmap?.hands.some(isGiven) : file?.isBegun
  if (isBegun || owner !== undefined) return sendText(ctx, 'invitation-to-begun')
  // A roadmap whose roles were invited one by one has the same report for all of them.
  if (file && made.role) file.resultTo = to
  made.resultTo = to
  await noteAct(ctx, 'to', made.token)
  await showInvitation(ctx, made, messageId)
}

async function revoke({ ctx, made, messageId }: Tap) {
  if (made.over === undefined) {
    Object.assign(made, { over: 'revoked', overAt: ctx.now } satisfies Partial<MadeInvitation>)
    if (made.role) await closeRole(ctx, made)
    await forgetDetails(ctx.work, made.code)
    await noteAct(ctx, 'revoke', made.token)
  }
  await showInvitation(ctx, made, messageId)
}

/** The last invitation to a role was revoked before any account began: the roadmap is free as a whole. */
async function closeRole(ctx: UpdateContext, made: MadeInvitation): Promise<void> {
  const file = await fileOfToken(ctx.work, made.token)
  const part = file?.roadmap
  if (!file || !part) return
  if (part.hands.some(({ code, assignee }) => code === made.code && assignee.is === 'released')) return
  part.hands = part.hands.filter(({ code }) => code !== made.code)
  if (part.hands.length > 0 || (await ownerOf(ctx.work, file)) !== undefined) return
  await removeFile(ctx, file)
  await assign(ctx, made.token, rejoined)
}
