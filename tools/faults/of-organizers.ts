import { at, type Fault, fault } from './fault.ts'

const by = (...names: readonly string[]) => ({
  tests: names.map((name) => `test/organizers/${name}.test.ts`),
  isSimulated: false,
})

/** Faults in the day of an organizer: who is where, who is reminded, who is asked and answers, who may see what. */
export const faultsOfOrganizers: readonly Fault[] = [
  fault(
    27,
    'who is stuck stays among those who answer',
    by('home'),
    at(
      'domain/record/standing.ts',
      "isUnfinished(file) && file.stuckAt !== undefined ? 'stuck'",
      "isUnfinished(file) && file.stuckAt === 0 ? 'stuck'",
    ),
  ),
  fault(
    27,
    'somebody is reminded again with each press',
    by('home'),
    at(
      'organizer/nudge.ts',
      "if (before) return { is: 'already'",
      "if (before === null) return { is: 'already'",
    ),
  ),
  fault(
    27,
    'who wants no reminders is reminded by a press',
    by('home'),
    at(
      'organizer/nudge.ts',
      'if (account.noReminders) without',
      'if (account.noReminders === undefined) without',
    ),
  ),
  fault(
    27,
    'a question outlives /forget',
    by('questions'),
    at('dialog/ask.ts', 'work.remove(askedQuestions, id)', 'void askedQuestions'),
  ),
  fault(
    27,
    'the way to a person is missing at the mobile',
    by('asking'),
    at('views/ask.ts', '{ ...contactButton, ask: ask.text }', 'contactButton'),
  ),
  fault(
    27,
    'the digest comes on days without news, too',
    by('digest'),
    at('jobs/digest.ts', 'hasNews(board, unanswered) ? config.organizers : []', 'config.organizers'),
  ),
  fault(
    27,
    'the desk gets results and the audit',
    by('others'),
    at(
      'organizer/organizer.ts',
      '.filter(({ ctx }) => mayDecide(ctx))',
      '.filter(({ ctx }) => isOrganizer(ctx))',
    ),
  ),
  fault(
    27,
    'a validity card that needs a look stands where it comes in a list',
    by('lists'),
    at(
      'organizer/kept-listings.ts',
      '  ...all.filter(({ file }) => file?.isFlagged),\n  ...all.filter(({ file }) => !file?.isFlagged),\n',
      '  ...all,\n',
    ),
  ),
  fault(
    27,
    'in the list of a group who has finished counts as who has not',
    by('groups'),
    at(
      'organizer/kept-listings.ts',
      'finished === undefined || finished ===',
      'finished !== true || finished ===',
    ),
  ),
]
