import { describe, expect, test } from 'vitest'
import { type Delivery, first, next, REPORT_TRIES } from '../../src/jobs/delivery-steps.ts'
import { albumsOf } from '../../src/jobs/result-parts.ts'
import type { OwedResult, Part } from '../../src/kept/owed-result.ts'

const ME = 1
const OTHER = 2
const FORGOTTEN = 3

const part = (chatId: number, kind: Part['kind'], index = 0): Part => ({
  chatId,
  language: 'fa',
  kind,
  index,
})
const result = { json: {}, html: '<p>', date: 7 }
const owed = (...parts: Part[]): OwedResult => ({ ...result, parts })
const awaited = (...parts: Part[]): OwedResult => ({ json: {}, isReportAwaited: true, date: 7, parts })

const delivery = (changes: Partial<Delivery> = {}): Delivery => ({
  state: { stage: 'scored' },
  owed: undefined,
  chatId: ME,
  entitled: [ME, OTHER],
  resultTo: 'participant',
  tries: 0,
  again: undefined,
  isRepeat: false,
  blocked: [],
  isTold: false,
  ...changes,
})
const doneWith = (changes: Partial<Delivery>) => delivery({ state: { stage: 'done' }, ...changes })
const repeat = (changes: Partial<Delivery>) => doneWith({ isRepeat: true, ...changes })

const over = { end: 'over' }
const later = { again: 'later' }
const deliveredTo = { end: 'over', tell: { kind: 'delivered', to: 'participant' } }
const mine = part(ME, 'text')
const others = part(OTHER, 'text')
const report = part(ME, 'document')

describe('where it begins', () => {
  test.each<[string, Delivery, object]>([
    ['a result that is owed is fetched', delivery(), { ask: 'fetch' }],
    ['one that was delivered meanwhile is not', doneWith({}), over],
    ['nor sent', doneWith({ owed: owed(mine) }), over],
    ['nor one of another stage', delivery({ state: { stage: 'elsewhere' }, isRepeat: true }), over],
    ['one that another job has brought is not fetched', doneWith({ isRepeat: true }), over],
    ['one that is asked for again is', doneWith({ isRepeat: true, again: ME }), { ask: 'fetch' }],
    ['but only as a repeat', doneWith({ again: ME }), over],
    [
      'one that is asked for again while it is owed is laid out anew',
      doneWith({ isRepeat: true, again: ME, owed: owed(others) }),
      { ask: 'layOut', result: owed(others) },
    ],
    ['what is left goes on', doneWith({ isRepeat: true, owed: owed(mine) }), { ask: 'send', part: mine }],
    ['the first part goes first', delivery({ owed: owed(others, mine) }), { ask: 'send', part: others }],
    [
      'what somebody forgotten was owed goes nowhere',
      delivery({ owed: owed(part(FORGOTTEN, 'text'), mine) }),
      { ask: 'send', part: mine },
    ],
    [
      'whoever has blocked the bot is passed over',
      delivery({ owed: owed(others, mine), blocked: [OTHER] }),
      { ask: 'send', part: mine },
    ],
    [
      'a report that is here is sent',
      delivery({ owed: owed(report, others) }),
      { ask: 'send', part: report },
    ],
    [
      'one that has to be waited for comes last',
      delivery({ owed: awaited(report, others) }),
      { ask: 'send', part: others },
    ],
    ['and is fetched then', delivery({ owed: awaited(report) }), { ask: 'fetchReport' }],
  ])('%s', (_, known, expected) => {
    expect(first(known)).toEqual(expected)
  })
})

describe('where nothing more can be sent', () => {
  const isOwed = { state: { stage: 'done', isOwed: true }, isRepeat: true } as const

  test.each<[string, Delivery, object]>([
    ['it is delivered', delivery({ owed: owed() }), deliveredTo],
    ['to those who may still have it', delivery({ owed: owed(part(FORGOTTEN, 'text')) }), deliveredTo],
    [
      'although somebody else has blocked the bot',
      delivery({ owed: owed(others), blocked: [OTHER] }),
      deliveredTo,
    ],
    ['but not to one who has blocked it', delivery({ owed: owed(mine), blocked: [ME] }), over],
    ['what was still owed is delivered', delivery({ ...isOwed, owed: owed() }), deliveredTo],
    ['unless it still is', delivery({ ...isOwed, owed: owed(others), blocked: [OTHER] }), over],
    [
      'what was asked for again leaves',
      doneWith({ isRepeat: true, owed: owed() }),
      { end: 'over', forget: true },
    ],
    ['unless it is blocked', doneWith({ isRepeat: true, owed: owed(others), blocked: [OTHER] }), over],
  ])('%s', (_, known, expected) => {
    expect(first(known)).toEqual(expected)
  })
})

