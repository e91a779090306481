import { membersHere, titleHere, underWay } from '../dialog/access.ts'
import { readStanding } from '../dialog/attempt.ts'
import { parentOf } from '../dialog/files.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { accountOf } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import type { Standing } from '../domain/record/standing.ts'
import {
  allFinished,
  assignmentOf,
  ownRole,
  type RoadmapPart,
  type RoadmapRecord,
  recordsOf,
  rolesHeldBy,
} from '../domain/roadmap.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { isBegunByOwnLink, isTurnOf } from '../jobs/turn.ts'
import { type ChatEvent, postEvent } from '../queue/chat-message.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { withAsk } from '../views/ask.ts'
import { type BoardGroup, boardView } from '../views/board.ts'
import { generatedView, generatingView } from '../views/generation.ts'
import type { NamedTest } from '../views/tests.ts'
import { type View, withTextAbove } from '../views/view.ts'
import { isServed } from './deliver.ts'
import { showOnScreen } from './show-question.ts'

/**
 * Shows the board in its message, or in a new one if the board has scrolled away, is gone or brings news;
 * there is only one. `isUnfolded`: with a button for each test, until the board is shown again.
 */
export async function showBoard(
  ctx: UpdateContext,
  file: RecordFile,
  {
    isNews = false,
    isUnfolded = false,
    word,
  }: { isNews?: boolean; isUnfolded?: boolean; word?: string } = {},
): Promise<void> {
  const { account } = ctx
  if (isUnfolded) account.unfolded = file.s
  else if (account.unfolded === file.s) delete account.unfolded
  const view = withTextAbove(await viewOf(ctx, file), word)
  const messageId = account.screens[file.s]
  const isHere = !isNews && messageId !== undefined && messageId === account.latest
  await showOnScreen(ctx, file.s, view, isHere ? { messageId } : { olderGoes: true })
}

/** Updates a shown board in place. */
export async function refreshBoard(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const messageId = ctx.account.screens[file.s]
  // Before the registration, and while it waits for the organizer, this message is no board.
  if (
    file.roadmap &&
    messageId !== undefined &&
    isIn(file, 'board', 'generating', 'failed', 'scored', 'done')
  )
    await showOnScreen(ctx, file.s, await viewOf(ctx, file), { messageId })
}

const viewOf = async (ctx: UpdateContext, file: RecordFile): Promise<View> =>
  withAsk(ctx.t, file.s, await stateView(ctx, file))

async function stateView(ctx: UpdateContext, file: RecordFile): Promise<View> {
  const { roadmap, state, test } = file
  if (!roadmap) throw new Error('a board needs a roadmap')
  const resultTo = resultToOf(ctx.deps.config, file)
  if (state.stage === 'generating') return generatingView(ctx.t, { ...state, resultTo })
  if (isIn(file, 'scored', 'done')) {
    // Everyone who gets the result has it: of the participants this chat, else the organizers.
    const isDelivered = (isIn(file, 'done') && !file.state.isOwed) || (await isServed(ctx, file))
    return generatedView(ctx.t, { s: file.s, title: await titleHere(ctx, file), resultTo, isDelivered })
  }
  const owner = await ownerOf(ctx.work, file)
  const isNamed = (await underWay(ctx, 2)).length > 1
  const self = ownRole(roadmap, ctx.who, owner)?.id
  return boardView(ctx.t, {
    s: file.s,
    title: isNamed ? await titleHere(ctx, file) : test.title,
    groups: await groupsOf(ctx, file, roadmap),
    holder: roadmap.lastRoles?.[ctx.who] ?? self,
    self: isNamed ? undefined : self,
    isNamed,
    isOwner: owner === ctx.who,
    isManual: roadmap.isManual === true,
    isSoon: roadmap.autoAt !== undefined,
    isUnfolded: ctx.account.unfolded === file.s,
    isAllFinished: allFinished(roadmap),
    isSeveral: roadmap.roles.length > 1,
    failure: state.stage === 'failed' ? state.reasons : undefined,
  })
}

