import { at, type Fault, fault } from './fault.ts'

const sqlite = ['test/storage/sqlite.test.ts']
const redis = { tests: ['test/storage/redis.test.ts'], isSimulated: false }
const inSqlite = { tests: sqlite }
const forgotten = { tests: ['test/dialogs/forgotten.test.ts'], isSimulated: false }

/** Faults in the store: commits, fences, versions, retention, encryption, and the order of storing and confirming. */
export const faultsOfStore: readonly Fault[] = [
  fault(
    7,
    'a commit is retried with another id',
    { tests: ['test/jobs/lost-reply.test.ts'] },
    at(
      'queue/handle-claim.ts',
      'return await commit(id)',
      "return await commit(randomBytes(9).toString('base64url'))",
    ),
  ),
  fault(
    7,
    'the embedded store does not recognise a commit that it has already carried out',
    inSqlite,
    at('storage/sqlite.ts', 'id && queue.isSeen(id, now)', 'id && false'),
  ),
  fault(
    7,
    'Redis does not recognise a commit that it has already carried out',
    redis,
    at('storage/redis-scripts.ts', "if id ~= '' and isSeen(id) then return 'ok' end", ''),
  ),
  fault(
    8,
    'the embedded store does not record that a message was begun',
    inSqlite,
    at('storage/sqlite-queue.ts', 'if (message) sql.begin.run(message.place)', 'void message'),
  ),
  fault(
    8,
    'Redis does not record that a message was begun',
    redis,
    at('storage/redis-scripts.ts', 'pack(time, retries, 1, id, body)', 'pack(time, retries, 0, id, body)'),
  ),
  fault(
    8,
    'a message that returns to the queue loses its begun mark: embedded store',
    inSqlite,
    at('storage/sqlite-queue.ts', 'staysBegun ? 1 : 0', '0'),
  ),
  fault(
    8,
    'a message that returns to the queue loses its begun mark: Redis',
    redis,
    at('storage/redis-scripts.ts', 'begun * staysBegun', '0'),
  ),
  fault(
    9,
    'the epoch of /forget is read, but not guarded at the commit',
    { tests: ['test/jobs/told-once.test.ts'] },
    at('queue/job.ts', 'await work.guard(epochs, who)', 'await work.get(epochs, who)'),
  ),
  fault(
    9,
    'the epoch of /forget is not checked',
    { tests: ['test/jobs/told-once.test.ts'] },
    at('queue/job.ts', '((await readDocument(deps, epochs, who))?.epoch ?? 0) === epoch', 'true'),
    at('queue/job.ts', '((await work.guard(epochs, who))?.epoch ?? 0) === epoch', 'true'),
  ),
  fault(
    9,
    'a start does not apply the list of forgotten accounts',
    forgotten,
    at('jobs/forgotten.ts', '  await apply()\n  void settle()', '  void apply\n  void settle'),
  ),
  fault(
    9,
    'a forgotten account is recorded in the store only',
    forgotten,
    at('participant/forget.ts', '.add(new Map([[ctx.who, epoch]]))', '.add(new Map())'),
  ),
  fault(
    12,
    'fence of the embedded store not compared',
    inSqlite,
    at('storage/sqlite-queue.ts', 'actor(name)?.fence === fence', 'actor(name) !== undefined'),
  ),
  fault(
    12,
    'version at a commit to the embedded store not compared',
    inSqlite,
    at(
      'storage/sqlite.ts',
      '!expects.every(({ key, version }) => entries.isAt(key, version, now))',
      'expects.length < 0',
    ),
  ),
  fault(
    12,
    'version at a put to the embedded store not compared',
    inSqlite,
    at(
      'storage/sqlite.ts',
      'entries.isAt(write.key, version, now())',
      'true || version === now().toString()',
    ),
  ),
  fault(
    12,
    'revision of an answer not compared',
    { tests: ['test/domain/attempt.test.ts'] },
    at('domain/attempt.ts', 'revision !== attempt.revision', 'false'),
  ),
  fault(
    12,
    'fence of a commit to Redis not compared',
    redis,
    at('storage/redis-scripts.ts', "if redis.call('HGET', FENCE, actor) ~= fence then return 'lost' end", ''),
  ),
  fault(
    12,
    'version at a commit to Redis not compared',
    redis,
    at(
      'storage/redis-scripts.ts',
      "if not isAt(argument(), argument()) then return 'conflict' end",
      'isAt(argument(), argument())',
    ),
  ),
  fault(
    12,
    'version at a put to Redis not compared',
    redis,
    at('storage/redis-scripts.ts', 'if not isAt(key, expected) then return 0 end', ''),
  ),
  fault(
    12,
    'revision of an answer in Redis not compared',
    redis,
    at(
      'storage/redis-attempt-script.ts',
      'question == view and shownRevision == revision and isNew',
      'question == view and isNew',
    ),
  ),
  fault(
    13,
    'a worker renews a lease of the embedded store that it has lost',
    inSqlite,
    at(
      'storage/sqlite.ts',
      'return whileHeld(claim, () => queue.renew(claim, now(), leaseMs))()',
      'return (queue.renew(claim, now(), leaseMs), true)',
    ),
  ),
  fault(
    13,
    'a worker renews a lease of Redis that it has lost',
    redis,
    at('storage/redis-scripts.ts', "if redis.call('HGET', FENCE, actor) ~= fence then return 0 end", ''),
  ),
  fault(
    14,
    'complete answers are kept no longer than incomplete ones',
    { tests: ['test/domain/attempt.test.ts'] },
    at(
      'domain/attempt.ts',
      'Math.max(attempt.retentionSeconds, least)',
      'Math.max(attempt.retentionSeconds, 0 * least)',
    ),
  ),
  fault(
    14,
    'complete answers are kept no longer than incomplete ones: Redis',
    redis,
    at('storage/redis-attempt-script.ts', 'if answered == questions then', 'if answered > questions then'),
  ),
  fault(
    15,
    'a sealed value can be opened under the key of another document',
    { tests: ['test/storage/vault.test.ts'], isSimulated: false },
    at(
      'storage/vault.ts',
      'sealWith(sealKeys(keyring.current), value, key,',
      "sealWith(sealKeys(keyring.current), value, key && '',",
    ),
    at(
      'storage/vault.ts',
      'sealed.subarray(NUMBER_BYTES), key)',
      "sealed.subarray(NUMBER_BYTES), key && '')",
    ),
  ),
  fault(
    15,
    "an attempt can be opened in the place of another record's attempt",
    { tests: ['test/dialogs/foreign-attempt.test.ts'], isSimulated: false },
    at('storage/documents/attempts.ts', "toString('hex'), s]", "toString('hex')]"),
  ),
  fault(
    17,
    'jobs are posted before the documents of their commit are stored',
    { tests: ['test/storage/unit-of-work.test.ts'] },
    at(
      'storage/unit-of-work.ts',
      'commit({ retryBody, ...end }: End = {}) {',
      'async commit({ retryBody, ...end }: End = {}) {\n      for (const post of posts.splice(0)) await store.post(post)',
    ),
  ),
  fault(
    17,
    'jobs are posted after the documents of their commit are stored',
    { tests: ['test/storage/unit-of-work.test.ts'] },
    at(
      'storage/unit-of-work.ts',
      'commit({ retryBody, ...end }: End = {}) {',
      'async commit({ retryBody, ...end }: End = {}) {\n      const later = posts.splice(0)',
    ),
    at(
      'storage/unit-of-work.ts',
      'return store.commit(claim, {',
      'const outcome = await store.commit(claim, {',
    ),
    at(
      'storage/unit-of-work.ts',
      '...(retryBody ? { retryBody: sealBody(vault, claim.actor, retryBody) } : {}),\n      })',
      "...(retryBody ? { retryBody: sealBody(vault, claim.actor, retryBody) } : {}),\n      })\n      if (outcome === 'ok') for (const post of later) await store.post(post)\n      return outcome",
    ),
  ),
  fault(
    18,
    '/forget leaves the draft',
    { tests: ['test/dialogs/forget.test.ts'] },
    at(
      'participant/forget.ts',
      'await removeFile(ctx, file)',
      'await removeFile(ctx, file)\n  work.put(recordFiles, s, file)',
    ),
  ),
  fault(
    18,
    '/forget leaves the conversation of a step',
    { tests: ['test/dialogs/forget.test.ts'] },
    at('dialog/files.ts', '  work.remove(talks, s)\n', ''),
  ),
  fault(
    18,
    '/forget leaves the watch jobs of the account',
    { tests: ['test/dialogs/forget.test.ts'] },
    at(
      'jobs/watch-jobs.ts',
      '  watchJobs.reminder.post(work, who, { onBehalf, since: 0, sent: 0 }, NOW)\n',
      '',
    ),
  ),
  fault(
    18,
    '/forget leaves the watch jobs of a record',
    { tests: ['test/dialogs/forget.test.ts'] },
    at('participant/forget.ts', '  endWatchesOver(work, forgotten, s, now)\n', ''),
  ),
  fault(
    18,
    '/forget leaves the check of a record that waits for the organizer',
    { tests: ['test/dialogs/forget.test.ts'] },
    at(
      'jobs/watch-jobs.ts',
      '  for (const s of opened) endOpening',
      '  for (const s of [...opened].slice(9)) endOpening',
    ),
  ),
  fault(
    18,
    'the participant is notified of an event that comes after /forget',
    { tests: ['test/inbox/chat.test.ts'] },
    at('inbox/chat.ts', "message.type !== 'update' && !(await work.get(accounts, who))", 'false'),
  ),
  fault(
    20,
    'webhook: an update is confirmed before it is stored',
    { tests: ['test/telegram/webhook.test.ts'] },
    at('telegram/webhook.ts', 'await handle(update)', 'void handle(update).catch(onError)'),
  ),
  fault(
    20,
    'polling: an update is confirmed before it is stored',
    { tests: ['test/telegram/poller.test.ts'] },
    at('telegram/poller.ts', "(await takeAll(batch)) === 'taken'", 'void takeAll(batch) === undefined'),
  ),
  fault(
    20,
    'an answer is confirmed before it is stored',
    { tests: ['test/inbox/intake.test.ts'] },
    at('inbox/intake.ts', 'if (taken) return taken\n', 'if (taken) return void taken.catch(() => {})\n'),
  ),
]