describe('fetching', () => {
  test('a result is waited for, laid out, or not to be had', () => {
    expect(next(delivery(), { to: 'fetch', got: 'later' })).toEqual(later)
    expect(next(delivery(), { to: 'fetch', got: result })).toEqual({ ask: 'layOut', result })
    const failed = { kind: 'result-failed' }
    expect(next(delivery(), { to: 'fetch', got: 'refused' })).toEqual({ again: 'later', tell: failed })
    expect(next(delivery({ isTold: true }), { to: 'fetch', got: 'refused' })).toEqual(later)
    expect(next(delivery(), { to: 'fetch', got: 'absent' })).toEqual({ end: 'over', tell: failed })
  })

  test.each<[string, Delivery, object]>([
    ['for everybody', delivery(), { goOn: 'anew', keep: owed(mine, others) }],
    ['for the one who asks again', repeat({ again: OTHER }), { goOn: 'anew', keep: owed(others) }],
    [
      'for everybody, when one asks for what nobody has yet',
      delivery({ again: OTHER }),
      { goOn: 'anew', keep: owed(mine, others) },
    ],
    [
      'for the one who asks again, beside what others are owed',
      delivery({ again: ME, owed: owed(mine, report, part(OTHER, 'picture')) }),
      { goOn: 'on', keep: owed(part(OTHER, 'picture'), mine) },
    ],
    ['for nobody who is not entitled', repeat({ again: FORGOTTEN }), { goOn: 'anew', keep: owed() }],
  ])('it is laid out %s', (_, known, expected) => {
    expect(next(known, { to: 'layOut', result, parts: [mine, others] })).toEqual(expected)
  })
})

describe('a report that is waited for', () => {
  const known = delivery({ owed: awaited(report, part(FORGOTTEN, 'text')) })
  const keep = { ...awaited(report, part(FORGOTTEN, 'text')), html: '<p>' }

  test.each<[string, Delivery, Parameters<typeof next>[1], object]>([
    ['has come', known, { to: 'fetchReport', got: { value: { html: '<p>' } } }, { goOn: 'on', keep }],
    ['comes later', known, { to: 'fetchReport', got: 'later' }, later],
    ['comes later, however often', { ...known, tries: 99 }, { to: 'fetchReport', got: 'later' }, later],
    ['is refused', { ...known, tries: REPORT_TRIES - 1 }, { to: 'fetchReport', got: 'refused' }, later],
    [
      'is refused for good',
      { ...known, tries: REPORT_TRIES },
      { to: 'fetchReport', got: 'absent' },
      { goOn: 'on', keep: { json: {}, date: 7, parts: [] }, tell: { kind: 'report-missing' } },
    ],
    [
      'is refused for so long that it is told',
      { ...known, tries: REPORT_TRIES },
      { to: 'fetchReport', got: 'refused' },
      { again: 'later', tell: { kind: 'report-missing' } },
    ],
    [
      'is refused for ever, and stays owed',
      { ...known, tries: 5 * REPORT_TRIES },
      { to: 'fetchReport', got: 'refused' },
      later,
    ],
    ['is not owed any more', delivery(), { to: 'fetchReport', got: 'later' }, over],
  ])('%s', (_, state, answer, expected) => {
    expect(next(state, answer)).toEqual(expected)
  })
})

test('a report that is too long to be kept goes straight to each who is owed it', () => {
  const theirs = part(OTHER, 'document')
  const known = delivery({ owed: awaited(report, theirs) })
  const html = 'x'.repeat(1_000_001)
  expect(next(known, { to: 'fetchReport', got: { value: { html } } })).toEqual({
    ask: 'send',
    part: report,
    html,
  })
  // What is kept then is without it, so that it is fetched anew for the next one.
  const step = next(known, { to: 'send', part: report, became: 'sent' })
  expect(step).toEqual({ goOn: 'on', keep: awaited(theirs) })
  const isBlocked = { ...known, blocked: [ME] }
  expect(next(isBlocked, { to: 'fetchReport', got: { value: { html } } })).toMatchObject({ part: theirs })
})

describe('a part', () => {
  const known = delivery({ owed: owed(mine, others, part(FORGOTTEN, 'text')) })

  test.each(['sent', 'refused'] as const)('that was %s is not sent again', (became) => {
    expect(next(known, { to: 'send', part: mine, became })).toEqual({ goOn: 'on', keep: owed(others) })
  })

  test('that is an album becomes its pictures where Telegram takes no album', () => {
    const album = { ...part(ME, 'album', 2), count: 3 }
    const step = next(delivery({ owed: owed(album, mine) }), { to: 'send', part: album, became: 'apart' })
    const pictures = [2, 3, 4].map((index) => expect.objectContaining(part(ME, 'picture', index)))
    expect(step).toMatchObject({ goOn: 'on', keep: { parts: [...pictures, mine] } })
  })

  test.each([
    [0, []],
    [1, [{ kind: 'picture', index: 0 }]],
    [2, [{ kind: 'album', index: 0, count: 2 }]],
    [10, [{ kind: 'album', index: 0, count: 10 }]],
    [
      11,
      [
        { kind: 'album', index: 0, count: 6 },
        { kind: 'album', index: 6, count: 5 },
      ],
    ],
  ] as const)('%i pictures are as few albums as can be', (pictures, expected) => {
    expect(albumsOf(pictures)).toEqual(expected)
  })

  test('whose chat has blocked the bot stays', () => {
    const step = next(known, { to: 'send', part: others, became: 'blocked' })
    expect(step).toEqual({ goOn: 'without', chatId: OTHER })
  })

  test('that is not owed any more changes nothing', () => {
    expect(next(delivery(), { to: 'send', part: mine, became: 'sent' })).toEqual(over)
  })
})
