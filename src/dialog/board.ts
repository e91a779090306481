import { recordFiles } from '../background/kinds.ts'
import { postEvent } from '../background/post-event.ts'
import type { RecordFile } from '../domain/record-file.ts'
import {
  allFinished,
  handOf,
  type Member,
  membersOf,
  type RoadmapPart,
  type RoadmapRecord,
  recordsOf,
  rolesHeldBy,
} from '../domain/roadmap.ts'
import { type BoardTest, boardView } from '../views/board.ts'
import { generatedView, generatingView } from '../views/generation.ts'
import { parentOf } from './roadmap-file.ts'
import { readSitting } from './show-question.ts'
import type { Turn } from './turn.ts'

/** Shows the board where it stands, or anew when it has scrolled away, is gone or brings news; there is only one. */
export async function showBoard(turn: Turn, file: RecordFile, { anew = false } = {}): Promise<void> {
  const { account } = turn
  const view = await viewOf(turn, file)
  const older = account.screens[file.s]
  if (!anew && older !== undefined && older === account.latest) {
    const shown = await turn.show(older, view)
    if (shown !== undefined) account.screens[file.s] = shown
    return
  }
  if (older !== undefined) await turn.takeAway(older)
  const sent = await turn.say(view)
  if (sent !== undefined) account.screens[file.s] = sent
}

/** Brings a board that is shown up to date where it stands. */
export async function refreshBoard(turn: Turn, file: RecordFile): Promise<void> {
  const { screens } = turn.account
  const older = screens[file.s]
  if (older === undefined) return
  const shown = await turn.show(older, await viewOf(turn, file))
  if (shown !== undefined) screens[file.s] = shown
}

async function viewOf(turn: Turn, file: RecordFile) {
  const { roadmap, owner = turn.who } = file
  if (!roadmap) throw new Error('a board needs a roadmap')
  if (file.stage === 'generating') return generatingView(turn.t, roadmap)
  if (file.stage === 'scored' || file.stage === 'done') {
    const { resultTo } = turn.deps.config
    return generatedView(turn.t, { title: file.test.title, resultTo })
  }
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
    failure: file.stage === 'failed' ? (roadmap.failure ?? []) : undefined,
  })
}

/** Whether something of a role is left to do and nothing of it is half done. */
export const canHandOver = (tests: readonly BoardTest[]): boolean =>
  tests.some(({ state }) => state.kind === 'new') && isNothingHalfDone(tests)

/** Whether nothing of a role was begun since it was handed over. */
export const isUntouched = (tests: readonly BoardTest[], finishedBefore: number): boolean =>
  isNothingHalfDone(tests) && tests.filter(({ state }) => state.kind === 'finished').length === finishedBefore

const isNothingHalfDone = (tests: readonly BoardTest[]): boolean =>
  tests.every(({ state }) => state.kind === 'new' || state.kind === 'finished')

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
    return { s, title, state: { kind: file.stage } }
  const sitting = file?.stage === 'questions' ? await readSitting(turn, s) : undefined
  if (!sitting) return { s, title, state: { kind: 'new' } }
  return { s, title, state: { kind: 'under-way', answered: sitting.answered, total: sitting.questions } }
}

/** Tells the other accounts of a roadmap that their board shows something new. */
export function tellOthers(turn: Turn, file: RecordFile): void {
  tellMembers(turn, file, ({ who }) => who !== turn.who)
}

/** Has every board brought up to date that shows this record of a roadmap, the own one too. */
export async function recordChanged(turn: Turn, file: RecordFile): Promise<void> {
  const parent = await parentOf(turn, file)
  if (parent) tellMembers(turn, parent, () => true)
}

function tellMembers(turn: Turn, { s, roadmap, owner }: RecordFile, isTold: (to: Member) => boolean): void {
  for (const member of roadmap ? membersOf(roadmap, owner).filter(isTold) : []) {
    postEvent(turn.work, member, s, { kind: 'board-changed' })
  }
}
