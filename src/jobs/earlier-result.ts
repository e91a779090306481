import { isIn, type RecordFile } from '../domain/record/record.ts'
import type { Task } from '../queue/job.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { accounts, type OnBehalf, recordFiles } from '../storage/documents/kinds.ts'
import type { JobDeps, With } from './deps.ts'
import { resultToOf } from './recipients.ts'

/** Of so many tests of an account the earlier result is looked for. */
const MOST_LOOKED_AT = 30

type Looking = Pick<JobDeps, 'vault'> &
  With<'resultTo'> &
  Pick<Task<{ onBehalf: OnBehalf }>, 'work' | 'body'> & { file: RecordFile }

/** The newest result before this one that the same account has of the same test and person, meant for the same people. */
export async function earlierOf({
  config,
  vault,
  work,
  body,
  file,
}: Looking): Promise<RecordFile | undefined> {
  const { who } = body.onBehalf
  const { personKey, finishedAt = 0, test } = file
  if (personKey === undefined) return undefined
  const { items = [] } = (await work.get(accounts, who)) ?? {}
  let newest: RecordFile | undefined
  for (const s of items.slice(-MOST_LOOKED_AT)) {
    const other = s === file.s ? undefined : await work.get(recordFiles, s)
    if (!other || !isIn(other, 'done') || other.personKey !== personKey) continue
    const { finishedAt: at = finishedAt } = other
    const isAlike = other.test.title === test.title && resultToOf(config, other) === resultToOf(config, file)
    const isNewer = at < finishedAt && at > (newest?.finishedAt ?? 0)
    if (isAlike && isNewer && (await ownerOf({ work, vault }, other)) === who) newest = other
  }
  return newest
}
