import { describe, expect, test } from 'vitest'
import { newDraft } from '../../src/domain/profile.ts'
import { questionsOf, type RecordFile, type RecordStage } from '../../src/domain/record/record.ts'
import * as events from '../../src/domain/record/transitions.ts'
import {
  type FileKind,
  fileIn,
  limits,
  NOW,
  part,
  questions,
  type Shape,
  shapeOf,
  shapes,
  sms,
  states,
} from './record-states.ts'

const { move, ...transitions } = events

/** The states in which a transition happens, each with the state it leads to. */
type Ways = { [From in Shape]?: Shape | undefined }

/** All states of these stages lead to the same one. */
function all(stages: readonly RecordStage[], to: Shape): Ways {
  return Object.fromEntries(
    shapes.filter((shape) => stages.includes(states[shape].stage)).map((shape) => [shape, to]),
  )
}
/** The same for the states with complete answers. */
function allAnswered(stages: readonly RecordStage[], to: Shape): Ways {
  return Object.fromEntries(Object.entries(all(stages, to)).filter(([shape]) => shape.includes('answered')))
}
/** All states of these stages stay as they are. */
function stay(...stages: RecordStage[]): Ways {
  return Object.fromEntries(
    shapes.filter((shape) => stages.includes(states[shape].stage)).map((shape) => [shape, shape]),
  )
}

function when<A extends readonly unknown[]>(
  what: string,
  transition: events.Transition<A>,
  args: A,
  of: FileKind,
  ways: Ways,
) {
  const name = Object.entries(transitions).find(([, each]) => each === (transition as unknown))?.[0] ?? ''
  return {
    what,
    name,
    of,
    ways,
    next: (file: RecordFile) => transition(file, ...args),
    moves: (file: RecordFile) => move(file, transition, ...args),
  }
}

const seen = { isFinished: false, status: 2, needsProfile: false }
const beforeBoard = ['new', 'waiting', 'intro', 'profile', 'code', 'loading', 'board', 'elsewhere'] as const
const lookedAt = [...beforeBoard, 'generating', 'failed'] as const
/** A record that others have registered stays so until its profile is missing again. */
const staysOthers: Ways = { 'elsewhere: isOthers': 'elsewhere: isOthers' }
const ofRoadmap = [
  'new',
  'waiting',
  'profile',
  'given',
  'loading',
  'questions',
  'submitting',
  'refused',
] as const

