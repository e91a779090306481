import type { Composer } from 'grammy'
import { readStanding } from '../dialog/attempt.ts'
import { type IncomingContext, onButton, tappedMessage } from '../dialog/incoming.ts'
import { mayDecide } from '../dialog/organizer.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { kindOfFile } from '../domain/record/record.ts'
import { BOARD_STAGES, type BoardStage, boardStageOf } from '../domain/record/standing.ts'
import { invitationsOf } from '../jobs/invite.ts'
import { groupsOf } from '../storage/documents/groups.ts'
import { fileOfToken } from '../storage/documents/kinds.ts'
import { dataOf } from '../telegram/tapped.ts'
import { buttons } from '../views/buttons.ts'
import {
  groupName,
  groupNudgedView,
  groupNudgeView,
  groupsView,
  groupView,
  MEMBERS_A_SCREEN,
} from '../views/groups.ts'
import { standingText } from '../views/tests.ts'
import { screenOf } from '../views/view.ts'
import { type Member, membersOf, whoIs } from './kept-listings.ts'
import { nudgeFile, remindEach } from './nudge.ts'

/** This many members are reminded with one press. */
const MOST_NUDGED = 200

/** The groups of invitations: where their members are, and the actions for all of them. */
export function grouping(composer: Composer<IncomingContext>): void {
  onButton(composer, buttons.groups, async (incoming, _, screen) => {
    const { ctx } = incoming
    await ctx.show(tappedMessage(incoming), groupsView(ctx.t, await groupsOf(ctx.work), screen))
  })
  onButton(composer, buttons.group, (incoming, _, id, screen) => {
    // From elsewhere a group is sent below. A screen of a group, which alone has cards, is replaced.
    const isOwn = dataOf(incoming.callbackQuery.message?.reply_markup).some((data) => buttons.card.read(data))
    return showGroup(incoming.ctx, id, screen, isOwn ? tappedMessage(incoming) : undefined)
  })
  onButton(composer, buttons.groupName, async ({ ctx }, _next, id, _name) => {
    ctx.due = { show: 'aside', aside: { ask: 'group', id } }
  })
  onButton(composer, buttons.groupNudge, ({ ctx }, _, id, wish?: 'yes') => nudgeGroup(ctx, id, wish))
}

async function showGroup(ctx: UpdateContext, id: string, wanted: number, messageId?: number): Promise<void> {
  const group = await membersOf(ctx, id)
  if (!group) return sendText(ctx, 'group-gone')
  const { name, at, members: all } = group
  const stages = all.map(({ file }) => (file && boardStageOf(file)) ?? 'unopened')
  const counted = (['unopened', ...BOARD_STAGES] as const).map((stage) => {
    return [stage, stages.filter((each) => each === stage).length] as const
  })
  const counts = new Map<BoardStage | 'unopened', number>(counted.filter(([, count]) => count > 0))
  const { screen, last, before } = screenOf(all.length, MEMBERS_A_SCREEN, wanted)
  const shown = all.slice(before, before + MEMBERS_A_SCREEN)
  const members = await Promise.all(shown.map((member) => memberOf(ctx, member)))
  const view = groupView(ctx.t, { id, name, at, counts, members, screen, last, canExport: mayDecide(ctx) })
  await ctx.show(messageId, view)
}

/** A member's name, as far as it is known, and standing. */
async function memberOf(ctx: UpdateContext, member: Member) {
  const { token, file } = member
  const [invitation] = await invitationsOf(ctx.work, token)
  const kind = invitation?.kind ?? (file ? kindOfFile(file) : 'record')
  const state = file ? standingText(ctx.t, await readStanding(ctx, file)) : ctx.t.plain('group-unopened')
  const target = { kind, token } as const
  const isFlagged = file?.isFlagged === true
  return { target, who: await whoIs(ctx, member), state, isFlagged }
}

/** Asks first, with their number. With a yes, all stuck members are reminded, each as by their own card. */
async function nudgeGroup(ctx: UpdateContext, id: string, wish: 'yes' | undefined): Promise<void> {
  const { t } = ctx
  const group = await membersOf(ctx, id)
  if (!group) return sendText(ctx, 'group-gone')
  const stuck = group.members.filter(({ file }) => file && boardStageOf(file) === 'stuck')
  const name = groupName(t, group)
  if (stuck.length === 0) return sendText(ctx, 'group-nudge-none', { name })
  if (wish === undefined) return void (await ctx.send(groupNudgeView(t, id, name, stuck.length)))
  const { rest, ...done } = await remindEach(stuck, MOST_NUDGED, async ({ token }) => {
    const file = await fileOfToken(ctx.work, token)
    const outcome = file && (await nudgeFile(ctx, file)).is
    return outcome === 'sent' || outcome === 'later'
  })
  await ctx.send(groupNudgedView(t, id, { ...done, rest, most: MOST_NUDGED }))
}
