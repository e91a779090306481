import { describe, expect, test } from 'vitest'
import { newDraft } from '../../src/domain/profile.ts'
import {
  holdsOnlyCopy,
  isUnclaimed,
  newRecordFile,
  questionsOf,
  type RecordFile,
  type RecordStage,
  type RecordState,
} from '../../src/domain/record/record.ts'
import * as events from '../../src/domain/record/transitions.ts'

const { move, ...transitions } = events

const NOW = 1_800_000_000_000
const limits = { minAge: 18, maxAge: null, gender: 'both' } as const
const draft = { ...newDraft([{ limits }]), mobile: '09123456789' }
const sms = { draftToken: 'draft-1', mobile: '09123456789', expiresAt: NOW + 60_000 }
const questions = { content: 'sha256-of-the-questions', count: 567 }

/** Every stage, with and without what may exist in it; named by what exists. */
const states = {
  new: { stage: 'new' },
  waiting: { stage: 'waiting' },
  intro: { stage: 'intro', needsProfile: false },
  'intro: needsProfile': { stage: 'intro', needsProfile: true },
  'profile: draft': { stage: 'profile', draft },
  'profile: draft answered': { stage: 'profile', draft, answered: questions },
  'code: draft sms': { stage: 'code', draft, sms },
  'code: draft sms answered': { stage: 'code', draft, sms, answered: questions },
  'code: draft sms(code)': { stage: 'code', draft, sms: { ...sms, code: '1234' } },
  'code: draft sms(code) answered': {
    stage: 'code',
    draft,
    sms: { ...sms, code: '1234' },
    answered: questions,
  },
  loading: { stage: 'loading' },
  'loading: questions': { stage: 'loading', questions },
  'questions: questions': { stage: 'questions', questions },
  'submitting: questions': { stage: 'submitting', questions },
  'submitting: questions isUnclear': { stage: 'submitting', questions, isUnclear: true },
  'refused: questions': { stage: 'refused', questions },
  'refused: questions isUnclear': { stage: 'refused', questions, isUnclear: true },
  board: { stage: 'board' },
  generating: { stage: 'generating' },
  'generating: expectedMinutes': { stage: 'generating', expectedMinutes: '5-10' },
  'failed: reasons': { stage: 'failed', reasons: ['too short'] },
  scored: { stage: 'scored' },
  'scored: questions': { stage: 'scored', questions },
  done: { stage: 'done' },
  'done: isOwed': { stage: 'done', isOwed: true },
  elsewhere: { stage: 'elsewhere' },
  'elsewhere: ofRoadmap': { stage: 'elsewhere', ofRoadmap: true },
} as const satisfies Record<string, RecordState>

type Shape = keyof typeof states
const shapes = Object.keys(states) as Shape[]

function shapeOf(state: RecordState | undefined): string {
  if (!state) return 'not here'
  const there = Object.entries(state).flatMap(([key, value]) => {
    if (key === 'stage' || value === undefined || value === false) return []
    return [key === 'sms' && Object.hasOwn(value as object, 'code') ? 'sms(code)' : key]
  })
  return there.length > 0 ? `${state.stage}: ${there.sort(byOrder).join(' ')}` : state.stage
}
const ORDER = ['draft', 'sms', 'sms(code)', 'answered', 'questions']
const byOrder = (one: string, other: string) => place(one) - place(other)
const place = (key: string) => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length)

const opened = { s: 'abc', token: 'token', seenAt: NOW - 1 }
const record = newRecordFile(opened, 'record')
const roadmap = newRecordFile(opened, 'roadmap')
const part = { roles: [{ id: 1, title: 'Parent', limits }], records: [], hands: [] }

/** Whose record it is, and what kind. */
const files = {
  'a record that nobody has begun': record,
  'a record': { ...record, owner: 'me', chatId: 1 },
  'a roadmap that nobody has begun': { ...roadmap, roadmap: part },
  'a roadmap': { ...roadmap, roadmap: part, owner: 'me', chatId: 1 },
  'a roadmap with its board open': {
    ...roadmap,
    roadmap: { ...part, isOpened: true },
    owner: 'me',
    chatId: 1,
  },
  'a test of a roadmap': { ...record, owner: 'me', parent: { s: 'package', role: 1 } },
} satisfies Record<string, RecordFile>
type FileKind = keyof typeof files

/** A file in a state of its own, so that nothing one test changes is seen by another. */
const fileIn = (kind: FileKind, shape: Shape): RecordFile =>
  structuredClone({ ...files[kind], state: states[shape] })

