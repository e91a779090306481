import { describe, expect, test } from 'vitest'
import type { Translate } from '../../src/texts/texts.ts'
import { type Board, type BoardGroup, boardView } from '../../src/views/board.ts'
import type { NamedTest } from '../../src/views/tests.ts'
import { MESSAGE_LIMIT, type View, visibleLength } from '../../src/views/view.ts'
import { texts } from '../words.ts'

const t = texts.for('fa')
const languages = ['fa', 'en'] as const

const limits = { minAge: null, maxAge: null, gender: 'both' } as const
const mother = { id: 1, title: 'مادر', limits }
const child = { id: 3, title: 'فرزند', limits }

const MOOD = { s: 'mood', title: 'حال' }
const HOME = { s: 'home', title: 'خانه' }
const PLAY = { s: 'play', title: 'بازی' }
const states = {
  new: { at: 'new' },
  begun: { at: 'questions', answered: 0, total: 90 },
  'under way': { at: 'questions', answered: 41, total: 90 },
  'all answered': { at: 'questions', answered: 90, total: 90 },
  submitting: { at: 'submitting' },
  refused: { at: 'refused' },
  finished: { at: 'done' },
} as const satisfies Record<string, NamedTest['standing']>
type State = keyof typeof states

const at = (known: { s: string; title: string }, state: State): NamedTest => ({
  ...known,
  standing: states[state],
})

/** A role whose tests are answered here, without another account. */
const own = (role: BoardGroup['role'], ...tests: NamedTest[]): BoardGroup => ({
  role,
  tests,
  isHeld: true,
  hand: undefined,
  canHand: false,
  canTakeBack: false,
})

const board = (groups: BoardGroup[], rest: Partial<Board> = {}): Board => ({
  s: 'kin',
  title: 'خانواده',
  groups,
  isAllFinished: false,
  isSeveral: groups.length > 1,
  failure: undefined,
  ...rest,
})

/** A keyboard as one line per button: its data, its label, and its style. */
const buttonsOf = ({ keyboard = [] }: View) =>
  keyboard
    .flat()
    .map((button) => [
      'callback_data' in button ? button.callback_data : '',
      button.text,
      ...('style' in button && button.style ? [button.style] : []),
    ])

describe('a test is shown with its state and, if it can be opened, a button', () => {
  type Button = 'button-board-begin' | 'button-board-continue' | undefined
  const table: [State, (t: Translate) => string, Button][] = [
    ['new', (t) => t.plain('stage-new'), 'button-board-begin'],
    ['begun', (t) => t.plain('stage-question', { position: 1, total: 90 }), 'button-board-continue'],
    ['under way', (t) => t.plain('stage-question', { position: 42, total: 90 }), 'button-board-continue'],
    ['all answered', (t) => t.plain('stage-review'), 'button-board-continue'],
    ['refused', (t) => t.plain('stage-refused'), 'button-board-continue'],
    ['submitting', (t) => t.plain('stage-submitting'), undefined],
    ['finished', (t) => t.plain('stage-done'), undefined],
  ]

  test('the table has every state', () => {
    expect(table.map(([state]) => state).sort()).toEqual(Object.keys(states).sort())
  })

  describe.each(languages)('in %s', (language) => {
    const t = texts.for(language)

    test.each(table)('%s, one person', (state, said, key) => {
      const view = boardView(t, board([own(mother, at(MOOD, state))]))
      expect(view.text.split('\n\n')).toEqual([
        t('board-title', { title: 'خانواده' }),
        t('board-test', { title: 'حال', state: said(t) }),
        key ? t('board-next', { title: 'حال' }) : t('board-wait-others'),
      ])
      expect(buttonsOf(view)).toEqual(key ? [['open:mood', t.plain(key, { title: 'حال' }), 'primary']] : [])
    })

    test.each(table)('%s, several people', (state, said, key) => {
      const view = boardView(t, board([own(mother, at(MOOD, state)), own(child, at(PLAY, 'finished'))]))
      const named = { role: 'مادر', title: 'حال' }
      expect(view.text.split('\n\n')).toEqual([
        t('board-title', { title: 'خانواده' }),
        `${t('board-role', { role: 'مادر' })}\n${t('board-test', { title: 'حال', state: said(t) })}`,
        `${t('board-role', { role: 'فرزند' })}\n${t('board-test', { title: 'بازی', state: t.plain('stage-done') })}`,
        key ? t('board-next-role', named) : t('board-wait-others'),
      ])
      expect(buttonsOf(view)).toEqual(key ? [['open:mood', t.plain(`${key}-role`, named), 'primary']] : [])
    })
  })
})

