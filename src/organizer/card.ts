import type { Composer } from 'grammy'
import { readAttempt } from '../dialog/attempt.ts'
import { assigneeOf } from '../dialog/files.ts'
import { type IncomingContext, onButton, tappedMessage } from '../dialog/incoming.ts'
import { askForOne, mayDecide } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { type Assignee, accountOf, consentOf, isParted, parted, triesOf } from '../domain/assignee.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { personOf as nameOf } from '../domain/record/names.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { isUnfinished, STUCK_MS, standingOf } from '../domain/record/standing.ts'
import { assignmentOf, recordsOf } from '../domain/roadmap.ts'
import { invitationsOf, whyClosedNow, whyNotInvitable } from '../jobs/invite.ts'
import { lastVisit } from '../jobs/watch.ts'
import type { TestRecord } from '../service/wire.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { fileOfToken, owedResults, recordFiles } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { type CardRole, type ClaimState, type TargetCard, targetCardView } from '../views/target-card.ts'
import { isNudgeable } from './nudge.ts'
import { releasableRoles, tombstoneOf } from './release.ts'
import type { SeenTarget } from './seen.ts'
import { sendData } from './send-result.ts'

/** The card of one record or roadmap, and its button. */
export function cards(composer: Composer<IncomingContext>): void {
  onButton(composer, buttons.card, async (incoming, _, { kind, token }, screen?: number) => {
    const { ctx } = incoming
    const last = incoming.callbackQuery.message?.reply_markup?.inline_keyboard.at(-1)?.[0]
    const isOf = last && 'callback_data' in last && last.callback_data === buttons.card.data({ kind, token })
    // From a listing, a notice or a question the card is sent below. From a card it replaces that card.
    const isCard = isOf && last.text === ctx.t.plain('button-card-again')
    const messageId = isCard ? tappedMessage(incoming) : undefined
    await askForOne(ctx, { act: 'card', kind, token, messageId, screen })
  })
}

/** Shows what the service and this bot know about a record or roadmap. */
export async function showCard(
  ctx: UpdateContext,
  seen: SeenTarget,
  { messageId, screen = 1 }: { messageId?: number | undefined; screen?: number | undefined } = {},
) {
  const file = await fileOfToken(ctx.work, seen.token)
  const assignee = await assigneeOf(ctx, seen.token)
  const made = await invitationsOf(ctx.work, seen.token)
  const closed = await Promise.all(made.map((each) => whyClosedNow(ctx.work, each, ctx.now)))
  const refusal = await whyNotInvitable(ctx.work, seen)
  const whole = file && !file.parent && !isParted(assignee) ? file.s : undefined
  const card: TargetCard = {
    ...seen,
    ...(seen.kind === 'record' && { person: seen.profile ? personOf(seen.profile) : storedPerson(file) }),
    validity: file?.validity,
    roles: seen.kind === 'roadmap' ? await rolesOf(ctx, seen, file) : [],
    claim: await claimState(ctx, assignee, file),
    waits: file && seen.status === 0 ? waitsOf(seen, file) : undefined,
    invitations: made.map((each, at) => ({ ...each, closed: closed[at] })),
    owed: file && (await owedOf(ctx, file)),
    canNudge: file !== undefined && !file.parent && (await isNudgeable(ctx, file)),
    canInvite: refusal === undefined,
    inviteRoles: invitableRoles(seen, file, assignee),
    // An account that has taken over a tombstone may never begin.
    release: mayDecide(ctx) ? (file?.isBegun ? whole : await tombstoneOf(ctx, seen)) : undefined,
    releaseRoles: mayDecide(ctx) && file && !file.parent ? releasableRoles(file) : [],
    send: mayDecide(ctx) ? await sendData(ctx, seen, file) : undefined,
  }
  await ctx.show(messageId, targetCardView(ctx.t, card, screen))
}

const personOf = ({ name, age, ...ids }: NonNullable<TestRecord['profile']>) => {
  return { name, age, caseNumber: ids.case_number, externalId: ids.external_id }
}

/** The person as the lists here name them, while there is no profile. */
function storedPerson(file: RecordFile | undefined): TargetCard['person'] {
  const name = file?.isBegun ? (file.shownAs ?? nameOf(file)) : undefined
  return name === undefined
    ? undefined
    : { name, age: null, caseNumber: null, externalId: file?.externalId ?? null }
}

/** Who waits for the organizer, and since when, as organizers know them. */
function waitsOf(seen: SeenTarget, file: RecordFile): TargetCard['waits'] {
  if (!isIn(file, 'waiting') || !file.state.waits) return undefined
  const { since, externalId } = file.state.waits
  const name = (seen.kind === 'record' && seen.profile?.name) || (file.shownAs ?? nameOf(file))
  return { since, name, externalId }
}

