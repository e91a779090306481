import { isMine, ownerOf } from '../dialog/access.ts'
import { moveAttempt, readAttempt } from '../dialog/attempt.ts'
import { parentOf } from '../dialog/files.ts'
import { withdrawTyped } from '../dialog/typed.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { roleLabel, titleOf } from '../domain/record/whose.ts'
import { awaitsConsent, needsHandOver, type RoadmapPart, type RoadmapRecord } from '../domain/roadmap.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { CONSENT_VERSION, recordFiles } from '../storage/documents/kinds.ts'
import { handOverView } from '../views/hand-over.ts'
import { pausedView } from '../views/submission.ts'
import { showOnScreen } from './show-question.ts'

/**
 * Draws the curtain where the phone has to change hands before a test of another role: what the other person was
 * answering is put away.
 */
export async function askHandOver(
  ctx: UpdateContext,
  file: RecordFile,
  parent: RecordFile,
): Promise<'rendered' | 'not needed'> {
  const { account, who } = ctx
  const { roadmap } = parent
  if (!roadmap || !file.parent) return 'not needed'
  const owner = await ownerOf(ctx, parent)
  const { role } = file.parent
  if (!needsHandOver(roadmap, role, who, owner)) return 'not needed'
  // What is typed from here on answers nothing of the person before.
  account.focus = file.s
  for (const record of roadmap.records.filter((each) => each.role !== role))
    await putAway(ctx, record, parent.s)
  const next = roadmap.roles.find(({ id }) => id === role)
  const { title, name = title ?? '' } = next ?? {}
  const { config } = ctx.deps
  const consent = awaitsConsent(roadmap, role, who, owner) && {
    organizer: config.organizerName,
    resultTo: resultToOf(config, parent),
  }
  const known = { s: file.s, role: next ? roleLabel(next) : '', name, test: file.test.title, consent }
  await ctx.ask(handOverView(ctx.t, known))
  return 'rendered'
}

/** Whether the phone has to change hands before this test is shown, or anything is taken for it. */
export async function isAwaitingHandOver(ctx: UpdateContext, file: RecordFile): Promise<boolean> {
  const parent = await parentOf(ctx, file)
  if (!parent?.roadmap || !file.parent) return false
  return needsHandOver(parent.roadmap, file.parent.role, ctx.who, await ownerOf(ctx, parent))
}

/** Leaves nothing in the chat that shows an answer of this record, shown or typed. */
async function putAway(ctx: UpdateContext, { s }: RoadmapRecord, board: string): Promise<void> {
  const { screens } = ctx.account
  const file = await ctx.work.get(recordFiles, s)
  if (!file || !(await isMine(ctx, file))) return
  await withdrawTyped(ctx, file)
  const screen = screens[s]
  const attempt = screen === undefined ? undefined : await readAttempt(ctx, s)
  if (!attempt || attempt.state === 'locked') return
  await moveAttempt(ctx, s, attempt, { kind: 'pause' })
  const { answered, questions: total } = attempt
  const paused = pausedView(ctx.t, { s, title: titleOf(file), answered, total, board })
  await showOnScreen(ctx, s, paused, { messageId: screen })
  delete screens[s]
}

/** The right person has the phone now; whoever had to agree has read at this curtain what to. */
export async function confirmHandOver(ctx: UpdateContext, file: RecordFile, isRead: boolean): Promise<void> {
  const parent = await parentOf(ctx, file)
  if (!parent?.roadmap || !file.parent) return
  const { roadmap } = parent
  const { who, now, language } = ctx
  const minor = awaitsConsent(roadmap, file.parent.role, who, await ownerOf(ctx, parent))
  if (minor && !isRead) return
  if (minor) minor.consent = { at: now, language, version: CONSENT_VERSION }
  keepTurn(ctx, roadmap, file.parent.role)
}

/** Notes whose test is shown on this account's phone. */
export function keepTurn({ who }: UpdateContext, roadmap: RoadmapPart, role: number): void {
  roadmap.lastRoles = { ...roadmap.lastRoles, [who]: role }
}
