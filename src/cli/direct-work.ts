import type { Term } from '../store/documents.ts'
import { createLiveDocuments } from '../store/live-documents.ts'
import type { Store } from '../store/store.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'

/** Documents read and written by a command, where no message is handled; a document that the bot changes meanwhile is refused. */
export function createDirectWork(deps: { store: Store; vault: Vault; term: Term }) {
  let documents = createLiveDocuments(deps)

  const work: Pick<UnitOfWork, 'get' | 'put'> = {
    get: (kind, id) => documents.get(kind, id),
    put: (kind, id, value) => documents.put(kind, id, value),
  }
  return {
    work,
    /** Writes what has changed, in the order in which it was met. Throws when somebody else was faster. */
    async flush(): Promise<void> {
      for (const { write, version = null } of documents.changes()) {
        if (!(await deps.store.put(write, version)))
          throw new Error('the bot has changed the same meanwhile: please run this again')
      }
      documents = createLiveDocuments(deps)
    },
  }
}