describe('the next test is the first one that is left to do here', () => {
  test.each<[State[], string[], string | undefined]>([
    [['new', 'new', 'new'], ['open:mood', 'open:home', 'open:play'], 'open:mood'],
    [['finished', 'new', 'new'], ['open:home', 'open:play'], 'open:home'],
    [['submitting', 'under way', 'new'], ['open:home', 'open:play'], 'open:home'],
    [['refused', 'new', 'new'], ['open:mood', 'open:home', 'open:play'], 'open:mood'],
    [['new', 'all answered', 'finished'], ['open:mood', 'open:home'], 'open:mood'],
    [['finished', 'finished', 'new'], ['open:play'], 'open:play'],
    [['finished', 'submitting', 'finished'], [], undefined],
    [['submitting', 'submitting', 'submitting'], [], undefined],
  ])('for the states %j', ([mood = 'new', home = 'new', play = 'new'], offered, next) => {
    const view = boardView(
      t,
      board([own(mother, at(MOOD, mood), at(HOME, home)), own(child, at(PLAY, play))]),
    )
    expect(buttonsOf(view).map(([data]) => data)).toEqual(offered)
    expect(buttonsOf(view).flatMap(([data, , style]) => (style === 'primary' ? [data] : []))).toEqual(
      next === undefined ? [] : [next],
    )
    expect(view.text.endsWith(t('board-wait-others'))).toBe(next === undefined)
  })
})

describe('a board of very many tests fits in one message', () => {
  const many = (count: number, state: State, letters: number) =>
    Array.from({ length: count }, (_, index) =>
      at({ s: `t${index}`, title: `${'ن'.repeat(letters)} ${index}` }, state),
    )

  test('finished tests are counted', () => {
    const { text } = boardView(t, board([own(mother, ...many(60, 'finished', 90), at(MOOD, 'new'))]))
    expect(visibleLength(text)).toBeLessThanOrEqual(MESSAGE_LIMIT)
    expect(text).toContain(t('board-handed', { done: 60, total: 61 }))
  })

  test('too many remaining tests are counted, and as many have a button as Telegram accepts', () => {
    const view = boardView(t, board([own(mother, ...many(60, 'new', 90))], { isUnfolded: true }))
    expect(visibleLength(view.text)).toBeLessThanOrEqual(MESSAGE_LIMIT)
    expect(view.text).toContain(t('board-handed', { done: 0, total: 60 }))
    expect(buttonsOf(view).filter(([data]) => data?.startsWith('open:'))).toHaveLength(50)
    expect(Buffer.byteLength(JSON.stringify(view.keyboard))).toBeLessThan(10_000)
  })
})

describe('of many tests the next three have a button, and one press shows all', () => {
  const HERS = ['a', 'b', 'c'].map((s) => ({ s, title: s }))
  const THEIRS = ['x', 'y', 'z'].map((s) => ({ s, title: s }))
  type Row = {
    who: string
    states: State[]
    holder?: number
    isUnfolded?: true
    offered: string[]
  }
  const fresh: State[] = ['new', 'new', 'new', 'new', 'new', 'new']
  const all = 'tests:kin:all'
  const next = 'tests:kin:next'
  const table: Row[] = [
    { who: 'in the order of the board', states: fresh, offered: ['open:a', 'open:b', 'open:c', all] },
    {
      who: 'first the person with the phone',
      states: fresh,
      holder: 3,
      offered: ['open:x', 'open:y', 'open:z', all],
    },
    {
      who: 'their rest, then the others',
      states: ['new', 'new', 'new', 'finished', 'finished', 'under way'],
      holder: 3,
      offered: ['open:z', 'open:a', 'open:b', all],
    },
    {
      who: 'all of them',
      states: fresh,
      holder: 3,
      isUnfolded: true,
      offered: ['open:x', 'open:y', 'open:z', 'open:a', 'open:b', 'open:c', next],
    },
    {
      who: 'three are simply there',
      states: ['finished', 'new', 'submitting', 'new', 'finished', 'refused'],
      isUnfolded: true,
      offered: ['open:b', 'open:x', 'open:z'],
    },
  ]

  test.each(table)('$who', ({ states, holder, isUnfolded, offered }) => {
    const tests = [...HERS, ...THEIRS].map((known, index) => at(known, states[index] ?? 'new'))
    const groups = [own(mother, ...tests.slice(0, 3)), own(child, ...tests.slice(3))]
    const view = boardView(t, board(groups, { holder, isUnfolded: isUnfolded === true }))
    expect(buttonsOf(view).map(([data]) => data)).toEqual(offered)
    expect(buttonsOf(view)[0]?.[2]).toBe('primary')
    const left = offered.filter((data) => data.startsWith('open:')).length
    if (offered.includes(all))
      expect(view.keyboard?.flat().at(-1)?.text).toBe(
        t.plain('button-all-tests', { count: tests.filter(({ standing }) => standing.at !== 'done').length }),
      )
    else expect(left).toBe(tests.filter(({ standing: { at } }) => !/done|submitting/.test(at)).length)
  })

  test('a name that two people share is shown with the role', () => {
    const [ali, younger] = [
      { ...mother, title: 'پدر', name: 'علی' },
      { ...child, name: 'علی' },
    ]
    const labels = buttonsOf(boardView(t, board([own(ali, at(MOOD, 'new')), own(younger, at(PLAY, 'new'))])))
    expect(labels.map(([, label]) => label)).toEqual([
      t.plain('button-board-begin-role', { role: 'پدر (علی)', title: 'حال' }),
      t.plain('button-board-begin-role', { role: 'فرزند (علی)', title: 'بازی' }),
    ])
  })
})

