import { describe, expect, test } from 'vitest'
import { holdsOnlyCopy } from '../../src/domain/record/record.ts'
import * as transitions from '../../src/domain/record/transitions.ts'
import { fileIn, limits, NOW, part, shapes, sms, states } from './record-states.ts'

describe('the contents of a state after a transition', () => {
  test('a new draft at the service replaces the one before', () => {
    const next = transitions.codeSent(fileIn('a record', 'code: draft sms(code)'), {
      ...sms,
      draftToken: 'draft-2',
    })
    expect(next).toEqual({ ...states['code: draft sms'], sms: { ...sms, draftToken: 'draft-2' } })
  })

  test('the last code typed replaces the one before', () => {
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

  test('the loaded questions are the ones that are answered', () => {
    const others = { content: 'sha256-of-others', count: 90 }
    const next = transitions.questionsLoaded(fileIn('a record', 'loading'), others)
    expect(next).toEqual({ stage: 'questions', questions: others })
  })

  test('a repeated analysis keeps no older expectation and no older failure', () => {
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

  test('a draft begins with all people concerned, and with the gender if there is no choice', () => {
    const women = { minAge: null, maxAge: 17, gender: 'female' } as const
    const alone = { ...fileIn('a record', 'intro: needsProfile'), test: { title: '', limits: women } }
    expect(transitions.consented(alone)).toEqual({
      stage: 'profile',
      draft: { people: [{ limits: women, gender: 'female' }] },
    })
    const roles = [...part.roles, { id: 2, title: 'Child', limits: women }]
    const family = { ...fileIn('a roadmap', 'intro: needsProfile'), roadmap: { ...part, roles } }
    expect(transitions.consented(family)).toEqual({
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

test('complete answers that were not accepted are the only copy', () => {
  const only = shapes.filter((shape) => holdsOnlyCopy(fileIn('a record', shape)))
  expect(only).toEqual([
    'waiting: draft answered',
    'waiting: draft answered waits',
    'profile: draft answered',
    'code: draft sms answered',
    'code: draft sms(code) answered',
    'code: draft sms(wrong) answered',
    'code: draft sms(code wrong) answered',
    'submitting: questions',
    'refused: questions',
    'refused: questions isOurs',
  ])
})

test('a roadmap that was begun stays at its board when it is seen again', () => {
  const begun = fileIn('a roadmap with its board open', 'board')
  const asked = { isFinished: false, status: 2, needsProfile: false }
  expect(!begun.isBegun).toBe(false)
  expect(transitions.seen(begun, asked)).toEqual({ stage: 'board' })
})