async function claimState(
  ctx: UpdateContext,
  assignee: Assignee,
  file: RecordFile | undefined,
): Promise<ClaimState> {
  if (file?.parent) return { kind: 'of-roadmap' }
  const at = consentOf(assignee)?.at
  switch (assignee.is) {
    case 'free':
    case 'invited':
      return { kind: 'free' }
    case 'released':
      return { kind: 'released', tries: assignee.tries }
    case 'left':
      if (!isParted(assignee)) return { kind: 'forgotten' }
      return file ? { kind: 'roles', standing: standingOf(file) } : { kind: 'expired', at }
    case 'taken':
    case 'over':
      if (file) return begunState(ctx, file, at)
      if (assignee.is === 'taken') return { kind: 'expired', at }
      return { kind: 'begun', at, standing: { at: 'done' }, activeAt: undefined, stuckHours: undefined }
  }
}

async function begunState(ctx: UpdateContext, file: RecordFile, at: number | undefined): Promise<ClaimState> {
  const attempt = isIn(file, 'questions') ? await readAttempt(ctx, file.s) : undefined
  const owner = await ownerOf(ctx.work, file)
  const seenAt = await lastVisit(ctx.work, file, owner)
  const nested = await Promise.all((file.roadmap?.records ?? []).map(({ s }) => readAttempt(ctx, s)))
  const answeredAt = [attempt, ...nested].map((each) => each?.lastActivityAt ?? 0)
  // A finished file has ended. Later activity of its accounts is about something else.
  const lastAt = Math.max(...answeredAt, seenAt, at ?? 0)
  const activeAt = (file.finishedAt ?? lastAt) || undefined
  const hours = activeAt === undefined ? 0 : Math.floor((ctx.now - activeAt) / HOUR_MS)
  return {
    kind: 'begun',
    at,
    standing: standingOf(file, attempt),
    activeAt,
    stuckHours: isUnfinished(file) && hours * HOUR_MS >= STUCK_MS ? hours : undefined,
  }
}

async function owedOf(ctx: UpdateContext, file: RecordFile): Promise<TargetCard['owed']> {
  const { parts = [] } = (await ctx.work.get(owedResults, file.s)) ?? {}
  const { organizers } = ctx.deps.config
  const isOrganizerOwed = parts.some(({ chatId }) => organizers.includes(chatId))
  const isParticipantOwed = parts.some(({ chatId }) => !organizers.includes(chatId))
  if (isOrganizerOwed && isParticipantOwed) return 'both'
  if (isOrganizerOwed) return 'organizer'
  return isParticipantOwed || isIn(file, 'scored') ? 'participant' : undefined
}

/** The roles of a roadmap: since when their own account has begun, and the standing of each test here. */
async function rolesOf(
  ctx: UpdateContext,
  { roles }: Extract<SeenTarget, { kind: 'roadmap' }>,
  file: RecordFile | undefined,
): Promise<CardRole[]> {
  const shown: CardRole[] = []
  for (const role of roles) {
    const hand = file?.roadmap && assignmentOf(file.roadmap, role.id)
    const tests: CardRole['tests'][number][] = []
    for (const test of role.tests) {
      const s = file?.roadmap?.records.find(({ token }) => token === test.token)?.s
      const record = s === undefined ? undefined : await ctx.work.get(recordFiles, s)
      const attempt = record && !test.isFinished ? await readAttempt(ctx, record.s) : undefined
      const standing = record && attempt && standingOf(record, attempt)
      tests.push({ ...test, standing, validity: record?.validity })
    }
    const begun = hand && { begunAt: consentOf(hand.assignee)?.at, tries: triesOf(hand.assignee) }
    shown.push({ ...role, tests, hand: begun })
  }
  return shown
}

/** The roles that can be invited one by one: the profiles exist, and no account has begun the whole. */
function invitableRoles(
  seen: SeenTarget,
  file: RecordFile | undefined,
  assignee: Assignee,
): { id: number; title: string }[] {
  if (seen.kind !== 'roadmap' || seen.needsProfile || seen.isFinished || !parted(assignee)) return []
  if (seen.roles.length < 2 || seen.status === 0 || seen.status === 4) return []
  return seen.roles.filter(({ id, tests }) => {
    const hand = file?.roadmap && assignmentOf(file.roadmap, id)
    const known = file?.roadmap ? recordsOf(file.roadmap, id) : []
    const isDone = [...known, ...tests].every(({ isFinished }) => isFinished)
    return accountOf(hand?.assignee) === undefined && !isDone
  })
}
