import { at, type Fault, fault } from './fault.ts'

const by = (...names: readonly string[]) => ({
  tests: names.map((name) => `test/organizers/${name}.test.ts`),
  isSimulated: false,
})

/** Faults in the work of organizers: participants' progress, reminders, questions, and who may see what. */
export const faultsOfOrganizers: readonly Fault[] = [
  fault(
    27,
    'a participant who is stuck is listed as still answering',
    by('home'),
    at(
      'domain/record/standing.ts',
      "isUnfinished(file) && file.stuckAt !== undefined ? 'stuck'",
      "isUnfinished(file) && file.stuckAt === 0 ? 'stuck'",
    ),
  ),
  fault(
    27,
    'each press of the button reminds the participant again',
    by('home'),
    at(
      'organizer/nudge.ts',
      "if (before) return { is: 'already'",
      "if (before === null) return { is: 'already'",
    ),
  ),
  fault(
    27,
    'a press reminds a participant who has turned reminders off',
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
    'the button to ask a person is missing at the question for the mobile',
    by('asking'),
    at('views/ask.ts', '{ ...contactButton, ask: ask.text }', 'contactButton'),
  ),
  fault(
    27,
    'the digest is also sent on days without news',
    by('digest'),
    at('jobs/digest.ts', 'hasNews(board, unanswered) ? config.organizers : []', 'config.organizers'),
  ),
  fault(
    27,
    'organizers who may not decide get results and the audit',
    by('others'),
    at(
      'organizer/parts.ts',
      '.filter(({ ctx }) => mayDecide(ctx))',
      '.filter(({ ctx }) => isOrganizer(ctx))',
    ),
  ),
  fault(
    27,
    'flagged validity cards are not listed first',
    by('lists'),
    at(
      'organizer/kept-listings.ts',
      '  ...all.filter(({ file }) => file?.isFlagged),\n  ...all.filter(({ file }) => !file?.isFlagged),\n',
      '  ...all,\n',
    ),
  ),
  fault(
    27,
    'the list of the unfinished members of a group also shows finished ones',
    by('groups'),
    at(
      'organizer/kept-listings.ts',
      'finished === undefined || finished ===',
      'finished !== true || finished ===',
    ),
  ),
]
