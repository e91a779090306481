import { LRUCache } from 'lru-cache'
import { DAY_MS } from '../../domain/durations.ts'
import { inOrder, type PlacedQuestion, shownWith } from '../../domain/questionnaire.ts'
import { questionsOf, type RecordFile } from '../../domain/record/record.ts'
import { type DocumentKind, putDocument, readDocument } from '../documents.ts'
import type { Store } from '../store.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { Vault } from '../vault.ts'
import { pictures, questionnaires } from './kinds.ts'
import { RENEWED_EVERY_DAYS } from './retention.ts'

/** The id of questions: a keyed hash, so that hashing known tests does not identify a stored one. */
export const questionsId = (vault: Vault, content: string): string => vault.hash('questions', content)

type Documents = { get<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined> }

export const readQuestions = (documents: Documents, vault: Vault, content: string) =>
  documents.get(questionnaires, questionsId(vault, content))

/** Restarts the term of questions. */
export const renewQuestions = (work: UnitOfWork, vault: Vault, content: string): Promise<void> =>
  work.touch(questionnaires, questionsId(vault, content))

type Keeping = { store: Pick<Store, 'read' | 'put'>; vault: Vault; config: { retentionDays: number } }

/** Restarts the terms of a record, its questions and their pictures, at most once in `RENEWED_EVERY_DAYS`. */
export async function renewTerms(
  { store, vault, config }: Keeping,
  work: UnitOfWork,
  file: RecordFile,
  { at, now }: { at: number; now: number },
): Promise<void> {
  if (at - (file.keptAt ?? 0) < RENEWED_EVERY_DAYS * DAY_MS) return
  const content = questionsOf(file)?.content
  if (content !== undefined) await renewQuestions(work, work.vault, content)
  const kept = content === undefined ? undefined : await readQuestions(work, work.vault, content)
  const term = { now, retentionDays: config.retentionDays }
  // One by one: all pictures at once would need too much memory.
  for (const name of new Set(kept && inOrder(kept).flatMap(shownWith))) {
    const picture = await readDocument({ store, vault }, pictures, name)
    if (picture) await putDocument({ store, vault, term }, pictures, name, picture)
  }
  file.keptAt = now
}

export type Contents = ReturnType<typeof createContents>

const CONTENTS_KNOWN = 200

/**
 * The questions of each content, in their order. A process reads each content once, since it never changes;
 * concurrent readers wait for one read and share the result.
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
