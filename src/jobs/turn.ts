import type { RecordFile } from '../domain/record/record.ts'
import { isTheirTurn } from '../domain/watch.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'

/** Whether it is this account's turn, for whatever reminds somebody or waits for others. */
export async function isTurnOf(work: UnitOfWork, file: RecordFile, who: string): Promise<boolean> {
  const read = (file.roadmap?.records ?? []).map(({ s }) => work.get(recordFiles, s))
  const tests = (await Promise.all(read)).filter((test) => test !== undefined)
  return isTheirTurn(file, who, await ownerOf(work, file), tests)
}
