import type { StorageAdapter } from 'grammy'
import type { GroupCommit } from './group-commit.ts'
import type { Entries } from './sqlite-entries.ts'

/** Texts that are swept away so long after each was written. */
export function createSqliteSessions(
  { entries, group, now }: { entries: Entries; group: GroupCommit; now: () => number },
  termMs: number,
): StorageAdapter<string> {
  return {
    read: (key) => entries.read(key, now())?.value.toString('utf8'),
    write: (key, text) =>
      group.run(() =>
        entries.write({ key, value: Buffer.from(text), expiresAt: Math.round(now() + termMs) }),
      ),
    delete: (key) => group.run(() => entries.write({ key, value: null })),
  }
}