const table = [
  when('the organizer has to act first', transitions.seen, [{ ...seen, status: 0 }], 'a record', {
    ...all(lookedAt, 'waiting'),
    ...staysOthers,
    ...all(['profile', 'code'], 'waiting: draft'),
    ...stay('waiting'),
    ...allAnswered(['profile', 'code'], 'waiting: draft answered'),
  }),
  when('nobody has begun it', transitions.seen, [seen], 'a record that nobody has begun', {
    ...all(lookedAt, 'intro'),
    ...staysOthers,
  }),
  when('nobody has begun it', transitions.seen, [seen], 'a roadmap that nobody has begun', {
    ...all(lookedAt, 'intro'),
    ...staysOthers,
  }),
  when(
    'nobody has begun it, and a profile is needed',
    transitions.seen,
    [{ ...seen, needsProfile: true }],
    'a record that nobody has begun',
    all(lookedAt, 'intro: needsProfile'),
  ),
  when('a profile is needed', transitions.seen, [{ ...seen, needsProfile: true }], 'a record', {
    ...all(lookedAt, 'profile: draft'),
    ...allAnswered(['waiting', 'profile', 'code'], 'profile: draft answered'),
  }),
  when('a profile is needed', transitions.seen, [{ ...seen, needsProfile: true }], 'a roadmap', {
    ...all(lookedAt, 'profile: draft'),
    ...allAnswered(['waiting', 'profile', 'code'], 'profile: draft answered'),
  }),
  when('the profile is there', transitions.seen, [seen], 'a record', {
    ...all(lookedAt, 'loading'),
    ...staysOthers,
    ...allAnswered(['waiting', 'profile', 'code'], 'submitting: questions'),
  }),
  when('the profile is there', transitions.seen, [seen], 'a roadmap', {
    ...all(beforeBoard, 'board'),
    ...staysOthers,
    ...stay('generating', 'failed'),
  }),
  when('it is finished', transitions.seen, [{ ...seen, isFinished: true }], 'a record', {
    ...all(lookedAt, 'elsewhere'),
    ...staysOthers,
    // Complete answers are never given up.
    ...allAnswered(['waiting', 'profile', 'code'], 'submitting: questions'),
  }),
  when('it is finished', transitions.seen, [{ ...seen, isFinished: true }], 'a roadmap', {
    ...all(lookedAt, 'elsewhere'),
    ...staysOthers,
  }),
  when(
    'it is finished, and may have been answered here',
    transitions.seen,
    [{ ...seen, isFinished: true }],
    'a roadmap with its board open',
    { ...all(lookedAt, 'scored'), ...staysOthers },
  ),

  when('its roles are invited one by one', transitions.rolesOpened, [], 'a roadmap', {
    ...all(['new', 'waiting', 'intro'], 'board'),
    'waiting: draft answered': undefined,
    'waiting: draft answered waits': undefined,
  }),
  when('its roles are invited one by one', transitions.rolesOpened, [], 'a record that nobody has begun', {}),
  when('somebody waits for the organizer', transitions.waitNoted, [{ since: NOW }], 'a record', {
    waiting: 'waiting: waits',
    'waiting: draft': 'waiting: draft waits',
    'waiting: draft answered': 'waiting: draft answered waits',
  }),
  when('consent is given', transitions.consented, [], 'a record', {
    intro: 'loading',
    'intro: needsProfile': 'profile: draft',
  }),
  when('consent is given', transitions.consented, [], 'a roadmap', {
    intro: 'board',
    'intro: needsProfile': 'profile: draft',
  }),
  when(
    'the profile waits for its code',
    transitions.codeSent,
    [{ ...sms, draftToken: 'draft-2' }],
    'a record',
    {
      ...all(['profile', 'code'], 'code: draft sms'),
      ...allAnswered(['profile', 'code'], 'code: draft sms answered'),
    },
  ),
  when('a code is typed', transitions.codeTyped, ['4321'], 'a record', {
    'code: draft sms': 'code: draft sms(code)',
    'code: draft sms answered': 'code: draft sms(code) answered',
    'code: draft sms(code)': 'code: draft sms(code)',
    'code: draft sms(code) answered': 'code: draft sms(code) answered',
    'code: draft sms(wrong)': 'code: draft sms(code wrong)',
    'code: draft sms(wrong) answered': 'code: draft sms(code wrong) answered',
    'code: draft sms(code wrong)': 'code: draft sms(code wrong)',
    'code: draft sms(code wrong) answered': 'code: draft sms(code wrong) answered',
  }),
  when('the code is wrong', transitions.codeRefused, [], 'a record', {
    'code: draft sms': 'code: draft sms(wrong)',
    'code: draft sms answered': 'code: draft sms(wrong) answered',
    'code: draft sms(code)': 'code: draft sms(wrong)',
    'code: draft sms(code) answered': 'code: draft sms(wrong) answered',
    'code: draft sms(wrong)': 'code: draft sms(wrong)',
    'code: draft sms(wrong) answered': 'code: draft sms(wrong) answered',
    // The fifth wrong code.
    'code: draft sms(code wrong)': 'code: draft sms(spent)',
    'code: draft sms(code wrong) answered': 'code: draft sms(wrong) answered',
    'code: draft sms(spent)': 'code: draft sms(spent)',
  }),
  when('the draft at the service is over', transitions.codeExpired, [NOW], 'a record', {
    'code: draft sms': 'code: draft sms',
    'code: draft sms answered': 'code: draft sms answered',
    'code: draft sms(code)': 'code: draft sms',
    'code: draft sms(code) answered': 'code: draft sms answered',
    'code: draft sms(wrong)': 'code: draft sms(wrong)',
    'code: draft sms(wrong) answered': 'code: draft sms(wrong) answered',
    'code: draft sms(code wrong)': 'code: draft sms(wrong)',
    'code: draft sms(code wrong) answered': 'code: draft sms(wrong) answered',
    'code: draft sms(spent)': 'code: draft sms(spent)',
  }),
  when('the details are asked for again', transitions.profileReopened, [], 'a record', {
    ...all(['profile', 'code'], 'profile: draft'),
    ...allAnswered(['profile', 'code'], 'profile: draft answered'),
  }),
  when('the profile was not sent, the code still holds', transitions.profileNotSent, [NOW], 'a record', {
    ...stay('profile', 'code'),
    'code: draft sms(spent)': 'profile: draft',
  }),
  when(
    'the profile was not sent, the code does not hold any more',
    transitions.profileNotSent,
    [sms.expiresAt],
    'a record',
    {
      ...all(['profile', 'code'], 'profile: draft'),
      ...allAnswered(['profile', 'code'], 'profile: draft answered'),
    },
  ),
  when('the profile exists', transitions.profileMade, [], 'a record', {
    ...all(['profile', 'code'], 'loading'),
    ...allAnswered(['profile', 'code'], 'submitting: questions'),
  }),
  when('the profiles exist', transitions.profileMade, [], 'a roadmap', {
    ...all(['profile', 'code'], 'board'),
  }),

  when('the questions are asked for', transitions.questionsAsked, [], 'a record', {
    new: 'loading',
    waiting: 'loading',
    'waiting: waits': 'loading',
    'waiting: draft waits': 'loading',
    'waiting: draft': 'loading',
    loading: 'loading',
    'questions: questions': 'loading',
  }),
  when('the questions have come', transitions.questionsLoaded, [questions], 'a record', {
    ...all(['loading'], 'questions: questions'),
  }),
  when('the answers are sent', transitions.answersSent, [], 'a record', {
    'questions: questions': 'submitting: questions',
  }),
  when('the answers are accepted', transitions.answersAccepted, [], 'a record', {
    ...all(['submitting', 'refused'], 'scored: questions'),
  }),
  when('the answers are accepted', transitions.answersAccepted, [], 'a test of a roadmap', {
    ...all(['submitting', 'refused'], 'done'),
  }),
  when('the answers are refused', transitions.answersRefused, [], 'a record', {
    'submitting: questions': 'refused: questions',
  }),
  when('an attempt may have been accepted', transitions.submissionNoted, [], 'a record', {
    ...stay('submitting', 'refused'),
  }),
  when('the service has other answers', transitions.answeredElsewhere, [], 'a record', {
    ...all(['submitting', 'refused'], 'elsewhere'),
  }),
  when('the service has other answers', transitions.answeredElsewhere, [], 'a test of a roadmap', {
    ...all(['submitting', 'refused'], 'done'),
  }),
  when('others have registered it', transitions.registeredAsOthers, [], 'a record', {
    ...all(['waiting', 'profile', 'code'], 'elsewhere: isOthers'),
  }),
  when('the profile is gone', transitions.profileMissed, [], 'a record', {
    ...all(['submitting'], 'profile: draft answered'),
  }),
  when('the answers are not as they were sent', transitions.answersUnlocked, [], 'a record', {
    ...all(['submitting'], 'questions: questions'),
  }),
  when('refused answers are sent again', transitions.answersSentAgain, [], 'a record', {
    ...all(['refused'], 'submitting: questions'),
  }),
  when('the work has ended without an outcome', transitions.stalled, [], 'a record', {
    'submitting: questions': 'refused: questions isOurs',
    ...all(['generating'], 'failed: reasons'),
  }),
  when('it was finished elsewhere', transitions.finishedElsewhere, [], 'a record', {
    ...all(['profile', 'code'], 'elsewhere'),
    // Complete answers are never given up.
    ...allAnswered(['profile', 'code'], 'submitting: questions'),
  }),
  when('it was finished elsewhere', transitions.finishedElsewhere, [], 'a roadmap', {
    ...all(['profile', 'code'], 'elsewhere'),
  }),
  when('it is part of a roadmap', transitions.finishedElsewhere, [{ ofRoadmap: true }], 'a record', {
    ...all(['profile', 'code'], 'elsewhere: ofRoadmap'),
  }),
  when('everybody has the result', transitions.delivered, [{ isOwed: false }], 'a record', {
    ...all(['scored'], 'done'),
    'done: isOwed': 'done',
  }),
  when('somebody else is still owed it', transitions.delivered, [{ isOwed: true }], 'a record', {
    ...all(['scored'], 'done: isOwed'),
    'done: isOwed': 'done: isOwed',
  }),

  when('details are asked of a role', transitions.detailsAsked, [{ limits }], 'a test of a roadmap', {
    new: 'profile: draft',
  }),
  when('details are asked of a role', transitions.detailsAsked, [{ limits }], 'a record', {}),
  when('a role has given its details', transitions.detailsGiven, [], 'a test of a roadmap', {
    'profile: draft': 'given: draft',
  }),
  when('a role has given its details', transitions.detailsGiven, [], 'a record', {}),
  when('it is finished at the service', transitions.recordFinished, [], 'a test of a roadmap', {
    ...all(ofRoadmap, 'done'),
  }),
  when('it is finished at the service', transitions.recordFinished, [], 'a record', {}),
  when('it can be begun again', transitions.recordPutBack, [], 'a test of a roadmap', {
    ...all([...ofRoadmap, 'done'], 'new'),
  }),
  when('it can be begun again', transitions.recordPutBack, [], 'a record', {}),

  when('the analysis is asked for', transitions.generationAsked, [], 'a roadmap', {
    board: 'generating',
    'failed: reasons': 'generating',
  }),
  when('the analysis is under way', transitions.generationBegun, ['10-15'], 'a roadmap', {
    ...all(['generating'], 'generating: expectedMinutes'),
  }),
  when('the analysis is under way', transitions.generationBegun, [undefined], 'a roadmap', {
    ...stay('generating'),
  }),
  when('the analysis does not begin', transitions.generationRefused, [], 'a roadmap', {
    ...all(['generating'], 'board'),
  }),
  when('the analysis has failed', transitions.generationFailed, [['too short']], 'a roadmap', {
    ...all(['generating'], 'failed: reasons'),
  }),
  when('the report is there', transitions.generated, [], 'a roadmap', {
    ...all(['waiting', 'board', 'generating', 'failed'], 'scored'),
  }),
]

