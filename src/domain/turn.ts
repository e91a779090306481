import { isFilledIn } from './profile.ts'
import { isIn, type RecordFile } from './record/record.ts'
import { allFinished, hasTestsOf, holderOf, rolesAwaited, rolesHeldBy } from './roadmap.ts'

/**
 * Whether it is this account's turn: in a roadmap, only while one of its tests is left that no other account
 * can do. `tests`: the roadmap's tests; `apart`: those of them that were begun by a link of their own.
 */
export function isTheirTurn(
  file: RecordFile,
  who: string,
  owner: string | undefined,
  tests: readonly RecordFile[] = [],
  apart: readonly RecordFile[] = [],
): boolean {
  const { roadmap } = file
  // Before the registration each person gives their own details.
  if (isIn(file, 'profile') && roadmap) {
    const awaited = rolesAwaited(roadmap).map(({ id }) => holderOf(roadmap, id, undefined))
    if (awaited.includes(who)) return true
    // The account that began has nothing to do while only accounts that have accepted a role owe details.
    const isOthers = awaited.length > 0 && !awaited.includes(undefined)
    return owner === who && !(isOthers && isFilledIn(file.state.draft))
  }
  if (!roadmap || !isIn(file, 'board', 'failed'))
    return owner === who && isIn(file, 'profile', 'code', 'loading', 'questions')
  // If the account that began is gone, every account that takes part asks for the report.
  if (allFinished(roadmap)) return owner === who || (!owner && rolesHeldBy(roadmap, who, owner).length > 0)
  const isHeld = (test: RecordFile) => isIn(test, 'submitting', 'waiting', 'refused') || apart.includes(test)
  const held = tests.filter(isHeld).map(({ s }) => s)
  // A child whose guardian has not agreed yet has that to see to.
  return roadmap.records.some(
    ({ s, role, isFinished }) => !isFinished && !held.includes(s) && hasTestsOf(roadmap, role, who, owner),
  )
}
