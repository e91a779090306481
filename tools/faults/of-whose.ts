import { at, type Fault, fault } from './fault.ts'

const release = ['test/organizers/release.test.ts']
const attempt = ['test/dialog/attempt-owner.test.ts']

/** Faults in the ownership of a test: the assignee, the attempt's owner, the person at the service. */
export const faultsOfWhose: readonly Fault[] = [
  fault(
    1,
    "a release changes the attempt's owner before its commit",
    { tests: attempt },
    at(
      'dialog/attempt.ts',
      'work.putBytes(attemptKey(s), encodeAttempt(passed), attemptKeptUntil(attempt, now))',
      `const expiresAt = attemptKeptUntil(attempt, now)
  await deps.store.put({ key: attemptKey(s), value: encodeAttempt(passed), expiresAt }, entry.version)`,
    ),
  ),
  fault(
    1,
    'a release ignores an answer that comes before its commit',
    { tests: attempt },
    at(
      'dialog/attempt.ts',
      'const entry = await work.readBytes(attemptKey(s))',
      'const [entry] = await deps.store.read([attemptKey(s)])',
    ),
  ),
  // Worlds do not reach this: the record's version and the check of who may begin prevent it as well.
  fault(
    2,
    'a new attempt overwrites an existing one',
    { tests: attempt, isSimulated: false },
    at('dialog/attempt.ts', 'await ctx.work.readBytes(attemptKey(s))) return', 'false) return'),
  ),
  fault(
    2,
    'an attempt that is being released is begun again',
    { tests: attempt },
    at('dialog/attempt.ts', 'await ctx.work.readBytes(attemptKey(s))) return', 'false) return'),
    at(
      'dialog/attempt.ts',
      'work.putBytes(attemptKey(s), encodeAttempt(passed), attemptKeptUntil(attempt, now))',
      `const expiresAt = attemptKeptUntil(attempt, now)
  await deps.store.put({ key: attemptKey(s), value: encodeAttempt(passed), expiresAt }, entry.version)`,
    ),
    at('participant/place.ts', "if (became === 'of another') return attemptOfAnother(ctx, file)", ''),
  ),
  fault(
    3,
    'a 409 at submission always counts as our own submission',
    { tests: ['test/jobs/submission-steps.test.ts'] },
    at('jobs/submit-answers.ts', "sending.isUnclear ? SUBMITTED : { ask: 'whose' }", 'SUBMITTED'),
  ),
  fault(
    3,
    'a record that is finished at the service always counts as our own submission',
    { tests: ['test/jobs/submission-steps.test.ts'] },
    at('jobs/submit-answers.ts', 'sending.hasForgotten ? PERHAPS_SUBMITTED : ELSEWHERE', 'SUBMITTED'),
  ),
  fault(
    4,
    'an existing profile counts as our own, whatever its details',
    { tests: ['test/dialogs/elsewhere.test.ts'] },
    at('jobs/check-profiles.ts', '!typed || isSamePerson(typed, profile) ?', 'true ?'),
  ),
  fault(
    4,
    'existing profiles of a roadmap count as our own, whatever their details',
    { tests: ['test/roadmaps/elsewhere.test.ts'] },
    at('jobs/check-profiles.ts', '!isSamePerson({ ...profile, mobile: typed.mobile }, known)', 'false'),
  ),
  fault(
    4,
    'a 409 at auth is not checked',
    { tests: ['test/dialogs/elsewhere.test.ts'] },
    at(
      'jobs/make-call.ts',
      "error.code === 'belongs_to_roadmap' || error.code === 'draft_expired' || error.status === 409",
      "error.code === 'draft_expired'",
    ),
  ),
  fault(
    5,
    'a board does not know that one of its tests was begun by its own link',
    { tests: ['test/roadmaps/claims.test.ts'] },
    at('participant/roadmap-records.ts', '!kept && (await adopt(ctx, file, record))', 'false'),
  ),
  fault(
    10,
    'a release is allowed while a profile call is under way',
    { tests: release },
    at('organizer/release.ts', "isUnderWay && !isKept ? 'release-busy' : undefined", 'undefined'),
  ),
  fault(
    16,
    'beginning a test does not use up its invitation',
    { tests: ['test/organizers/invitations.test.ts'] },
    at('jobs/invite.ts', '!each.role', 'false'),
  ),
  fault(
    21,
    'a part of a result is sent to a chat that may no longer have it',
    { tests: ['test/jobs/deliver-result.test.ts'] },
    at(
      'jobs/deliver-result.ts',
      'owed.parts.filter(({ chatId }) => chats.includes(chatId))',
      '[...owed.parts]',
    ),
  ),
  fault(
    21,
    'organizers get a result that is for the participant only',
    {
      tests: ['test/dialogs/delivery.test.ts'],
    },
    at('jobs/recipients.ts', "resultTo !== 'participant' || asking.includes(organizer)", 'true'),
  ),
  fault(
    21,
    'the participant gets a result that is for organizers only',
    {
      tests: ['test/dialogs/delivery.test.ts'],
    },
    at('jobs/recipients.ts', "resultTo === 'organizer' ? [] : participants", 'participants'),
  ),
  fault(
    21,
    'an account that types a wrong mobile takes the test over',
    { tests: release },
    at('participant/take-over.ts', 'known.mobile !== mobile', 'false'),
  ),
  fault(
    23,
    'an account that takes a test over begins at its first question',
    { tests: release },
    at(
      'participant/take-over.ts',
      'await takeAttempt(ctx, s)',
      "ctx.work.putBytes('s:'.concat(s), null)\n  void takeAttempt",
    ),
  ),
  fault(
    23,
    'going back to a question drops the answers after it',
    { tests: ['test/domain/attempt.test.ts'] },
    at(
      'domain/attempt.ts',
      'return { ...attempt, view: move.question, shownAt: at, revision: revision + 1 }',
      `const kept = { firsts: attempt.firsts.subarray(0, move.question), answered: move.question }
      return { ...attempt, ...kept, view: move.question, shownAt: at, revision: revision + 1 }`,
    ),
  ),
  fault(
    23,
    'a test that is resumed after a pause begins at its first question',
    { tests: ['test/dialogs/questions.test.ts'] },
    at(
      'domain/attempt.ts',
      "state: 'open',\n        pauses: pausesAt(attempt, at),",
      "state: 'open',\n        view: 0,\n        answered: 0,\n        firsts: Buffer.alloc(0),\n        pauses: pausesAt(attempt, at),",
    ),
  ),
  fault(
    5,
    'a minor can answer for the guardian',
    { tests: ['test/dialogs/guardian-link.test.ts'], isSimulated: false },
    at('participant/guardian-asked.ts', 'if (minor.who === ctx.who)', "if (minor.who === '')"),
  ),
  fault(
    5,
    'a link for a guardian can be answered twice',
    { tests: ['test/dialogs/guardian-link.test.ts'], isSimulated: false },
    at('participant/guardian-asked.ts', "link.over = 'used'", 'void link'),
  ),
]
