import { LRUCache } from 'lru-cache'
import { DAY_MS } from '../../domain/durations.ts'
import { inOrder, type PlacedQuestion, shownWith } from '../../domain/questionnaire.ts'
import { questionsOf, type RecordFile } from '../../domain/record/record.ts'
import { type DocumentKind, putDocument, readDocument } from '../documents.ts'
import type { Store } from '../store.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { Vault } from '../vault.ts'
import { pictures, questionnaires } from './kinds.ts'
import { KEPT_ANEW_DAYS } from './retention.ts'

/** What questions are kept under: whoever reads the store cannot tell which test somebody has by hashing the tests there are. */
export const questionsId = (vault: Vault, content: string): string => vault.hash('questions', content)

type Documents = { get<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined> }

export const readQuestions = (documents: Documents, vault: Vault, content: string) =>
  documents.get(questionnaires, questionsId(vault, content))

/** Begins the term of questions anew. */
export const touchQuestions = (work: UnitOfWork, vault: Vault, content: string): Promise<void> =>
  work.touch(questionnaires, questionsId(vault, content))

type Keeping = { store: Pick<Store, 'read' | 'put'>; vault: Vault; config: { retentionDays: number } }

/** Begins the term of a record, its questions and their pictures anew, where somebody was there so long after that was done last. */
export async function keepAnew(
  { store, vault, config }: Keeping,
  work: UnitOfWork,
  file: RecordFile,
  { at, now }: { at: number; now: number },
): Promise<void> {
  if (at - (file.keptAt ?? 0) < KEPT_ANEW_DAYS * DAY_MS) return
  const content = questionsOf(file)?.content
  if (content !== undefined) await touchQuestions(work, work.vault, content)
  const kept = content === undefined ? undefined : await readQuestions(work, work.vault, content)
  const term = { now, retentionDays: config.retentionDays }
  // Each by itself: all of them at once would be too much for a process.
  for (const name of new Set(kept && inOrder(kept).flatMap(shownWith))) {
    const picture = await readDocument({ store, vault }, pictures, name)
    if (picture) await putDocument({ store, vault, term }, pictures, name, picture)
  }
  file.keptAt = now
}

export type Contents = ReturnType<typeof createContents>

const CONTENTS_KNOWN = 200

/**
 * The questions of each content in their order: a process reads them once, since a content never changes, and a crowd
 * that begins together waits for one reading and has the same questions.
 */
export function createContents(vault: Vault) {
  const known = new LRUCache<string, readonly PlacedQuestion[], Documents>({
    max: CONTENTS_KNOWN,
    ignoreFetchAbort: true,
    async fetchMethod(content, _, { context: documents }) {
      const questionnaire = await readQuestions(documents, vault, content)
      return questionnaire && inOrder(questionnaire)
    },
  })
  return {
    placed: (documents: Documents, content: string) => known.fetch(content, { context: documents }),
  }
}
