import { questionnaires, recordFiles, sittingKey } from '../background/kinds.ts'
import { ownerOf } from '../dialog/show-question.ts'
import { inOrder, type PlacedQuestion } from '../domain/questionnaire.ts'
import { openSitting, type Sitting } from '../domain/sitting.ts'
import { documentKey, openDocument, readDocument } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'

/** What a tap needs to know of its sitting and what never changes in it. */
export type Sheet = {
  fromId: number
  who: string
  owner: Buffer
  sitting: Pick<Sitting, 'id' | 'dataKey'>
  placed: PlacedQuestion[]
  recommendedMinutes?: number | undefined
}

export type Sheets = {
  get(s: string, fromId: number): Promise<Sheet | undefined>
  drop(s: string): void
}

/** Remembers the sheets of the sittings that are under way: the first tap a process sees reads, every other does not. */
export function createSheets({ store, vault }: { store: Store; vault: Vault }, limit = 5_000): Sheets {
  const sheets = new Map<string, Sheet>()
  const contents = new Map<string, PlacedQuestion[]>()

  return {
    async get(s, fromId) {
      // A test of a roadmap may have gone to another account since.
      const known = sheets.get(s)
      if (known?.fromId === fromId) return known
      const fileKey = documentKey(recordFiles, s)
      const [fileEntry, sittingEntry] = await store.read([fileKey, sittingKey(s)])
      if (!fileEntry || !sittingEntry) return undefined
      const file = openDocument<NonNullable<(typeof recordFiles)['type']>>(vault, fileKey, fileEntry)
      const who = vault.hash('account', String(fromId))
      const content = file.questions?.content
      if (file.owner !== who || content === undefined) return undefined
      const placed = contents.get(content) ?? (await load(content))
      if (!placed) return undefined
      const { id, dataKey } = openSitting(sittingEntry.value)
      const sitting = { id: Buffer.from(id), dataKey }
      const sheet = {
        fromId,
        who,
        owner: ownerOf(vault, who, id),
        sitting,
        placed,
        recommendedMinutes: file.test.minutes,
      }
      remember(sheets, s, sheet, limit)
      return sheet
    },
    drop: (s) => void sheets.delete(s),
  }

  async function load(content: string): Promise<PlacedQuestion[] | undefined> {
    const questionnaire = await readDocument(store, vault, questionnaires, content)
    const placed = questionnaire && inOrder(questionnaire)
    if (placed) remember(contents, content, placed, 200)
    return placed
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T, limit: number): void {
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > limit && oldest !== undefined) map.delete(oldest)
}