describe('a role that is given to another account', () => {
  const counted = { done: 1, total: 2 }
  type Row = {
    who: string
    isHeld: boolean
    hand: BoardGroup['hand']
    canHand?: true
    canTakeBack?: true
    /** Its tests one by one, or only the number of finished ones. */
    said: 'tests' | 'board-handing' | 'board-handed'
    offered: string[]
  }
  const table: Row[] = [
    { who: 'mine alone', isHeld: true, hand: undefined, said: 'tests', offered: ['open:home'] },
    {
      who: 'mine, and could be given away',
      isHeld: true,
      hand: undefined,
      canHand: true,
      said: 'tests',
      offered: ['open:home', 'hand:kin:1'],
    },
    {
      who: 'offered, not accepted yet',
      isHeld: true,
      hand: { isAccepted: false },
      canTakeBack: true,
      said: 'board-handing',
      offered: ['unhand:kin:1'],
    },
    {
      who: "another account's, not begun there",
      isHeld: false,
      hand: { isAccepted: true },
      canTakeBack: true,
      said: 'board-handed',
      offered: ['unhand:kin:1'],
    },
    {
      who: "another account's, begun there",
      isHeld: false,
      hand: { isAccepted: true },
      said: 'board-handed',
      offered: [],
    },
    { who: 'accepted here', isHeld: true, hand: { isAccepted: true }, said: 'tests', offered: ['open:home'] },
  ]

  test.each(table)('$who', ({ isHeld, hand, canHand = false, canTakeBack = false, said, offered }) => {
    const group = {
      ...own(mother, at(MOOD, 'finished'), at(HOME, 'new')),
      isHeld,
      hand,
      canHand,
      canTakeBack,
    }
    const view = boardView(t, board([group, own(child, at(PLAY, 'finished'))]))
    const paragraphs = view.text.split('\n\n')
    const role = paragraphs.find((text) => text.includes(t('board-role', { role: 'مادر' })))
    // The board distinguishes phones only if there are several.
    const childHere = `${t('board-role', { role: 'فرزند' })}\n${t('board-test', { title: 'بازی', state: t.plain('stage-done') })}`
    expect(paragraphs.slice(1, -1)).toEqual(
      said === 'tests' ? [role, childHere] : [`${t('board-here')}\n${childHere}`, role],
    )
    expect(role?.split('\n')).toEqual([
      ...(said === 'tests' ? [] : [t('board-elsewhere')]),
      t('board-role', { role: 'مادر' }),
      ...(said === 'tests'
        ? [
            t('board-test', { title: 'حال', state: t.plain('stage-done') }),
            t('board-test', { title: 'خانه', state: t.plain('stage-new') }),
          ]
        : [t(said, counted)]),
    ])
    const buttons = buttonsOf(view)
    expect(buttons.map(([data]) => data)).toEqual(offered)
    expect(view.text.endsWith(t('board-wait-others'))).toBe(!offered.includes('open:home'))
    const labels = {
      hand: t.plain('button-hand', { role: 'مادر' }),
      unhand: t.plain('button-unhand', { role: 'مادر' }),
    }
    for (const [data = '', label] of buttons.slice(offered.includes('open:home') ? 1 : 0))
      expect(label).toBe(data.startsWith('hand') ? labels.hand : labels.unhand)
  })

  test('the tests of another account are not named, only counted', () => {
    const group = {
      ...own(mother, at(MOOD, 'under way'), at(HOME, 'refused')),
      isHeld: false,
      hand: { isAccepted: true },
    }
    const { text } = boardView(t, board([group, own(child, at(PLAY, 'new'))]))
    expect(text).toContain(t('board-handed', { done: 0, total: 2 }))
    for (const told of [
      'حال',
      'خانه',
      t.plain('stage-refused'),
      t.plain('stage-question', { position: 42, total: 90 }),
    ])
      expect(text).not.toContain(told)
  })

  test('first the tests, then the roles', () => {
    const rows = (...roles: BoardGroup['role'][]) => {
      const groups = roles.map((role, index) => ({
        ...own(role, at(index === 0 ? MOOD : PLAY, 'new')),
        canHand: true,
      }))
      const { keyboard = [] } = boardView(t, board(groups))
      return keyboard.map((row) => row.map((each) => 'callback_data' in each && each.callback_data).join(' '))
    }
    expect(rows(mother, child)).toEqual(['open:mood', 'open:play', 'hand:kin:1', 'hand:kin:3'])
    // Two short labels share a row, which is read from the right.
    const named = rows({ ...mother, name: 'مریم' }, { ...child, name: 'سارا' })
    expect(named).toEqual(['open:mood', 'open:play', 'hand:kin:3 hand:kin:1'])
  })
})

