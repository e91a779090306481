import { setImmediate } from 'node:timers/promises'
import { Composer } from 'grammy'
import { readStanding } from '../dialog/attempt.ts'
import { knownFile } from '../dialog/files.ts'
import { type IncomingContext, onButton, tappedMessage } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import { mayDecide } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isRoadmap, type RecordFile } from '../domain/record/record.ts'
import { BOARD_STAGES, type BoardStage, boardStageOf } from '../domain/record/standing.ts'
import { personOf } from '../domain/record/whose.ts'
import { invitationsOf } from '../jobs/invite.ts'
import { groups, groupsOf } from '../storage/documents/groups.ts'
import { recordFiles, tokenIndex, tokenKey } from '../storage/documents/kinds.ts'
import { readDocuments } from '../storage/documents.ts'
import { buttons } from '../views/buttons.ts'
import { groupName, groupNudgeView, groupsView, groupView, MEMBERS_A_SCREEN } from '../views/groups.ts'
import { standingText } from '../views/tests.ts'
import { screenOf } from '../views/view.ts'
import { nudgeFile } from './nudge.ts'
import { postResults } from './results.ts'

/** So many are read at once; between them others have their turn. */
const AT_ONCE = 100
/** So many are reminded with one press. */
const MOST_NUDGED = 200

/** What was invited together: who is where, and what can be done for all of them. */
export function grouping(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  onButton(composer, buttons.groups, async (incoming, _, screen) => {
    const { ctx } = incoming
    await ctx.show(tappedMessage(incoming), groupsView(ctx.t, await groupsOf(ctx.work), screen))
  })
  onButton(composer, buttons.group, (incoming, _, id, screen) => showGroup(incoming.ctx, id, screen))
  onButton(composer, buttons.groupName, async ({ ctx }, _next, id, _name) => {
    ctx.due = { show: 'aside', aside: { ask: 'group', id } }
  })
  onButton(composer, buttons.groupNudge, ({ ctx }, _, id, wish?: 'yes') => nudgeGroup(ctx, id, wish))
  return composer
}

/** The results of a group, as one table. */
export function groupResults(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  onButton(composer, buttons.groupResults, async ({ ctx }, _next, id, _all) => {
    const group = await ctx.work.get(groups, id)
    if (!group) return sendText(ctx, 'group-gone')
    await postResults(ctx, { of: 'some', tokens: group.tokens })
    await sendText(ctx, 'results-coming')
  })
  return composer
}

async function showGroup(ctx: UpdateContext, id: string, wanted: number): Promise<void> {
  const group = await ctx.work.get(groups, id)
  if (!group) return sendText(ctx, 'group-gone')
  const { name, at, tokens } = group
  const files = await filesOf(ctx, tokens)
  const stages = files.map((file) => (file && boardStageOf(file)) ?? 'unopened')
  const counted = (['unopened', ...BOARD_STAGES] as const).map((stage) => {
    return [stage, stages.filter((each) => each === stage).length] as const
  })
  const counts = new Map<BoardStage | 'unopened', number>(counted.filter(([, count]) => count > 0))
  const { screen, last: screens, before: from } = screenOf(tokens.length, MEMBERS_A_SCREEN, wanted)
  const shown = tokens.slice(from, from + MEMBERS_A_SCREEN)
  const members = await Promise.all(shown.map((token, index) => memberOf(ctx, token, files[from + index])))
  const view = groupView(ctx.t, { id, name, at, counts, members, screen, screens, canExport: mayDecide(ctx) })
  await ctx.send(view)
}

/** Who it is, as far as anybody is known, and where they are. */
async function memberOf(ctx: UpdateContext, token: string, file: RecordFile | undefined) {
  const [invitation] = await invitationsOf(ctx.work, ctx.deps.vault, token)
  const kind = invitation?.kind ?? (file && isRoadmap(file) ? 'roadmap' : 'record')
  const id = file?.externalId ?? invitation?.externalId
  const who = file?.shownAs ?? (file && personOf(file)) ?? (id === undefined ? undefined : `#${id}`)
  const state = file ? standingText(ctx.t, await readStanding(ctx, file)) : ctx.t.plain('group-unopened')
  return { target: { kind, token } as const, who: who ?? invitation?.code ?? token.slice(0, 8), state }
}

/** What is kept of each, in their order. */
async function filesOf(
  { deps }: UpdateContext,
  tokens: readonly string[],
): Promise<(RecordFile | undefined)[]> {
  const { store, vault } = deps
  const files: (RecordFile | undefined)[] = []
  for (let at = 0; at < tokens.length; at += AT_ONCE) {
    const keys = tokens.slice(at, at + AT_ONCE).map((token) => tokenKey(vault, token))
    const known = await readDocuments(store, vault, tokenIndex, keys)
    files.push(
      ...(await readDocuments(
        store,
        vault,
        recordFiles,
        known.map((each) => each?.s ?? ''),
      )),
    )
    await setImmediate()
  }
  return files
}

/** Asks first, with how many they are; with a yes all who are stuck are reminded, each as by their own card. */
async function nudgeGroup(ctx: UpdateContext, id: string, wish: 'yes' | undefined): Promise<void> {
  const { t, work } = ctx
  const group = await work.get(groups, id)
  if (!group) return sendText(ctx, 'group-gone')
  const files = await filesOf(ctx, group.tokens)
  const stuck = group.tokens.filter((_, at) => {
    const file = files[at]
    return file && boardStageOf(file) === 'stuck'
  })
  const name = groupName(t, group)
  if (stuck.length === 0) return sendText(ctx, 'group-nudge-none', { name })
  if (wish === undefined) return void (await ctx.send(groupNudgeView(t, id, name, stuck.length)))
  let reminded = 0
  for (const token of stuck.slice(0, MOST_NUDGED)) {
    const file = await knownFile(ctx, token)
    const became = file && (await nudgeFile(ctx, file)).is
    if (became === 'sent' || became === 'later') reminded += 1
  }
  await sendText(ctx, 'group-nudged', { count: reminded, left: stuck.length - reminded })
}
