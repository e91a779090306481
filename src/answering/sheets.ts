import { LRUCache } from 'lru-cache'
import type { PlacedQuestion } from '../domain/questionnaire.ts'
import { questionsOf } from '../domain/record/record.ts'
import type { Sitting } from '../domain/sitting.ts'
import { readable } from '../domain/unreadable.ts'
import { traceOf } from '../observe/trace.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import type { Contents } from '../storage/documents/questions.ts'
import { attemptOwner, openSittingOf, sittingKey } from '../storage/documents/sittings.ts'
import { type DocumentKind, documentKey, openDocument, readDocument } from '../storage/documents.ts'
import type { Store } from '../storage/store.ts'
import type { Vault } from '../storage/vault.ts'

/** What a tap needs to know of its sitting and what never changes in it. */
export type Sheet = {
  fromId: number
  who: string
  /** What the log calls the account. */
  trace: string
  owner: Buffer
  sitting: Pick<Sitting, 'id' | 'dataKey'>
  placed: readonly PlacedQuestion[]
  recommendedMinutes?: number | undefined
}

export type Sheets = {
  get(s: string, fromId: number): Promise<Sheet | undefined>
  drop(s: string): void
}

type SheetsDeps = { store: Store; vault: Vault; contents: Contents }

const SITTINGS_KNOWN = 5_000

/** Remembers the sheets of the sittings that are under way: the first tap a process sees reads, every other does not. */
export function createSheets({ store, vault, contents }: SheetsDeps): Sheets {
  const sheets = new LRUCache<string, Sheet>({ max: SITTINGS_KNOWN })
  const documents = { get: <T>(kind: DocumentKind<T>, id: string) => readDocument(store, vault, kind, id) }

  async function read(s: string, fromId: number): Promise<Sheet | undefined> {
    const [fileEntry, sittingEntry] = await store.read([documentKey(recordFiles, s), sittingKey(s)])
    if (!fileEntry || !sittingEntry) return undefined
    const file = openDocument(vault, recordFiles, s, fileEntry)
    const who = vault.hash('account', String(fromId))
    const content = questionsOf(file)?.content
    if (content === undefined) return undefined
    const placed = await contents.placed(documents, content)
    if (!placed) return undefined
    const sitting = openSittingOf(vault, { who, s }, sittingEntry)
    if (!sitting) return undefined
    const { id, dataKey } = sitting
    readable(() =>
      vault.sittingCipher.encryptAnswer({ id, dataKey }, { question: 0, revision: 0, option: 0 }),
    )
    return {
      fromId,
      who,
      trace: traceOf(who),
      owner: attemptOwner(vault, { who, s }, sitting),
      sitting: { id: Buffer.from(id), dataKey },
      placed,
      recommendedMinutes: file.test.minutes,
    }
  }

  return {
    async get(s, fromId) {
      // A test of a roadmap may have gone to another account since.
      const known = sheets.get(s)
      if (known?.fromId === fromId) return known
      const sheet = await read(s, fromId)
      if (sheet) sheets.set(s, sheet)
      return sheet
    },
    drop: (s) => void sheets.delete(s),
  }
}
