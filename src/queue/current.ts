import type { RecordFile } from '../domain/record/record.ts'
import { epochs, recordFiles } from '../storage/documents/kinds.ts'
import type { OnBehalf } from '../storage/documents/owed-result.ts'
import { readDocument } from '../storage/documents.ts'
import type { Store } from '../storage/store.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Vault } from '../storage/vault.ts'

/** Whether the account has not been forgotten since the work began. */
export async function isCurrent(
  deps: { store: Pick<Store, 'read'>; vault: Vault },
  { who, epoch }: Pick<OnBehalf, 'who' | 'epoch'>,
): Promise<boolean> {
  return ((await readDocument(deps.store, deps.vault, epochs, who))?.epoch ?? 0) === epoch
}

/** The same, and the commit fails when the account is forgotten in between. */
export async function guardCurrent(
  work: UnitOfWork,
  { who, epoch }: Pick<OnBehalf, 'who' | 'epoch'>,
): Promise<boolean> {
  return ((await work.guard(epochs, who))?.epoch ?? 0) === epoch
}

/** The file of a record or roadmap, unless the account that the work is for has been forgotten. */
export const currentFile = async (
  work: UnitOfWork,
  { s, onBehalf }: { s: string; onBehalf: OnBehalf },
): Promise<RecordFile | undefined> =>
  (await guardCurrent(work, onBehalf)) ? work.get(recordFiles, s) : undefined

/** The epoch that work on behalf of an account begins in. */
export const epochOf = async (work: Pick<UnitOfWork, 'get'>, who: string): Promise<number> =>
  (await work.get(epochs, who))?.epoch ?? 0