test('every state is named by its fields', () => {
  for (const shape of shapes) expect(shapeOf(states[shape])).toBe(shape)
})

test('every transition is in the table', () => {
  expect(new Set(table.map(({ name }) => name))).toEqual(new Set(Object.keys(transitions)))
})

describe.each(table)('$name: $what, $of', ({ of, ways, next, moves }) => {
  test('leads from each state to the expected one, and happens nowhere else', () => {
    const found = shapes.map((shape) => [shape, shapeOf(next(fileIn(of, shape)))])
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(shapes.map((shape) => [shape, ways[shape] ?? 'not here'])),
    )
  })

  test('changes only the state, and only where it happens', () => {
    for (const shape of shapes) {
      const [before, file] = [fileIn(of, shape), fileIn(of, shape)]
      const state = next(file)
      expect(file).toEqual(before)
      expect(moves(file)).toBe(ways[shape] !== undefined)
      expect(file).toEqual({ ...before, state: state ?? before.state })
    }
  })

  test('keeps the draft as it was', () => {
    for (const shape of shapes) {
      const file = fileIn(of, shape)
      const state = next(file)
      if (state && 'draft' in state && 'draft' in file.state) expect(state.draft).toEqual(file.state.draft)
    }
  })
})

/**
 * Where the questions of complete answers may be dropped: the answers are accepted, worth nothing any more,
 * or of a test that is begun again.
 */
