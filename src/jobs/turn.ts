import type { RecordFile } from '../domain/record/record.ts'
import { holderOf } from '../domain/roadmap.ts'
import { isTheirTurn } from '../domain/turn.ts'
import { ownerOf, type Reading } from '../storage/documents/attempts.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'

/** The kept files of the tests of a roadmap. */
export async function testsOf(work: Reading, { roadmap }: RecordFile): Promise<RecordFile[]> {
  const read = (roadmap?.records ?? []).map(({ s }) => work.get(recordFiles, s))
  return (await Promise.all(read)).filter((test) => test !== undefined)
}

/** Whether it is this account's turn: this decides about reminders and about waiting for others. */
export async function isTurnOf(work: UnitOfWork, file: RecordFile, who: string): Promise<boolean> {
  // The roadmap decides for its tests.
  if (!(await isBegunByOwnLink(work, file))) return false
  const tests = await testsOf(work, file)
  const areByOwnLink = await Promise.all(tests.map((test) => isBegunByOwnLink(work, test)))
  const apart = tests.filter((_, index) => areByOwnLink[index])
  return isTheirTurn(file, who, await ownerOf(work, file), tests, apart)
}

/** Whether the test is held outside of its roadmap's roles: its own link may have begun or released it. */
export async function isBegunByOwnLink(work: UnitOfWork, file: RecordFile): Promise<boolean> {
  const whole = file.parent && (await work.get(recordFiles, file.parent.s))
  if (!file.parent || !whole?.roadmap) return true
  const holder = holderOf(whole.roadmap, file.parent.role, await ownerOf(work, whole))
  return (await ownerOf(work, file)) !== holder
}
