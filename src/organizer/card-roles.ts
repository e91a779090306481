import { readAttempt } from '../dialog/attempt.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { accountOf, consentOf, triesOf } from '../domain/assignee.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { underWay } from '../domain/record/standing.ts'
import { assignmentOf, recordsOf } from '../domain/roadmap.ts'
import type { InviteRefusal } from '../jobs/invite.ts'
import type { CardRole } from '../views/target-card.ts'
import type { SeenTarget } from './seen.ts'

/** The roles of a roadmap: who has begun with an account of their own, and at which question each test stands here. */
export async function rolesOf(
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
      const attempt = s === undefined || test.isFinished ? undefined : await readAttempt(ctx, s)
      tests.push({ ...test, standing: attempt && underWay(attempt) })
    }
    const begun = hand && { begunAt: consentOf(hand.assignee)?.at, tries: triesOf(hand.assignee) }
    shown.push({ ...role, tests, hand: begun })
  }
  return shown
}

/** Roles can be invited one by one where the profiles exist and nobody has begun the whole. */
export function invitableRoles(
  seen: SeenTarget,
  file: RecordFile | undefined,
  refusal: InviteRefusal | undefined,
): { id: number; title: string }[] {
  const isOpen = refusal === undefined || refusal === 'roles'
  if (seen.kind !== 'roadmap' || seen.needsProfile || seen.isFinished || !isOpen) return []
  if (seen.roles.length < 2 || seen.status === 0 || seen.status === 4) return []
  return seen.roles.filter(({ id, tests }) => {
    const hand = file?.roadmap && assignmentOf(file.roadmap, id)
    const known = file?.roadmap ? recordsOf(file.roadmap, id) : []
    const isDone = [...known, ...tests].every(({ isFinished }) => isFinished)
    return accountOf(hand?.assignee) === undefined && !isDone
  })
}