/** From each state in which it happens to the one that it leads to. It happens in no other. */
type Ways = Partial<Record<Shape, Shape>>

/** All states of these stages lead to one. */
function all(stages: readonly RecordStage[], to: Shape): Ways {
  return Object.fromEntries(
    shapes.filter((shape) => stages.includes(states[shape].stage)).map((shape) => [shape, to]),
  )
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
const ofRoadmap = ['new', 'waiting', 'loading', 'questions', 'submitting', 'refused'] as const

const table = [
  when('the organizer has to act first', transitions.seen, [{ ...seen, status: 0 }], 'a record', {
    ...all(lookedAt, 'waiting'),
  }),
  when('nobody has begun it', transitions.seen, [seen], 'a record that nobody has begun', {
    ...all(lookedAt, 'intro'),
  }),
  when('nobody has begun it', transitions.seen, [seen], 'a roadmap that nobody has begun', {
    ...all(lookedAt, 'intro'),
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
    'profile: draft answered': 'profile: draft answered',
    'code: draft sms answered': 'profile: draft answered',
    'code: draft sms(code) answered': 'profile: draft answered',
  }),
  when('a profile is needed', transitions.seen, [{ ...seen, needsProfile: true }], 'a roadmap', {
    ...all(lookedAt, 'profile: draft'),
    'profile: draft answered': 'profile: draft answered',
    'code: draft sms answered': 'profile: draft answered',
    'code: draft sms(code) answered': 'profile: draft answered',
  }),
  when('the profile is there', transitions.seen, [seen], 'a roadmap', {
    ...all(beforeBoard, 'board'),
    ...stay('generating', 'failed'),
  }),
  when('it is finished', transitions.seen, [{ ...seen, isFinished: true }], 'a record', {
    ...all(lookedAt, 'elsewhere'),
  }),
  when('it is finished (status 1)', transitions.seen, [{ ...seen, status: 1 }], 'a roadmap', {
    ...all(lookedAt, 'elsewhere'),
  }),
  when(
    'it is finished, and somebody may have answered here',
    transitions.seen,
    [{ ...seen, status: 1 }],
    'a roadmap with its board open',
    all(lookedAt, 'scored'),
  ),

  when('consent is given', transitions.begun, [], 'a record', {
    intro: 'loading',
    'intro: needsProfile': 'profile: draft',
  }),
  when('consent is given', transitions.begun, [], 'a roadmap', {
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
      'profile: draft answered': 'code: draft sms answered',
      'code: draft sms answered': 'code: draft sms answered',
      'code: draft sms(code) answered': 'code: draft sms answered',
    },
  ),
  when('a code is typed', transitions.codeTyped, ['4321'], 'a record', {
    'code: draft sms': 'code: draft sms(code)',
    'code: draft sms answered': 'code: draft sms(code) answered',
    'code: draft sms(code)': 'code: draft sms(code)',
    'code: draft sms(code) answered': 'code: draft sms(code) answered',
  }),
  when('the code is wrong', transitions.codeRefused, [], 'a record', {
    'code: draft sms': 'code: draft sms',
    'code: draft sms answered': 'code: draft sms answered',
    'code: draft sms(code)': 'code: draft sms',
    'code: draft sms(code) answered': 'code: draft sms answered',
  }),
  when('the draft at the service is over', transitions.codeExpired, [NOW], 'a record', {
    'code: draft sms': 'code: draft sms',
    'code: draft sms answered': 'code: draft sms answered',
    'code: draft sms(code)': 'code: draft sms',
    'code: draft sms(code) answered': 'code: draft sms answered',
  }),
  when('the details are asked for again', transitions.profileReopened, [], 'a record', {
    ...all(['profile', 'code'], 'profile: draft'),
    'profile: draft answered': 'profile: draft answered',
    'code: draft sms answered': 'profile: draft answered',
    'code: draft sms(code) answered': 'profile: draft answered',
  }),
  when('the profile was not sent, the code still holds', transitions.profileNotSent, [NOW], 'a record', {
    ...stay('profile', 'code'),
  }),
  when(
    'the profile was not sent, the code does not hold any more',
    transitions.profileNotSent,
    [sms.expiresAt],
    'a record',
    {
      ...all(['profile', 'code'], 'profile: draft'),
      'profile: draft answered': 'profile: draft answered',
      'code: draft sms answered': 'profile: draft answered',
      'code: draft sms(code) answered': 'profile: draft answered',
    },
  ),
  when('the profile exists', transitions.profileMade, [], 'a record', {
    ...all(['profile', 'code'], 'loading'),
    'profile: draft answered': 'submitting: questions',
    'code: draft sms answered': 'submitting: questions',
    'code: draft sms(code) answered': 'submitting: questions',
  }),
  when('the profiles exist', transitions.profileMade, [], 'a roadmap', {
    ...all(['profile', 'code'], 'board'),
  }),

  when('the questions are asked for', transitions.questionsAsked, [], 'a record', {
    new: 'loading',
    waiting: 'loading',
    loading: 'loading',
    'loading: questions': 'loading: questions',
    'questions: questions': 'loading: questions',
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
    'submitting: questions isUnclear': 'refused: questions isUnclear',
  }),
  when('the profile is gone', transitions.profileMissed, [], 'a record', {
    ...all(['submitting'], 'profile: draft answered'),
  }),
  when('refused answers are sent again', transitions.answersSentAgain, [], 'a record', {
    'refused: questions': 'submitting: questions',
    'refused: questions isUnclear': 'submitting: questions isUnclear',
  }),
  when('the work has ended without an outcome', transitions.stalled, [], 'a record', {
    ...all(['submitting'], 'refused: questions isUnclear'),
    ...all(['generating'], 'failed: reasons'),
  }),
  when('it was finished elsewhere', transitions.finishedElsewhere, [], 'a record', {
    ...all(['profile', 'code', 'submitting'], 'elsewhere'),
  }),
  when('it is part of a roadmap', transitions.finishedElsewhere, [{ ofRoadmap: true }], 'a record', {
    ...all(['profile', 'code', 'submitting'], 'elsewhere: ofRoadmap'),
  }),
  when('everybody has the result', transitions.delivered, [{ isOwed: false }], 'a record', {
    ...all(['scored'], 'done'),
    'done: isOwed': 'done',
  }),
  when('somebody else is still owed it', transitions.delivered, [{ isOwed: true }], 'a record', {
    ...all(['scored'], 'done: isOwed'),
    'done: isOwed': 'done: isOwed',
  }),

  when('it is finished at the service', transitions.recordFinished, [], 'a test of a roadmap', {
    ...all(ofRoadmap, 'done'),
  }),
  when('it is finished at the service', transitions.recordFinished, [], 'a record', {}),
  when('it can be begun anew', transitions.recordPutBack, [], 'a test of a roadmap', {
    ...all([...ofRoadmap, 'done'], 'new'),
  }),
  when('it can be begun anew', transitions.recordPutBack, [], 'a record', {}),

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

test('every state is named by what exists in it', () => {
  for (const shape of shapes) expect(shapeOf(states[shape])).toBe(shape)
})

test('every transition stands in the table', () => {
  expect(new Set(table.map(({ name }) => name))).toEqual(new Set(Object.keys(transitions)))
})

describe.each(table)('$name: $what, $of', ({ of, ways, next, moves }) => {
  test('leads from each state to the one it should, and happens nowhere else', () => {
    const found = shapes.map((shape) => [shape, shapeOf(next(fileIn(of, shape)))])
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(shapes.map((shape) => [shape, ways[shape] ?? 'not here'])),
    )
  })

  test('moves nothing but the state, and that only where it happens', () => {
    for (const shape of shapes) {
      const [before, file] = [fileIn(of, shape), fileIn(of, shape)]
      const state = next(file)
      expect(file).toEqual(before)
      expect(moves(file)).toBe(ways[shape] !== undefined)
      expect(file).toEqual({ ...before, state: state ?? before.state })
    }
  })

  test('keeps what was typed as it stood', () => {
    for (const shape of shapes) {
      const file = fileIn(of, shape)
      const state = next(file)
      if (state && 'draft' in state && 'draft' in file.state) expect(state.draft).toEqual(file.state.draft)
    }
  })
})

describe('what a transition brings along', () => {
  test('a new draft at the service takes the place of the one before', () => {
    const next = transitions.codeSent(fileIn('a record', 'code: draft sms(code)'), {
      ...sms,
      draftToken: 'draft-2',
    })
    expect(next).toEqual({ ...states['code: draft sms'], sms: { ...sms, draftToken: 'draft-2' } })
  })

  test('the last code that was typed counts', () => {
    const next = transitions.codeTyped(fileIn('a record', 'code: draft sms(code)'), '4321')
    expect(next).toEqual({ ...states['code: draft sms'], sms: { ...sms, code: '4321' } })
  })

  test.each([
    ['before its time', NOW, NOW],
    ['in its time', sms.expiresAt + 5_000, sms.expiresAt],
  ])('a draft at the service ends %s', (_, now, expiresAt) => {
    const next = transitions.codeExpired(fileIn('a record', 'code: draft sms(code)'), now)
    expect(next).toEqual({ ...states['code: draft sms'], sms: { ...sms, expiresAt } })
  })

  test('the questions that came are the ones that are answered', () => {
    const others = { content: 'sha256-of-others', count: 90 }
    const next = transitions.questionsLoaded(fileIn('a record', 'loading: questions'), others)
    expect(next).toEqual({ stage: 'questions', questions: others })
  })

  test('an analysis that is asked for again is told no older expectation and no older failure', () => {
    expect(transitions.generationAsked(fileIn('a roadmap', 'failed: reasons'))).toEqual({
      stage: 'generating',
    })
    const under = fileIn('a roadmap', 'generating: expectedMinutes')
    expect(transitions.generationBegun(under, '10-15')).toEqual({
      stage: 'generating',
      expectedMinutes: '10-15',
    })
    expect(transitions.generationFailed(under, ['a', 'b'])).toEqual({ stage: 'failed', reasons: ['a', 'b'] })
    expect(transitions.stalled(under)).toEqual({ stage: 'failed', reasons: [] })
  })

  test('a draft begins with everybody concerned, and with a gender that leaves no choice', () => {
    const women = { minAge: null, maxAge: 17, gender: 'female' } as const
    const alone = { ...fileIn('a record', 'intro: needsProfile'), test: { title: '', limits: women } }
    expect(transitions.begun(alone)).toEqual({
      stage: 'profile',
      draft: { people: [{ limits: women, gender: 'female' }] },
    })
    const roles = [...part.roles, { id: 2, title: 'Child', limits: women }]
    const family = { ...fileIn('a roadmap', 'intro: needsProfile'), roadmap: { ...part, roles } }
    expect(transitions.begun(family)).toEqual({
      stage: 'profile',
      draft: {
        people: [
          { role: { id: 1, title: 'Parent' }, limits },
          { role: { id: 2, title: 'Child' }, limits: women, gender: 'female' },
        ],
      },
    })
  })
})

/**
 * Where the questions of answers that are here may leave: the answers are accepted, worth nothing any more, or of a test
 * that begins anew.
 */
const mayLeave: { [name: string]: readonly RecordStage[] } = {
  answersAccepted: ['done'],
  delivered: ['done'],
  finishedElsewhere: ['elsewhere'],
  recordFinished: ['done'],
  recordPutBack: ['new'],
  // Of a roadmap itself there are no answers.
  profileMade: ['board'],
  // What is looked at has no complete answers here: a record in `profile` or `code` is not looked at.
  seen: ['waiting', 'intro', 'loading', 'profile', 'board', 'scored', 'elsewhere'],
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

test('answers that are complete and not accepted exist nowhere but here', () => {
  const only = shapes.filter((shape) => holdsOnlyCopy(fileIn('a record', shape)))
  expect(only).toEqual([
    'profile: draft answered',
    'code: draft sms answered',
    'code: draft sms(code) answered',
    'submitting: questions',
    'submitting: questions isUnclear',
    'refused: questions',
    'refused: questions isUnclear',
  ])
})

test('a roadmap whose owner was forgotten has been begun all the same', () => {
  const { owner: _, ...left } = files['a roadmap with its board open']
  expect(isUnclaimed(files['a roadmap that nobody has begun'])).toBe(true)
  expect(isUnclaimed(files['a roadmap'])).toBe(false)
  expect(isUnclaimed({ ...left, isLeft: true })).toBe(false)
})

describe('not yet as it should be', () => {
  test.fails('looking at a roadmap whose owner was forgotten leaves its board to the others', () => {
    const { owner: _, ...left } = fileIn('a roadmap with its board open', 'board')
    expect(transitions.seen({ ...left, isLeft: true }, seen)).toEqual({ stage: 'board' })
  })

  test.fails('looking at a record whose questions were lost under a sitting keeps the sitting', () => {
    expect(transitions.seen(fileIn('a record', 'loading: questions'), seen)).toEqual(
      states['loading: questions'],
    )
  })
})
