import type { Size } from './sizes.ts'

/** A text in the code of the bot, and the text that a planted fault puts in its place. */
type Place = { file: string; find: string; instead: string }
export type Plant = Place & { name: string }

const plant = (name: string, ...places: readonly Place[]): Plant[] =>
  places.map((place) => ({ name, ...place }))

/** Known faults that the simulation has to find; they exist only in the simulation's bundle, never in the bot. */
export const plants: readonly Plant[] = [
  ...plant('fence not compared', {
    file: 'storage/sqlite-queue.ts',
    find: 'actor(name)?.fence === fence',
    instead: 'actor(name) !== undefined',
  }),
  ...plant('dedup off', {
    file: 'storage/sqlite-queue.ts',
    find: '!once && sql.see.run(id, now + SEEN_FOR_MS, now).changes === 0',
    instead: 'false',
  }),
  ...plant('revision ignored', {
    file: 'domain/attempt.ts',
    find: 'revision !== attempt.revision',
    instead: 'false',
  }),
  ...plant('read version not compared', {
    file: 'storage/unit-of-work.ts',
    find: '(written.has(key) || guarded.has(key))',
    instead: 'guarded.has(key)',
  }),
  ...plant('lane swapped', {
    file: 'service/call.ts',
    find: 'budget.acquire(lane, options)',
    instead: "budget.acquire(lane === 'participant' ? 'background' : 'participant', options)",
  }),
  ...plant('owed part forgotten', {
    file: 'jobs/deliver-result.ts',
    find: 'owed.parts.filter((other) => other !== part)',
    instead: '[]',
  }),
  ...plant('keyring not reread', {
    file: 'storage/keyring-guard.ts',
    find: '!isUnknown()',
    instead: 'true',
  }),
  ...plant(
    'epoch not checked',
    {
      file: 'queue/job.ts',
      find: '((await readDocument(deps, epochs, who))?.epoch ?? 0) === epoch',
      instead: 'true',
    },
    {
      file: 'queue/job.ts',
      find: '((await work.guard(epochs, who))?.epoch ?? 0) === epoch',
      instead: 'true',
    },
  ),
  ...plant('409 taken as elsewhere', {
    file: 'jobs/submit-answers.ts',
    find: "sending.isUnclear ? SUBMITTED : { ask: 'whose' }",
    instead: "refusal('elsewhere')",
  }),
  ...plant('mobile not compared', {
    file: 'participant/take-over.ts',
    find: 'known.mobile !== mobile',
    instead: 'false',
  }),
  ...plant('event not tried again', {
    file: 'jobs/announce.ts',
    find: 'retryAt - since > LONGEST_MS',
    instead: 'true',
  }),
  ...plant('event renamed at a retry', {
    file: 'jobs/announce.ts',
    find: 'JSON.stringify(event)',
    instead: 'JSON.stringify(tries > 0 ? { ...event, id: randomUUID() } : event)',
  }),
  ...plant('event behind those that wait', {
    file: 'jobs/announce.ts',
    find: '{ retryAt, retryBody: { ...body, since, tries: tries + 1 } }',
    instead: 'announceJob.post(task.work, task.id, { ...body, since, tries: tries + 1 }, { dueAt: retryAt })',
  }),
  // A retry is dropped if it runs in another process than the first try.
  ...plant(
    'event lost with its process',
    {
      file: 'jobs/announce.ts',
      find: 'backOffMs(BACK_OFF_MS, tries + 1)',
      instead: 'backOffMs(BACK_OFF_MS, tries + Number(Reflect.set(post, event.id, true)))',
    },
    {
      file: 'jobs/announce.ts',
      find: 'url === undefined || secrets === undefined',
      instead: '(body.tries > 0 && !Reflect.has(post, body.event.id)) || !url || !secrets',
    },
  ),
  ...plant(
    'event outlives /forget',
    {
      file: 'participant/forget.ts',
      find: 'own.has(file) || !file.isBegun',
      instead: 'false',
    },
    {
      file: 'jobs/announce.ts',
      find: 'onBehalf && !(await isCurrent(kept, onBehalf))',
      instead: 'false',
    },
  ),
]

/** A world that finds each fault. */
export const knownSeeds: ReadonlyMap<string, { seed: number; size: Size }> = new Map([
  ['fence not compared', { seed: 1, size: 'usual' }],
  ['dedup off', { seed: 1, size: 'small' }],
  ['revision ignored', { seed: 15, size: 'small' }],
  ['read version not compared', { seed: 11, size: 'usual' }],
  ['lane swapped', { seed: 1, size: 'small' }],
  ['owed part forgotten', { seed: 1, size: 'small' }],
  ['keyring not reread', { seed: 4, size: 'usual' }],
  ['epoch not checked', { seed: 2, size: 'hasty' }],
  ['409 taken as elsewhere', { seed: 14, size: 'usual' }],
  ['mobile not compared', { seed: 151, size: 'hasty' }],
  ['event not tried again', { seed: 1, size: 'usual' }],
  ['event renamed at a retry', { seed: 1, size: 'usual' }],
  ['event behind those that wait', { seed: 1, size: 'usual' }],
  ['event outlives /forget', { seed: 72, size: 'usual' }],
  ['event lost with its process', { seed: 6, size: 'usual' }],
])