/** The roles that this account answers; the owner also sees the progress of the others. */
export async function groupsOf(ctx: UpdateContext, file: RecordFile, roadmap: RoadmapPart) {
  const owner = await ownerOf(ctx.work, file)
  const isOwner = owner === ctx.who
  const held = rolesHeldBy(roadmap, ctx.who, owner)
  const isTurn = async (who?: string) => who !== undefined && (await isTurnOf(ctx.work, file, who))
  const groups: BoardGroup[] = []
  for (const role of roadmap.roles) {
    const hand = assignmentOf(roadmap, role.id)
    const isHeld = held.some(({ id }) => id === role.id)
    const taker = accountOf(hand?.assignee)
    const isOwn = taker === ctx.who
    if (!isHeld && !isOwner) continue
    const tests: NamedTest[] = []
    for (const record of recordsOf(roadmap, role.id)) {
      const { s, title } = record
      tests.push({ s, title, standing: await standingOnBoard(ctx, record) })
    }
    const finished = finishedOf(tests)
    const isHalfDone = tests.some(({ standing: { at } }) => at !== 'new' && at !== 'done')
    groups.push({
      role,
      tests,
      isHeld,
      hand: hand && { isAccepted: taker !== undefined, isTurn: await isTurn(taker) },
      // No test of the role was begun since it was given away.
      canTakeBack: isOwner && !isOwn && hand?.finishedBefore === finished && !isHalfDone,
      // A test of the role is left to do.
      canHand: isOwner && !hand && roadmap.roles.length > 1 && finished < tests.length && !isHalfDone,
    })
  }
  return groups
}

/** The number of finished tests of a role. */
export const finishedOf = (tests: readonly NamedTest[]): number =>
  tests.filter(({ standing }) => standing.at === 'done').length

/** The standing of a test for the account that answers it; a test that is not under way counts as new. */
async function standingOnBoard(ctx: UpdateContext, { s, isFinished }: RoadmapRecord): Promise<Standing> {
  const file = await ctx.work.get(recordFiles, s)
  if (isFinished || file?.state.stage === 'done') return { at: 'done' }
  // Another account answers it, or, after a release of this test alone, no account yet.
  if (file && (await isBegunByOwnLink(ctx.work, file))) return { at: 'apart' }
  const standing = file && (await readStanding(ctx, file))
  return standing && UNDER_WAY.includes(standing.at) ? standing : { at: 'new' }
}

const UNDER_WAY: readonly Standing['at'][] = ['questions', 'submitting', 'refused']

const CHANGED: ChatEvent = { kind: 'board-changed' }

/** Updates the other boards of this account: from now on each one names its person. */
export async function refreshOtherBoards(ctx: UpdateContext, { s }: RecordFile): Promise<void> {
  const own = { who: ctx.who, chatId: ctx.account.chatId }
  for (const other of await underWay(ctx, Infinity))
    if (other.roadmap && other.s !== s) postEvent(ctx.work, own, other.s, CHANGED)
}

/** Notifies the other accounts of a roadmap that their board has changed. */
export const notifyOthers = (ctx: UpdateContext, file: RecordFile, news: ChatEvent = CHANGED) =>
  notifyMembers(ctx, file, news, ctx.who)

/** Notifies the others that a test of this role is finished; only the last one is worth a message. */
export function notifyFinishedTest(ctx: UpdateContext, file: RecordFile, role: number): Promise<void> {
  const isLast = file.roadmap && recordsOf(file.roadmap, role).every(({ isFinished }) => isFinished)
  return notifyOthers(ctx, file, isLast ? { kind: 'role-finished', role } : CHANGED)
}

/** Updates every board that shows this record of a roadmap, also this account's own. */
export async function recordChanged(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const parent = await parentOf(ctx, file)
  if (parent) await notifyMembers(ctx, parent, CHANGED)
}

async function notifyMembers(ctx: UpdateContext, file: RecordFile, news: ChatEvent, except?: string) {
  for (const member of await membersHere(ctx, file))
    if (member.who !== except) postEvent(ctx.work, member, file.s, news)
}
