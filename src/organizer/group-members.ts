import { setImmediate } from 'node:timers/promises'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { groups } from '../storage/documents/groups.ts'
import { recordFiles, tokenIndex, tokenKey } from '../storage/documents/kinds.ts'
import { readDocuments } from '../storage/documents.ts'

/** So many are read at once; between them others have their turn. */
const AT_ONCE = 100

export type Member = { token: string; file: RecordFile | undefined }

/** A group with what is kept of each who was invited; those first whose validity card needs a look. */
export async function membersOf({ deps, work }: UpdateContext, id: string) {
  const group = await work.get(groups, id)
  return group && { ...group, members: flaggedFirst(await filesOf(deps, group.tokens)) }
}

/** Those first whose validity card needs a look, else in their order. */
export const flaggedFirst = <T extends Member>(all: readonly T[]): T[] => [
  ...all.filter(({ file }) => file?.isFlagged),
  ...all.filter(({ file }) => !file?.isFlagged),
]

/** What is kept of each token, in their order. */
export async function filesOf(
  { store, vault }: Pick<UpdateContext['deps'], 'store' | 'vault'>,
  tokens: readonly string[],
): Promise<Member[]> {
  const all: Member[] = []
  for (let at = 0; at < tokens.length; at += AT_ONCE) {
    const some = tokens.slice(at, at + AT_ONCE)
    const keys = some.map((token) => tokenKey(vault, token))
    const ids = (await readDocuments(store, vault, tokenIndex, keys)).map((each) => each?.s ?? '')
    const files = await readDocuments(store, vault, recordFiles, ids)
    all.push(...some.map((token, index) => ({ token, file: files[index] })))
    await setImmediate()
  }
  return all
}
