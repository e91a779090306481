import { readAttempt } from '../dialog/attempt.ts'
import { assigneeOf } from '../dialog/files.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { accountOf, consentOf, isParted, triesOf } from '../domain/assignee.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { underWay } from '../domain/record/standing.ts'
import { assignmentOf, recordsOf } from '../domain/roadmap.ts'
import type { InviteRefusal } from '../jobs/invite.ts'
import type { CardRole } from '../views/target-card.ts'
import { givenRoles } from './release-role.ts'
import type { SeenTarget } from './seen.ts'

type SeenRoadmap = Extract<SeenTarget, { kind: 'roadmap' }>

/** The roles of a roadmap: who has begun with an account of their own, and at which question each test stands here. */
export async function rolesOf(
  ctx: UpdateContext,
  { roles }: SeenRoadmap,
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
    shown.push({
      ...role,
      tests,
      hand: hand && { begunAt: consentOf(hand.assignee)?.at, tries: triesOf(hand.assignee) },
    })
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
    const isDone = file?.roadmap
      ? recordsOf(file.roadmap, id).every(({ isFinished }) => isFinished)
      : tests.every(({ isFinished }) => isFinished)
    return accountOf(hand?.assignee) === undefined && !(isDone && tests.every(({ isFinished }) => isFinished))
  })
}

/** Record id of what can be released: the whole, or the roles that have accounts of their own. */
export async function releasable(
  ctx: UpdateContext,
  file: RecordFile | undefined,
): Promise<{ whole: string | undefined; roles: { s: string; title: string }[] }> {
  if (!file || file.parent) return { whole: undefined, roles: [] }
  const roles = givenRoles(file).map(({ s, role }) => ({ s, title: role.title }))
  const isOfRoles = isParted(await assigneeOf(ctx, file.token))
  return { whole: file.isBegun && !isOfRoles ? file.s : undefined, roles }
}