describe('when every test is finished', () => {
  const reason = (text: string) => t('generation-failed-reason', { reason: text })
  const generate = ['generate:kin', t.plain('button-generate'), 'success']
  const retry = ['generate:kin', t.plain('button-retry'), 'success']

  test.each<[string, string[] | undefined, string[], string[]]>([
    ['the analysis can begin', undefined, [t('board-all-finished')], generate],
    ['it has failed without a reason', [], [t('board-failed')], retry],
    ['it has failed for a reason', ['کوتاه است'], [t('board-failed'), reason('کوتاه است')], retry],
    [
      'the reason is not written in Persian',
      ['KeyError: 7', '500', 'خطای timeout'],
      [t('board-failed')],
      retry,
    ],
    [
      'the reason names a mobile',
      ['۰۹۱۲۳۴۵۶۷۸۹ تکراری است'],
      [t('board-failed'), reason('… تکراری است')],
      retry,
    ],
    [
      'it has failed for many reasons',
      ['الف', 'b', 'ب', 'پ', 'ت'],
      [t('board-failed'), reason('الف'), reason('ب'), reason('پ')],
      retry,
    ],
    [
      'it has failed for a very long reason',
      ['چ'.repeat(301)],
      [t('board-failed'), reason(`${'چ'.repeat(299)}…`)],
      retry,
    ],
    ['a reason just fits', ['چ'.repeat(300)], [t('board-failed'), reason('چ'.repeat(300))], retry],
    ['the reason is markup', ['<ب>&'], [t('board-failed'), reason('<ب>&')], retry],
  ])('%s', (_, failure, said, button) => {
    const view = boardView(t, board([own(mother, at(MOOD, 'finished'))], { isAllFinished: true, failure }))
    expect(view.text.split('\n\n')).toEqual([
      t('board-title', { title: 'خانواده' }),
      t('board-test', { title: 'حال', state: t.plain('stage-done') }),
      ...said,
    ])
    expect(view.text).not.toContain('<ب>&')
    expect(buttonsOf(view)).toEqual([button])
  })

  test('in an English chat the reason is shown as it is', () => {
    const english = texts.for('en')
    const failed = board([own(mother, at(MOOD, 'finished'))], { isAllFinished: true, failure: ['too short'] })
    expect(boardView(english, failed).text).toContain(
      english('generation-failed-reason', { reason: 'too short' }),
    )
  })

  test('an account with an assigned role may begin the analysis as well', () => {
    const groups = [{ ...own(child, at(PLAY, 'finished')), hand: { isAccepted: true } }]
    const view = boardView(t, board(groups, { isAllFinished: true, isSeveral: true }))
    expect(view.text).toContain(t('board-role', { role: 'فرزند' }))
    expect(buttonsOf(view)).toEqual([generate])
  })
})
