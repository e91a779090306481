import { isMine } from '../dialog/access.ts'
import { consentNow, noteAgreement } from '../dialog/agreement.ts'
import { readAttempt } from '../dialog/attempt.ts'
import { parentOf } from '../dialog/files.ts'
import { withdrawTyped } from '../dialog/typed-messages.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { roleLabel } from '../domain/record/names.ts'
import type { RecordFile } from '../domain/record/record.ts'
import {
  awaitsConsent,
  needsHandOver,
  type RoadmapPart,
  type RoadmapRecord,
  roleOf,
} from '../domain/roadmap.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { handOverView } from '../views/hand-over.ts'
import { pauseAttempt } from './show-question.ts'

/** What comes before a test of a roadmap: a hand-over of the phone, and the minor who must consent. */
async function handOverOf(ctx: UpdateContext, file: RecordFile) {
  const parent = await parentOf(ctx, file)
  if (!parent?.roadmap || !file.parent) return undefined
  const { roadmap } = parent
  const known = [roadmap, file.parent.role, ctx.who, await ownerOf(ctx.work, parent)] as const
  return { parent, roadmap, isNeeded: needsHandOver(...known), minor: awaitsConsent(...known) }
}

/** Whether the phone must be handed over before this test is shown, or anything is taken for it. */
export const isAwaitingHandOver = async (ctx: UpdateContext, file: RecordFile): Promise<boolean> =>
  (await handOverOf(ctx, file))?.isNeeded === true

/** Asks to hand the phone over before a test of another role, and puts away the other person's tests. */
export async function askHandOver(ctx: UpdateContext, file: RecordFile): Promise<'rendered' | 'not needed'> {
  const handOver = await handOverOf(ctx, file)
  if (!handOver?.isNeeded) return 'not needed'
  const { parent, roadmap, minor } = handOver
  const role = file.parent?.role
  // Texts typed from now on answer nothing of the previous person.
  ctx.account.focus = file.s
  for (const record of roadmap.records) if (record.role !== role) await putAway(ctx, record)
  // Nor may this person read a test of another package, or a standalone one.
  const isHere = (s: string) => roadmap.records.some((record) => record.s === s)
  for (const s of Object.keys(ctx.account.screens)) if (!isHere(s)) await putAway(ctx, { s })
  const next = roleOf(roadmap, role)
  const { title, name = title ?? '' } = next ?? {}
  const { config } = ctx.deps
  const consent = minor && resultToOf(config, parent)
  const known = { s: file.s, role: next ? roleLabel(next) : '', name, test: file.test.title, consent }
  await ctx.ask(handOverView(ctx.t, known))
  return 'rendered'
}

/** Removes all answers of this record from the chat, shown or typed. */
async function putAway(ctx: UpdateContext, { s }: Pick<RoadmapRecord, 's'>): Promise<void> {
  const { screens } = ctx.account
  const file = await ctx.work.get(recordFiles, s)
  if (!file || !(await isMine(ctx, file))) return
  withdrawTyped(ctx, file)
  const screen = screens[s]
  const attempt = screen === undefined ? undefined : await readAttempt(ctx, s)
  if (!attempt || attempt.state === 'locked') return
  await pauseAttempt(ctx, file, attempt, screen)
  delete screens[s]
}

/** The right person has the phone; a minor who must consent has read the terms at this hand-over. */
export async function confirmHandOver(ctx: UpdateContext, file: RecordFile, isRead: boolean): Promise<void> {
  const { parent, roadmap, minor } = (await handOverOf(ctx, file)) ?? {}
  if (!parent || !roadmap || !file.parent || (minor && !isRead)) return
  if (minor) {
    const consent = consentNow(ctx, resultToOf(ctx.deps.config, parent))
    minor.consent = consent
    await noteAgreement(ctx, parent, { by: 'minor', role: minor.id, consent })
  }
  noteHolder(ctx, roadmap, file.parent.role)
}

/** Notes whose test is shown on this account's phone. */
export function noteHolder({ who }: UpdateContext, roadmap: RoadmapPart, role: number): void {
  roadmap.lastRoles = { ...roadmap.lastRoles, [who]: role }
}
