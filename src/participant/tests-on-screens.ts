import { isMine } from '../dialog/access.ts'
import { visibleFile } from '../dialog/files.ts'
import type { Turn } from '../dialog/turn.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import type { Sitting } from '../domain/sitting.ts'
import { openSittingOf, sittingKey } from '../storage/documents/sittings.ts'

/** The revisions of the other questionnaires on screens of this chat. */
export async function otherRevisions(turn: Turn, s: string): Promise<Record<string, number>> {
  const others = (await testsOnScreens(turn)).filter(({ file }) => file.s !== s)
  return Object.fromEntries(others.map(({ file, sitting }) => [file.s, sitting.revision]))
}

/** The questionnaires of this account that have a message in this chat. */
export async function testsOnScreens(turn: Turn): Promise<{ file: RecordFile; sitting: Sitting }[]> {
  const { account, deps, who } = turn
  const screens = Object.keys(account.screens)
  const kept = await deps.store.read(screens.map(sittingKey))
  const tests: { file: RecordFile; sitting: Sitting }[] = []
  for (const [place, s] of screens.entries()) {
    const entry = kept[place]
    // Boards, results and what has ended: their files need not be read.
    if (!entry) continue
    const file = await visibleFile(turn, s)
    if (!file || !isIn(file, 'questions') || !(await isMine(turn, file))) continue
    const sitting = openSittingOf(deps.vault, { who, s }, entry)
    if (sitting) tests.push({ file, sitting })
  }
  return tests
}
