import type { Mutant } from './mutants.ts'

/** A mutant that no test can notice, as `npm run mutate` lists it, and the reason. */
export type Equal = { file: string; code: string; instead: string; why: string }

const equal = (file: string, code: string, instead: string, why: string): Equal => ({
  file: `src/${file}`,
  code,
  instead,
  why,
})

/** Mutants that are counted separately. */
export const equals: readonly Equal[] = [
  equal(
    'domain/invitation-lines.ts',
    `isWhole ? undefined : [' ', ''].find((each) => 'line' in readLine(\`\${last}\${each}\${next}\`))`,
    `[' ', ''].find((each) => 'line' in readLine(\`\${last}\${each}\${next}\`))`,
    'two tokens are never one line',
  ),
  equal(
    'domain/invitation.ts',
    "code.startsWith('i_') ? parsePayload(code) : undefined",
    'parsePayload(code)',
    'every other payload was read in any case',
  ),
  equal('domain/invitation.ts', 'end > 0', '(end) >= (0)', 'no groups are no code'),
  equal('domain/invitation.ts', 'end - 1', '(end) + (1)', 'no groups are no code'),
  equal(
    'domain/assignee.ts',
    "assignee.is === 'released' ? assignee.mobileOf : undefined",
    'assignee.mobileOf',
    'nothing else has one',
  ),
  equal('domain/family-figures.ts', 'before + 1', '(before) - (1)', 'only that they differ counts'),
  equal('domain/persian/birth-tokens.ts', 'used > 0', '(used) >= (0)', 'no word is none'),
  equal(
    'domain/persian/birth.ts',
    '!first',
    'false',
    'without a number there is a month, and then no second number',
  ),
  equal(
    'domain/persian/birth.ts',
    "results.filter((result) => typeof result === 'string')",
    'results',
    'without a reading all of them are errors',
  ),
  equal(
    'domain/persian/birth.ts',
    '!year || !month || !day',
    '(!year || !month) && (!day)',
    'of three that differ each is one of them',
  ),
  equal(
    'domain/persian/birth.ts',
    '!year || !month',
    '(!year) && (!month)',
    'of three that differ each is one of them',
  ),
  equal(
    'domain/persian/months.ts',
    'at < name.length',
    '(at) <= (name.length)',
    'behind the end both are nothing, and then one is longer',
  ),
  equal(
    'domain/record/record.ts',
    "'draft' in state ? (state.draft?.people ?? []) : []",
    'state.draft?.people ?? []',
    'what is not there is undefined',
  ),
  equal('domain/watch.ts', 'hour < end', '(hour) <= (end)', 'at its end nothing is waited for'),
  equal('domain/profile.ts', 'minAge > 0', '(minAge) >= (0)', 'that it is not 0 was asked before'),
  equal('domain/profile.ts', 'maxAge > 0', '(maxAge) >= (0)', 'that it is not 0 was asked before'),
  equal('storage/copies.ts', 'await sync(folder)', 'undefined', 'no test cuts the power'),
  equal('storage/copies.ts', 'await sync(made)', 'undefined', 'no test cuts the power'),
  equal('storage/copies.ts', 'await sync(dir)', 'undefined', 'no test cuts the power'),
  equal('storage/copies.ts', 'await store.close()', 'undefined', 'its folder goes all the same'),
  equal(
    'storage/redis-copy.ts',
    'round < MOST_ROUNDS',
    '(round) >= (MOST_ROUNDS)',
    'the last step takes what the rounds have left',
  ),
  equal(
    'storage/redis-copy.ts',
    'found.length < FEW',
    '(found.length) <= (FEW)',
    'the last step takes what the rounds have left',
  ),
  equal(
    'storage/redis-copy.ts',
    'Array.isArray(value) ? value.flatMap((message) => readMessage(message) ?? []) : []',
    'value.flatMap((message) => readMessage(message) ?? [])',
    'a queue is a list',
  ),
  equal('storage/redis-copy.ts', '!isLast', 'isLast', 'each goes by itself, and the last has gone'),
  equal('storage/redis-copy.ts', 'await flush()', 'undefined', 'all go in the end'),
  equal(
    'storage/sqlite-database.ts',
    'openDatabases.delete(db)',
    'undefined',
    'what is closed is only kept in memory',
  ),
  equal('storage/sqlite-queue.ts', '!message', 'false', 'whoever has the lease has a message'),
  equal('storage/sqlite.ts', '[startedAt, read()]', '[]', 'it looks once more'),
  equal(
    'storage/sqlite.ts',
    'Math.abs(now - sweptAt) < SWEEP_EVERY_MS',
    'false',
    'what has expired is not read, swept or not',
  ),
  equal('dialog/ask.ts', 'now - at < HOUR_MS', '(now - at) <= (HOUR_MS)', 'one millisecond of an hour'),
  equal('queue/suspects.ts', 'waited < QUIET_MS', '(waited) <= (QUIET_MS)', 'it waits for one look more'),
  equal(
    'domain/roadmap.ts',
    "isAssignee(assignee, 'taken', 'over') ? [assignee] : []",
    '[assignee]',
    'whoever has not taken it has no account, or no chat',
  ),
]

export const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 90)

/** A mutant as the list shows it. */
export const change = ({ code, start, end, instead }: Mutant & { code: string }): string =>
  `${short(code.slice(start, end))}  →  ${short(instead)}`

export const isOf = (
  mutant: Mutant & { file: string; code: string },
  { file, code, instead }: Equal,
): boolean => mutant.file === file && change(mutant) === `${short(code)}  →  ${short(instead)}`
