import { isMine } from '../dialog/access.ts'
import { visibleFile } from '../dialog/files.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { Attempt } from '../domain/attempt.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { attemptKey, openAttemptOf } from '../storage/documents/attempts.ts'

/** The revisions of the other questionnaires on screens of this chat. */
export async function otherRevisions(ctx: UpdateContext, s: string): Promise<Record<string, number>> {
  const others = (await testsOnScreens(ctx)).filter(({ file }) => file.s !== s)
  return Object.fromEntries(others.map(({ file, attempt }) => [file.s, attempt.revision]))
}

/** The questionnaires of this account that have a message in this chat. */
export async function testsOnScreens(ctx: UpdateContext): Promise<{ file: RecordFile; attempt: Attempt }[]> {
  const { account, deps, who } = ctx
  const screens = Object.keys(account.screens)
  const kept = await deps.store.read(screens.map(attemptKey))
  const tests: { file: RecordFile; attempt: Attempt }[] = []
  for (const [place, s] of screens.entries()) {
    const entry = kept[place]
    // Boards, results and what has ended: their files need not be read.
    if (!entry) continue
    const file = await visibleFile(ctx, s)
    if (!file || !isIn(file, 'questions') || !(await isMine(ctx, file))) continue
    const attempt = openAttemptOf(deps.vault, { who, s }, entry)
    if (attempt) tests.push({ file, attempt })
  }
  return tests
}