const mayLeave: { [name: string]: readonly RecordStage[] } = {
  answersAccepted: ['done'],
  // The attempt stays until its term is over.
  answeredElsewhere: ['done', 'elsewhere'],
  registeredAsOthers: ['elsewhere'],
  // The questions stay, with a mark.
  submissionNoted: ['submitting', 'refused'],
  delivered: ['done'],
  finishedElsewhere: ['elsewhere'],
  recordFinished: ['done'],
  recordPutBack: ['new'],
  // A roadmap itself has no answers.
  profileMade: ['board'],
  rolesOpened: ['board'],
  generated: ['scored'],
  // The attempt itself names the questions that its participant saw.
  questionsAsked: ['loading'],
  // A roadmap, or a file that no account has begun, has no answers.
  seen: ['intro', 'board', 'scored', 'elsewhere'],
}

describe.each(table)('$name: $what, $of', ({ name, of, next }) => {
  test('drops no answers', () => {
    for (const shape of shapes) {
      const file = fileIn(of, shape)
      const kept = questionsOf(file)
      const state = next(file)
      if (!kept || !state || mayLeave[name]?.includes(state.stage)) continue
      expect([shape, questionsOf({ ...file, state })]).toEqual([shape, kept])
    }
  })
})

test('a noted submission stays noted through all later transitions', () => {
  const file = fileIn('a record', 'submitting: questions')
  const known = () => questionsOf(file)?.isAttempted
  expect(known()).toBeUndefined()
  move(file, transitions.submissionNoted)
  const way = [
    () => move(file, transitions.answersRefused),
    () => move(file, transitions.answersSentAgain),
    () => move(file, transitions.profileMissed),
    () => move(file, transitions.seen, { ...seen, status: 0 }),
    () => move(file, transitions.seen, seen),
    () => move(file, transitions.stalled),
  ]
  for (const step of way) expect([step(), known()]).toEqual([true, true])
})

