import { nameAmong, roleLabel } from '../domain/record/names.ts'
import type { RoadmapRole } from '../domain/roadmap.ts'
import { shorten, type Translate } from '../texts/texts.ts'
import { buttons, tick } from './buttons.ts'
import { failureReasons, readableReasons } from './generation.ts'
import { type NamedTest, standingText } from './tests.ts'
import { type Button, button, fitsMessage, lines, MOST_ROWS, paragraphs, rowsOf, type View } from './view.ts'

/** A label of this length fits on half a row. */
const LETTERS_OF_HALF = 22

export type BoardGroup = {
  role: RoadmapRole
  tests: NamedTest[]
  /** This account answers the role's tests. */
  isHeld: boolean
  /** For an assigned role: whether an account has accepted it, and whether that account can go on now. */
  hand: { isAccepted: boolean; isTurn?: boolean } | undefined
  canHand: boolean
  canTakeBack: boolean
}

export type Board = {
  s: string
  title: string
  groups: BoardGroup[]
  /** The role of the person who had this phone last. Its tests come first. */
  holder?: number | undefined
  /** The role of the person who reads the board, where it is known. */
  self?: number | undefined
  /** Other records or roadmaps are under way, too, so the button of each test says whose it is. */
  isNamed?: boolean
  /** It was begun by the account of this chat. */
  isOwner?: boolean
  /** The analysis begins on request only. */
  isManual?: boolean
  /** The analysis is about to begin. */
  isSoon?: boolean
  /** There is a button for each test that is left, not only for the next ones. */
  isUnfolded?: boolean
  isAllFinished: boolean
  /** There is more than one role. */
  isSeveral: boolean
  /** Why the last analysis failed, if it did. */
  failure: readonly string[] | undefined
}

/** `isBrief`: the tests of each role are counted, where naming them does not fit in a message. */
type Extent = { isSeveral: boolean; isBrief: boolean; self?: number | undefined }

/** This many tests have buttons. The others are one more press away. */
const MOST_NEXT = 3
const LETTERS_A_BUTTON = 60

/**
 * Shows every test with its role and state, grouped by the phone that it is answered on, the next test, and
 * the buttons. Of another account's tests it shows only the count.
 */
export function boardView(t: Translate, board: Board): View {
  const { s, title, groups, holder, self, isAllFinished, isSeveral, failure } = board
  const left = testsLeft(groups, holder ?? self)
  const again = t.plain(failure ? 'button-retry' : 'button-generate')
  const textWith = (isBrief: boolean) =>
    paragraphs(
      t('board-title', { title }),
      phonesText(t, groups, { isSeveral, isBrief, self }),
      nextText(t, board, left[0]),
    )
  const whole = textWith(false)
  return {
    text: fitsMessage(whole) ? whole : textWith(true),
    keyboard: [
      ...testRows(t, board, left),
      ...handRows(t, s, groups),
      ...(isAllFinished ? [[button(again, buttons.generate.data(s), 'success')]] : []),
      ...ownerRows(t, board, left),
    ],
  }
}

type TestLeft = NamedTest & { role: RoadmapRole }

/** The tests that this account may answer now: first those of `holder`, then in the order of the board. */
export function testsLeft(groups: readonly BoardGroup[], holder?: number): TestLeft[] {
  const left = groups
    .filter(isOpenHere)
    .flatMap(({ role, tests }) => tests.map((test) => ({ ...test, role })))
    .filter(isLeftToDo)
  return [...left.filter(({ role }) => role.id === holder), ...left.filter(({ role }) => role.id !== holder)]
}

/** The roles answered here, and those on other phones. Where all are here, phones are not mentioned. */
function phonesText(t: Translate, groups: readonly BoardGroup[], how: Extent): string[] {
  const text = (group: BoardGroup) => groupText(t, group, how)
  const here = groups.filter(isOpenHere).map(text)
  const elsewhere = groups.filter((group) => !isOpenHere(group)).map(text)
  if (elsewhere.length === 0) return here
  return [...under(t('board-here'), here), ...under(t('board-elsewhere'), elsewhere)]
}

function nextText(t: Translate, board: Board, next: TestLeft | undefined) {
  const { isAllFinished, isSeveral, failure, isSoon, self } = board
  if (isAllFinished && failure)
    return paragraphs(t('board-failed'), failureReasons(t, readableReasons(t, failure)))
  if (isAllFinished) return t(isSoon ? 'board-all-finished-soon' : 'board-all-finished')
  if (!next) {
    const { groups, isOwner } = board
    const only = onlyLeft(board)
    if (only) return t('board-only-left', { name: nameIn(board, only) })
    return t(isOwner && !groups.some(isUnanswered) ? 'board-sending' : 'board-wait-others')
  }
  const { title, role } = next
  if (isSeveral && role.id === self) return t('board-next-own', { title })
  return isSeveral ? t('board-next-role', { title, role: roleLabel(role) }) : t('board-next', { title })
}

/** The only role with tests left, where the account that began has nothing more to do. */
function onlyLeft({ groups, isOwner }: Board): BoardGroup | undefined {
  const [only, ...others] = groups.filter(isUnanswered)
  return isOwner && others.length === 0 ? only : undefined
}

