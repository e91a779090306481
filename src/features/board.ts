import { keepIndex, parentOf } from '../chat/files.ts'
import { endSitting, readSitting } from '../chat/sitting.ts'
import type { Turn } from '../chat/turn.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { move, recordFinished, recordPutBack } from '../domain/record/transitions.ts'
import {
  allFinished,
  handOf,
  holderOf,
  membersOf,
  type RoadmapPart,
  type RoadmapRecord,
  recordsOf,
  rolesHeldBy,
} from '../domain/roadmap.ts'
import { recordFiles } from '../kept/documents.ts'
import { postEvent } from '../mail/chat-message.ts'
import { type BoardGroup, type BoardTest, boardView } from '../views/board.ts'
import { generatedView, generatingView } from '../views/generation.ts'
import type { View } from '../views/view.ts'

/** The profiles are there: every test of the package gets a file of its own and can be begun. */
export async function openBoard(turn: Turn, file: RecordFile): Promise<void> {
  const { roadmap, owner } = file
  if (!roadmap) return
  if (owner === turn.who) roadmap.isOpened = true
  for (const record of roadmap.records) {
    const kept = await turn.work.get(recordFiles, record.s)
    if (!kept) beginRecordFile(turn, file, record, holderOf(roadmap, record.role, owner))
    else if (record.isFinished && !isIn(kept, 'done')) {
      move(kept, recordFinished)
      endSitting(turn, record.s)
    } else if (!record.isFinished && isIn(kept, 'done')) move(kept, recordPutBack)
  }
}

function beginRecordFile(
  turn: Turn,
  { s, roadmap, testsAuthRequired }: RecordFile,
  record: RoadmapRecord,
  owner: string | undefined,
): void {
  const role = roadmap?.roles.find(({ id }) => id === record.role)
  // Its own link leads to the board, and nobody else anywhere.
  keepIndex(turn, record)
  turn.work.put(recordFiles, record.s, {
    s: record.s,
    token: record.token,
    state: { stage: record.isFinished ? 'done' : 'new' },
    test: { title: record.title, limits: role?.limits ?? { minAge: null, maxAge: null, gender: 'both' } },
    testsAuthRequired,
    seenAt: turn.now,
    parent: { s, role: record.role },
    ...(owner === undefined ? { isLeft: true } : { owner }),
  })
}

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

async function viewOf(turn: Turn, file: RecordFile): Promise<View> {
  const { roadmap, state, test } = file
  if (!roadmap) throw new Error('a board needs a roadmap')
  if (state.stage === 'generating') return generatingView(turn.t, state)
  if (isIn(file, 'scored', 'done')) {
    const { resultTo } = turn.deps.config
    return generatedView(turn.t, { title: test.title, resultTo })
  }
  return boardView(turn.t, {
    s: file.s,
    title: test.title,
    groups: await groupsOf(turn, file, roadmap),
    isAllFinished: allFinished(roadmap),
    isSeveral: roadmap.roles.length > 1,
    failure: state.stage === 'failed' ? state.reasons : undefined,
  })
}

/** The roles that this account answers; the one who began also sees how far the others are. */
async function groupsOf(turn: Turn, { owner }: RecordFile, roadmap: RoadmapPart): Promise<BoardGroup[]> {
  const isOwner = owner === turn.who
  const held = rolesHeldBy(roadmap, turn.who, owner)
  const groups: BoardGroup[] = []
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
  return groups
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

async function testOf(turn: Turn, { s, title, isFinished }: RoadmapRecord): Promise<BoardTest> {
  const stage = (await turn.work.get(recordFiles, s))?.state.stage
  if (isFinished || stage === 'done') return { s, title, state: { kind: 'finished' } }
  if (stage === 'submitting' || stage === 'refused') return { s, title, state: { kind: stage } }
  const sitting = stage === 'questions' ? await readSitting(turn, s) : undefined
  if (!sitting) return { s, title, state: { kind: 'new' } }
  return { s, title, state: { kind: 'under-way', answered: sitting.answered, total: sitting.questions } }
}

/** Tells the other accounts of a roadmap that their board shows something new. */
export function tellOthers(turn: Turn, file: RecordFile): void {
  tellMembers(turn, file, (who) => who !== turn.who)
}

/** Has every board brought up to date that shows this record of a roadmap, the own one too. */
export async function recordChanged(turn: Turn, file: RecordFile): Promise<void> {
  const parent = await parentOf(turn, file)
  if (parent) tellMembers(turn, parent, () => true)
}

function tellMembers(
  turn: Turn,
  { s, roadmap, owner: who, chatId }: RecordFile,
  isTold: (who: string) => boolean,
): void {
  for (const member of roadmap ? membersOf(roadmap, { who, chatId }) : []) {
    if (isTold(member.who)) postEvent(turn.work, member, s, { kind: 'board-changed' })
  }
}
