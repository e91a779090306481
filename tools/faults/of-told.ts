import { at, type Fault, fault } from './fault.ts'

const budget = ['test/service/embedded-budget.test.ts', 'test/service/redis-budget.test.ts']
const typed = ['test/dialogs/typed-for-screen.test.ts', 'test/dialogs/two-questionnaires.test.ts']

/** Faults in questions, messages, notices, calls and counts, and code that must not compile. */
export const faultsOfTold: readonly Fault[] = [
  fault(
    6,
    'a part of a result counts as sent after an unclear failure',
    { tests: ['test/jobs/outbox.test.ts'] },
    at(
      'jobs/outbox.ts',
      '!(err instanceof GrammyError) || err.error_code !== 400',
      'err instanceof GrammyError && err.error_code !== 400',
    ),
  ),
  fault(
    11,
    "a question is dated by this process's clock",
    { tests: ['test/telegram/sender.test.ts'] },
    at(
      'telegram/sender.ts',
      'date: edit_date ?? date,',
      'date: Math.floor(Date.now() / 1_000) + 0 * (edit_date ?? date),',
    ),
  ),
  fault(
    11,
    'a typed number counts for the test in focus, even if another question was shown last',
    { tests: typed },
    at(
      'participant/meant-question.ts',
      'const one = newest ?? guess()',
      'const one = newest && guess() ? last : last',
    ),
    at(
      'participant/meant-question.ts',
      'rivals: rest(one).map(({ showing }) => showing) }',
      'rivals: rest(one).slice(9).map(({ showing }) => showing) }',
    ),
  ),
  // With this fault the bot asks the participant to confirm the number, so no answer is shifted.
  fault(
    11,
    'a number that was typed before the question was shown counts',
    { tests: typed, isSimulated: false },
    at('participant/typed-answer.ts', "if (sight === 'no') return tooEarly\n", '\n'),
  ),
  fault(
    11,
    'a typed number counts although it is unclear which question it is for',
    { tests: ['test/dialogs/questions.test.ts'] },
    at('participant/typed-answer.ts', "if (sight === 'yes' && isSure)", "if (sight !== 'no')"),
  ),
  fault(
    11,
    'a tap counts for the shown question instead of the question of its button',
    { tests: ['test/domain/attempt.test.ts'] },
    at('domain/attempt.ts', 'question !== attempt.view || revision !== attempt.revision', 'question < 0'),
    at(
      'domain/attempt.ts',
      'keptAnswer(attempt, move)',
      'keptAnswer(attempt, { ...move, question: attempt.view })',
    ),
  ),
  fault(
    19,
    'answers are locked although they differ from the reviewed ones or their seal is broken',
    { tests: ['test/dialogs/foreign-attempt.test.ts'] },
    at('participant/questionnaire.ts', '!(isAsShown && isSealed)', '!(isAsShown || isSealed || true)'),
  ),
  // Worlds do not reach this: two moves, back and an answer, would have to happen within one call to the store.
  fault(
    19,
    'answers that changed after they were read are locked',
    { tests: ['test/dialog/attempt.test.ts'], isSimulated: false },
    at(
      'dialog/attempt.ts',
      'isOpenAt(attempt, shown.revision) && attempt.mac.equals(shown.mac)',
      "attempt.state !== 'locked'",
    ),
  ),
  fault(
    19,
    'answers are submitted without their changes',
    { tests: ['test/dialogs/review.test.ts'] },
    at(
      'jobs/submit-answers.ts',
      'vault.attemptCipher.decryptAnswers(attempt)',
      'vault.attemptCipher.decryptAnswers({ ...attempt, changes: [] })',
    ),
  ),
  fault(
    19,
    'answers whose seal does not match are submitted',
    {
      tests: ['test/dialogs/foreign-attempt.test.ts'],
      isSimulated: false,
    },
    at('jobs/submit-answers.ts', "if (proof !== 'sound') return 'damaged'", ''),
  ),
  fault(
    22,
    'an auth call that may have reached the service is repeated',
    { tests: ['test/jobs/call-table.test.ts'] },
    at('jobs/make-call.ts', 'mayHaveHappened && look', 'mayHaveHappened && look && false'),
  ),
  fault(
    22,
    'a non-idempotent call that may have reached the service is repeated',
    { tests: ['test/service/retry.test.ts'] },
    at(
      'service/call.ts',
      "last.reached === 'unclear' && endpoints[name].idempotent",
      "last.reached === 'unclear'",
    ),
  ),
  fault(
    22,
    'active time is counted twice',
    { tests: ['test/domain/attempt.test.ts'] },
    at('domain/attempt.ts', 'Math.min(attempt.activeMs + gap,', 'Math.min(attempt.activeMs + 2 * gap,'),
  ),
  fault(
    22,
    'active time is counted twice: Redis',
    { tests: ['test/storage/redis.test.ts'], isSimulated: false },
    at(
      'storage/redis-attempt-script.ts',
      'math.min(activeMs + gap, 4294967295)',
      'math.min(activeMs + 2 * gap, 4294967295)',
    ),
  ),
  fault(
    22,
    'a notice of a finished test is sent twice',
    { tests: ['test/organizers/notices.test.ts'] },
    at(
      'jobs/send-notices.ts',
      'sentOf(box, next[0].kind).push(now())\n',
      'sentOf(box, next[0].kind).push(now())\n    await send(t, sender, chatId, next)\n',
    ),
  ),
  fault(
    22,
    'a notice about the same cause is sent again within an hour',
    { tests: ['test/jobs/told-once.test.ts'], isSimulated: false },
    at('jobs/notices.ts', 'now() - told.at < HOUR_MS', 'now() < told.at'),
  ),
  fault(
    22,
    'the notices for an organizer who cannot be reached are lost',
    { tests: ['test/organizers/notices.test.ts'], isSimulated: false },
    at('jobs/send-notices.ts', 'box.waiting = box.waiting.slice(-MOST_KEPT)', 'box.waiting = []'),
  ),
  fault(
    22,
    'a notice of a finished test is never sent',
    { tests: ['test/organizers/notices.test.ts'] },
    at(
      'participant/work-events.ts',
      'if (uncertain === undefined) await notifyFinished(ctx, file)\n',
      'if (uncertain === undefined) void notifyFinished\n',
    ),
  ),
  fault(
    22,
    'an event is sent twice',
    { tests: ['test/organizers/events.test.ts'] },
    at(
      'participant/work-events.ts',
      "announce(deps, ctx.work, file, 'submitted', ctx.who)",
      "announce(deps, ctx.work, file, 'submitted', ctx.who)\n    announce(deps, ctx.work, file, 'submitted', ctx.who)",
    ),
  ),
  fault(
    22,
    'an event that was not accepted is given up',
    { tests: ['test/organizers/events.test.ts'] },
    at(
      'jobs/announce.ts',
      'if (await post(url, secrets, JSON.stringify(event))) return undefined',
      'if (await post(url, secrets, JSON.stringify(event)).then(() => true)) return undefined',
    ),
  ),
  fault(
    24,
    'a call frees its slot in the budget as soon as it ends',
    { tests: budget },
    at('service/budget-rules.ts', 'value.ended[replica] = ended\n', 'value.ended[replica] = []\n'),
  ),
  fault(
    24,
    'the waiting calls of a dead replica stay in line',
    { tests: budget },
    at('service/budget-rules.ts', ': !(replicaOf(id) in value.replicas)\n', ': false\n'),
  ),
  fault(
    25,
    'a stage without a handler',
    { tests: ['types'], isSimulated: false },
    at(
      'domain/record/record.ts',
      "  stage('loading', {}),\n",
      "  stage('loading', {}),\n  stage('reading', {}),\n",
    ),
  ),
  fault(
    25,
    'an event without a handler',
    { tests: ['types'], isSimulated: false },
    at(
      'queue/chat-message.ts',
      "  event('lines', {}),\n",
      "  event('lines', {}),\n  event('unheard', {}),\n",
    ),
  ),
  fault(
    25,
    'a call without a handler for its outcome',
    { tests: ['types'], isSimulated: false },
    at(
      'jobs/call-table.ts',
      "  openRoadmap: defineCall('openRoadmap', {",
      "  unheard: defineCall('unheard', {\n    request: request('unheard', {}),\n    value: recordSchema,\n    make: (service, { token }, how) => service.record(token, how),\n  }),\n  openRoadmap: defineCall('openRoadmap', {",
    ),
  ),
  fault(
    26,
    'the text of the consent changes, but its version does not',
    { tests: ['test/texts/consent-version.test.ts'], isSimulated: false },
    {
      file: 'tools/texts/consent-version.ts',
      find: 'JSON.stringify(words)',
      instead: 'String(words.length)',
    },
  ),
  fault(
    9,
    'waiting events are kept after /forget',
    { tests: ['test/organizers/events.test.ts'], isSimulated: false },
    at('participant/forget.ts', 'endAnnouncements(work, file)', 'void endAnnouncements'),
  ),
  fault(
    9,
    'an event that is being posted is posted again after /forget',
    { tests: ['test/organizers/events.test.ts'], isSimulated: false },
    at('jobs/announce.ts', 'if (onBehalf && !(await isCurrent(kept, onBehalf))) return undefined\n', '\n'),
  ),
]