test('only the roles without a profile are asked for, and stay in the draft', () => {
  const file = fileIn('a roadmap', 'intro: needsProfile')
  const roles = [1, 2].map((id) => ({ id, title: `Role ${id}`, limits }))
  file.roadmap = { ...part, roles }
  const asked = () => 'draft' in file.state && file.state.draft?.people.map(({ role }) => role?.id)
  move(file, transitions.consented)
  expect(asked()).toEqual([1, 2])
  file.roadmap.roles = roles.map((role) => ({
    ...role,
    ...(role.id === 2 && { isRegistered: true as const }),
  }))
  move(file, transitions.seen, { ...seen, needsProfile: true })
  expect(asked()).toEqual([1])
  file.state = { stage: 'intro', needsProfile: true }
  move(file, transitions.consented)
  expect(asked()).toEqual([1])
})

test('a move clears the marks stuck and held back; a refused move leaves both', () => {
  const file = { ...fileIn('a record', 'questions: questions'), stuckAt: NOW, isHeldBack: true as const }
  expect(move(file, events.consented)).toBe(false)
  expect([file.stuckAt, file.isHeldBack]).toEqual([NOW, true])
  expect(move(file, events.questionsAsked)).toBe(true)
  expect('stuckAt' in file || 'isHeldBack' in file).toBe(false)
})

test('a record that this account has finished is done, whatever else is known', () => {
  const own = { ...seen, isFinished: true, isOwn: true }
  expect(events.seen(fileIn('a record', 'loading'), own)).toEqual({ stage: 'done' })
  expect(events.seen(fileIn('a record', 'loading'), { ...own, isOwn: false })).toMatchObject({
    stage: 'elsewhere',
  })
})

test('typed details of a roadmap wait for their code until the service asks for them again', () => {
  const { people } = newDraft([{ limits }])
  const typed = { people: people.map((person) => ({ ...person, name: 'سارا' })), mobile: '09123456789' }
  const file = { ...fileIn('a roadmap', 'code: draft sms'), isBegun: true as const }
  const state = { ...states['code: draft sms'], draft: typed }
  expect(events.seen({ ...file, state }, seen)).toBe(state)
  expect(events.seen({ ...file, state }, { ...seen, needsProfile: true })).toMatchObject({ stage: 'profile' })
  expect(events.seen(file, seen)).toEqual({ stage: 'board' })
})

test('a role that gives its details on its own phone is asked within its limits', () => {
  const file = { ...fileIn('a record', 'new'), parent: { s: 'r', role: 1 } } as RecordFile
  const asked = events.detailsAsked(file, { limits })
  expect(asked).toMatchObject({ stage: 'profile', draft: { people: [{ limits }] } })
})

test('a role on another phone is asked for its details there, or here if no other role is left', () => {
  const roles = [1, 2].map((id) => ({ id, title: `Role ${id}`, limits }))
  const handed = (...to: number[]) => {
    const hands = to.map((role) => ({
      role,
      code: '',
      finishedBefore: 0,
      assignee: { is: 'invited' as const },
    }))
    const file = { ...fileIn('a roadmap', 'intro: needsProfile'), roadmap: { ...part, roles, hands } }
    const next = events.consented(file)
    return next && 'draft' in next ? next.draft?.people.map(({ role }) => role?.id) : undefined
  }
  expect([handed(), handed(2), handed(1, 2)]).toEqual([[1, 2], [1], [1, 2]])
})

test('a record without a roadmap asks for one person, within the limits of its test', () => {
  const next = events.consented(fileIn('a record', 'intro: needsProfile'))
  expect(next).toMatchObject({ stage: 'profile', draft: { people: [{ limits: {} }] } })
})
