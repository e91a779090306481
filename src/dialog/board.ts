import { chatActor } from '../background/actors.ts'
import { recordFiles } from '../background/kinds.ts'
import type { RecordFile } from '../domain/record-file.ts'
import {
  allFinished,
  handOf,
  needsCurtain,
  type RoadmapPart,
  type RoadmapRecord,
  recordsOf,
  rolesHeldBy,
} from '../domain/roadmap.ts'
import { type BoardTest, boardView, curtainView } from '../views/board.ts'
import { generatedView, generatingView } from '../views/generation.ts'
import { pausedView } from '../views/submission.ts'
import { saveFile } from './files.ts'
import { parentOf } from './roadmap-file.ts'
import { moveSitting, readSitting, showOnScreen } from './show-question.ts'
import type { Turn } from './turn.ts'

/** Shows the board where it stands, or anew when it has scrolled away or is gone; there is only one. */
export async function showBoard(turn: Turn, file: RecordFile): Promise<void> {
  const { account } = turn
  const view = await viewOf(turn, file)
  const older = account.screens[file.s]
  account.focus = file.s
  if (older !== undefined && older === account.latest) {
    const shown = await turn.show(older, view)
    if (shown !== undefined) account.screens[file.s] = shown
    return
  }
  if (older !== undefined) await turn.deleteMessages([older])
  const sent = await turn.say(view)
  if (sent !== undefined) account.screens[file.s] = sent
}

/** Brings a board that is shown up to date without a new message. */
export async function refreshBoard(turn: Turn, file: RecordFile): Promise<void> {
  const shown = turn.account.screens[file.s]
  if (shown !== undefined) await turn.show(shown, await viewOf(turn, file))
}

async function viewOf(turn: Turn, file: RecordFile) {
  const { roadmap, owner = turn.who } = file
  if (!roadmap) throw new Error('a board needs a roadmap')
  if (file.stage === 'generating') return generatingView(turn.t, roadmap)
  if (file.stage === 'scored' || file.stage === 'done')
    return generatedView(turn.t, { title: file.test.title })
  const isOwner = owner === turn.who
  const held = rolesHeldBy(roadmap, turn.who, owner)
  const groups = []
  for (const role of roadmap.roles) {
    const hand = handOf(roadmap, role.id)
    const isHeld = held.some(({ id }) => id === role.id)
    if (!isHeld && !isOwner) continue
    const tests = await testsOf(turn, roadmap, role.id)
    groups.push({
      role,
      tests,
      isHeld,
      hand: hand && { isAccepted: hand.who !== undefined },
      canTakeBack: isOwner && hand !== undefined && isUntouched(tests, hand.finishedBefore),
      canHand: isOwner && !hand && roadmap.roles.length > 1 && canHandOver(tests),
    })
  }
  return boardView(turn.t, {
    s: file.s,
    title: file.test.title,
    groups,
    isAllFinished: allFinished(roadmap),
    isSeveral: roadmap.roles.length > 1,
    hasFailed: file.stage === 'failed',
  })
}

export const canHandOver = (tests: readonly BoardTest[]): boolean =>
  tests.some(({ state }) => state.kind === 'new') && tests.every(({ state }) => state.kind !== 'under-way')

/** Whether nothing of a role was begun since it was handed over. */
export const isUntouched = (tests: readonly BoardTest[], finishedBefore: number): boolean =>
  tests.every(({ state }) => state.kind === 'new' || state.kind === 'finished') &&
  tests.filter(({ state }) => state.kind === 'finished').length === finishedBefore

export async function testsOf(turn: Turn, roadmap: RoadmapPart, role: number): Promise<BoardTest[]> {
  const tests: BoardTest[] = []
  for (const record of recordsOf(roadmap, role)) tests.push(await testOf(turn, record))
  return tests
}

async function testOf(turn: Turn, record: RoadmapRecord): Promise<BoardTest> {
  const { s, title } = record
  const file = await turn.work.get(recordFiles, s)
  if (record.isFinished || file?.stage === 'done') return { s, title, state: { kind: 'finished' } }
  if (file?.stage === 'submitting' || file?.stage === 'refused')
    return { s, title, state: { kind: 'submitting' } }
  const sitting = file?.stage === 'questions' ? await readSitting(turn, s) : undefined
  if (!sitting) return { s, title, state: { kind: 'new' } }
  return { s, title, state: { kind: 'under-way', answered: sitting.answered, total: sitting.questions } }
}

/**
 * Draws the curtain where the phone has to change hands before a test of another role: what the other person was
 * answering is put away. `false` when nothing stands between.
 */
export async function drawCurtain(turn: Turn, file: RecordFile): Promise<boolean> {
  const parent = await parentOf(turn, file)
  const roadmap = parent?.roadmap
  if (!parent || !roadmap || !file.parent) return false
  const { role } = file.parent
  const held = rolesHeldBy(roadmap, turn.who, parent.owner ?? turn.who)
  if (!needsCurtain(roadmap, role, held)) return false
  for (const record of roadmap.records.filter((each) => each.role !== role))
    await putAway(turn, record, parent.s)
  const title = roadmap.roles.find(({ id }) => id === role)?.title ?? ''
  await turn.ask(curtainView(turn.t, { s: file.s, role: title, test: file.test.title }))
  return true
}

async function putAway(turn: Turn, record: RoadmapRecord, roadmapS: string): Promise<void> {
  const screen = turn.account.screens[record.s]
  const sitting = screen === undefined ? undefined : await readSitting(turn, record.s)
  if (!sitting || sitting.state === 'locked') return
  await moveSitting(turn, record.s, sitting, { kind: 'pause' })
  const { answered, questions: total } = sitting
  const view = pausedView(turn.t, { s: record.s, title: record.title, answered, total, board: roadmapS })
  await showOnScreen(turn, record.s, view, screen)
  delete turn.account.screens[record.s]
}

/** The right person has the phone now. */
export async function raiseCurtain(turn: Turn, file: RecordFile): Promise<void> {
  const parent = await parentOf(turn, file)
  if (!parent?.roadmap || !file.parent) return
  parent.roadmap.lastRole = file.parent.role
  saveFile(turn, parent)
}

/** Tells the other accounts of a roadmap that their board shows something new. */
export function tellOthers(turn: Turn, file: RecordFile): void {
  const { roadmap, owner } = file
  if (!roadmap || owner === undefined) return
  const everybody = [{ who: owner, chatId: roadmap.ownerChatId }, ...roadmap.hands]
  for (const { who, chatId } of everybody) {
    if (who === undefined || chatId === undefined || who === turn.who) continue
    turn.work.post(chatActor(who), { type: 'event', chatId, s: file.s, event: { kind: 'board-changed' } })
  }
}