/** Answers that are being submitted need nothing more from a person. */
const isUnanswered = ({ tests }: BoardGroup): boolean =>
  tests.some(({ standing: { at } }) => at !== 'done' && at !== 'submitting')

const nameIn = ({ groups }: Board, { role }: BoardGroup): string =>
  nameAmong(
    role,
    groups.map((group) => group.role),
  )

/** The buttons of the account that began: to remind the last person, and to switch the automatic analysis. */
function ownerRows(t: Translate, board: Board, left: readonly TestLeft[]): Button[][] {
  const { s, groups, isOwner, isManual, isAllFinished, failure } = board
  if (!isOwner || !board.isSeveral || failure) return []
  const only = left.length === 0 && !isAllFinished ? onlyLeft(board) : undefined
  const name = only?.hand?.isTurn ? nameIn(board, only) : undefined
  const hasBegun = groups.some(({ tests }) => tests.some(({ standing }) => standing.at === 'done'))
  const mark = tick(!isManual)
  return [
    ...(name === undefined ? [] : [[button(t.plain('button-recall', { name }), buttons.recall.data(s))]]),
    ...(hasBegun
      ? [[button(t.plain('button-auto', { mark }), buttons.auto.data(s, isManual ? 'on' : 'off'))]]
      : []),
  ]
}

/** Asks the person who has begun for several people which of them they are. */
export const whoView = (t: Translate, s: string, roles: readonly RoadmapRole[]): View => ({
  text: t('which-are-you'),
  keyboard: roles.map((role) => [button(roleLabel(role), buttons.me.data(s, role.id))]),
})

/** The buttons that hand a role to another account, or take it back. */
function handRows(t: Translate, s: string, groups: readonly BoardGroup[]): Button[][] {
  const roles = groups.map(({ role }) => role)
  const ways = groups.flatMap(({ role, canHand, canTakeBack }): Button[] => {
    const name = { role: nameAmong(role, roles) }
    if (canHand) return [button(t.plain('button-hand', name), buttons.hand.data(s, role.id))]
    return canTakeBack ? [button(t.plain('button-unhand', name), buttons.unhand.data(s, role.id))] : []
  })
  if (ways.length === 0) return []
  return rowsOf(ways, ways.every(({ text }) => text.length <= LETTERS_OF_HALF) ? 2 : 1, t.language)
}

const under = (heading: string, [first, ...rest]: readonly string[]): string[] =>
  first === undefined ? [] : [`${heading}\n${first}`, ...rest]

/** While an invitation to a role waits, its tests are open to no account. */
const isOpenHere = ({ isHeld, hand }: BoardGroup): boolean => isHeld && (!hand || hand.isAccepted)

function groupText(t: Translate, group: BoardGroup, { isSeveral, isBrief, self }: Extent): string {
  const { role, tests, hand } = group
  const own = role.id === self && t('board-you')
  const head = isSeveral && (own || t('board-role', { role: roleLabel(role) }))
  const done = tests.filter(({ standing }) => standing.at === 'done').length
  const count = { done, total: tests.length }
  if (!isOpenHere(group)) return lines(head, t(hand?.isAccepted ? 'board-handed' : 'board-handing', count))
  if (isBrief) return lines(head, t('board-handed', count))
  const named = tests.map(({ title, standing }) =>
    t('board-test', { title, state: standingText(t, standing) }),
  )
  return lines(head, named)
}

const isLeftToDo = ({ standing: { at } }: NamedTest): boolean =>
  at !== 'done' && at !== 'submitting' && at !== 'apart'

/** The buttons of the next tests. Where more tests are left, one more button shows all of them. */
function testRows(
  t: Translate,
  { s, groups, isSeveral, isNamed, isUnfolded, self }: Board,
  left: readonly TestLeft[],
) {
  // The others get their buttons as these are finished.
  const rows = left.slice(0, isUnfolded ? MOST_ROWS : MOST_NEXT).map((test, index) => {
    const label = testLabel(t, test, (isNamed || isSeveral) && test.role.id !== self && groups)
    return [button(label, buttons.open.data(test.s), index === 0 ? 'primary' : undefined)]
  })
  if (left.length <= MOST_NEXT) return rows
  const fold = isUnfolded
    ? button(t.plain('button-next-tests'), buttons.tests.data(s, 'next'))
    : button(t.plain('button-all-tests', { count: left.length }), buttons.tests.data(s, 'all'))
  return [...rows, [fold]]
}

/** The person comes first, because Telegram cuts off the end of a long label. */
function testLabel(t: Translate, test: TestLeft, groups: readonly BoardGroup[] | false): string {
  const { title: whole, standing, role } = test
  const title = shorten(whole, LETTERS_A_BUTTON)
  const key = standing.at === 'new' ? 'button-board-begin' : 'button-board-continue'
  if (!groups) return t.plain(key, { title })
  const roles = groups.map((group) => group.role)
  return t.plain(`${key}-role`, { role: nameAmong(role, roles), title })
}
