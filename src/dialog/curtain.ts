import { recordFiles } from '../background/kinds.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { needsCurtain, type RoadmapPart, type RoadmapRecord } from '../domain/roadmap.ts'
import { curtainView } from '../views/board.ts'
import { pausedView } from '../views/submission.ts'
import { saveFile } from './files.ts'
import { parentOf } from './roadmap-file.ts'
import { moveSitting, readSitting, showOnScreen } from './show-question.ts'
import type { Turn } from './turn.ts'

/**
 * Draws the curtain where the phone has to change hands before a test of another role: what the other person was
 * answering is put away. `false` when nothing stands between.
 */
export async function drawCurtain(turn: Turn, file: RecordFile, parent: RecordFile): Promise<boolean> {
  const { account, who } = turn
  const { roadmap, owner = who } = parent
  if (!roadmap || !file.parent) return false
  const { role } = file.parent
  if (!needsCurtain(roadmap, role, who, owner)) return false
  // What is typed from here on answers nothing of the person before.
  account.focus = file.s
  for (const record of roadmap.records.filter((each) => each.role !== role))
    await putAway(turn, record, parent.s)
  const title = roadmap.roles.find(({ id }) => id === role)?.title ?? ''
  await turn.ask(curtainView(turn.t, { s: file.s, role: title, test: file.test.title }))
  return true
}

/** Whether the phone has to change hands before this test is shown, or anything is taken for it. */
export async function isBehindCurtain(turn: Turn, file: RecordFile): Promise<boolean> {
  const { roadmap, owner = turn.who } = (await parentOf(turn, file)) ?? {}
  return !!roadmap && !!file.parent && needsCurtain(roadmap, file.parent.role, turn.who, owner)
}

/** Leaves nothing in the chat that shows an answer of this record, shown or typed. */
async function putAway(turn: Turn, { s, title }: RoadmapRecord, board: string): Promise<void> {
  const { screens } = turn.account
  const file = await turn.work.get(recordFiles, s)
  if (file?.owner !== turn.who) return
  if (file.typed) {
    await turn.deleteMessages(file.typed)
    const { typed: _, ...rest } = file
    saveFile(turn, rest)
  }
  const screen = screens[s]
  const sitting = screen === undefined ? undefined : await readSitting(turn, s)
  if (!sitting || sitting.state === 'locked') return
  await moveSitting(turn, s, sitting, { kind: 'pause' })
  const { answered, questions: total } = sitting
  await showOnScreen(turn, s, pausedView(turn.t, { s, title, answered, total, board }), screen)
  delete screens[s]
}

/** The right person has the phone now. */
export async function raiseCurtain(turn: Turn, file: RecordFile): Promise<void> {
  const parent = await parentOf(turn, file)
  if (parent?.roadmap && file.parent) keepTurn(turn, parent, parent.roadmap, file.parent.role)
}

/** Notes whose test is shown on this account's phone. */
export function keepTurn(turn: Turn, parent: RecordFile, roadmap: RoadmapPart, role: number): void {
  if (roadmap.lastRoles?.[turn.who] === role) return
  roadmap.lastRoles = { ...roadmap.lastRoles, [turn.who]: role }
  saveFile(turn, parent)
}
