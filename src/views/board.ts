import { roleLabel } from '../domain/record/whose.ts'
import type { RoadmapRole } from '../domain/roadmap.ts'
import { shorten } from '../texts/shorten.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { type Button, button, type View } from './view.ts'

const LETTERS_A_REASON = 300

export type BoardTest = {
  s: string
  title: string
  state:
    | { kind: 'new' | 'finished' | 'submitting' | 'refused' }
    | { kind: 'under-way'; answered: number; total: number }
}

export type BoardGroup = {
  role: RoadmapRole
  tests: BoardTest[]
  /** This account answers the role's tests. */
  isHeld: boolean
  hand: { isAccepted: boolean } | undefined
  canHand: boolean
  canTakeBack: boolean
}

export type Board = {
  s: string
  title: string
  groups: BoardGroup[]
  isAllFinished: boolean
  /** There is more than one role. */
  isSeveral: boolean
  /** Why the last analysis failed, if it did. */
  failure: readonly string[] | undefined
}

/** Shows every test with its role and state, what is next, and the ways on. Of another account only the count. */
export function boardView(t: Translate, board: Board): View {
  const { s, title, groups, isAllFinished, isSeveral, failure } = board
  const [next] = testsLeft(groups)
  const again = t.plain(failure ? 'button-retry' : 'button-generate')
  return {
    text: [
      t('board-title', { title }),
      ...groups.map((group) => groupText(t, group, isSeveral)),
      nextText(t, board, next),
    ].join('\n\n'),
    keyboard: [
      ...groups.filter(isOpenHere).flatMap((group) => testRows(t, group, isSeveral, next?.s)),
      ...groups.flatMap((group) => handRows(t, s, group)),
      ...(isAllFinished ? [[button(again, buttons.generate.data(s), 'success')]] : []),
    ],
  }
}

/** What this account may answer now, in the order of the board. */
export function testsLeft(groups: readonly BoardGroup[]): (BoardTest & { role: string })[] {
  return groups
    .filter(isOpenHere)
    .flatMap(({ role, tests }) => tests.map((test) => ({ ...test, role: roleLabel(role) })))
    .filter(({ state }) => isLeftToDo(state))
}

function nextText(
  t: Translate,
  { isAllFinished, isSeveral, failure }: Board,
  next: { title: string; role: string } | undefined,
): string {
  if (isAllFinished && failure) return [t('board-failed'), ...failureReasons(t, failure)].join('\n\n')
  if (isAllFinished) return t('board-all-finished')
  if (!next) return t('board-wait-others')
  const { title, role } = next
  return isSeveral ? t('board-next-role', { title, role }) : t('board-next', { title })
}

/** A role can be handed to another account, or taken back. */
function handRows(t: Translate, s: string, { role, canHand, canTakeBack }: BoardGroup): Button[][] {
  if (canHand)
    return [[button(t.plain('button-hand', { role: roleLabel(role) }), buttons.hand.data(s, role.id))]]
  if (!canTakeBack) return []
  return [[button(t.plain('button-unhand', { role: roleLabel(role) }), buttons.unhand.data(s, role.id))]]
}

/** The service's own words for a failure, as many as a board can bear. */
function failureReasons(t: Translate, reasons: readonly string[]): string[] {
  return reasons
    .slice(0, 3)
    .map((reason) => t('generation-failed-reason', { reason: shorten(reason, LETTERS_A_REASON) }))
}

/** While an invitation to a role waits, its tests are open nowhere. */
const isOpenHere = ({ isHeld, hand }: BoardGroup): boolean => isHeld && (!hand || hand.isAccepted)

function groupText(t: Translate, group: BoardGroup, isSeveral: boolean): string {
  const { role, tests, hand } = group
  const head = isSeveral ? [t('board-role', { role: roleLabel(role) })] : []
  if (!isOpenHere(group)) {
    const done = tests.filter(({ state }) => state.kind === 'finished').length
    return [
      ...head,
      t(hand?.isAccepted ? 'board-handed' : 'board-handing', { done, total: tests.length }),
    ].join('\n')
  }
  return [
    ...head,
    ...tests.map((test) => t('board-test', { title: test.title, state: stateText(t, test) })),
  ].join('\n')
}

function stateText(t: Translate, { state }: BoardTest): string {
  switch (state.kind) {
    case 'new':
      return t.plain('board-state-new')
    case 'finished':
      return t.plain('board-state-finished')
    case 'submitting':
      return t.plain('board-state-submitting')
    case 'refused':
      return t.plain('stage-refused')
    case 'under-way':
      return state.answered === state.total
        ? t.plain('stage-review')
        : t.plain('stage-question', { position: state.answered + 1, total: state.total })
  }
}

const isLeftToDo = ({ kind }: BoardTest['state']): boolean => kind !== 'finished' && kind !== 'submitting'

/** The role comes first: of a long label Telegram cuts off the end. */
function testRows(
  t: Translate,
  { role, tests }: BoardGroup,
  isSeveral: boolean,
  next: string | undefined,
): Button[][] {
  return tests
    .filter(({ state }) => isLeftToDo(state))
    .map(({ s, title, state }) => {
      const key = state.kind === 'new' ? 'button-board-begin' : 'button-board-continue'
      const label = isSeveral
        ? t.plain(`${key}-role`, { role: role.name ?? role.title, title })
        : t.plain(key, { title })
      return [button(label, buttons.open.data(s), s === next ? 'primary' : undefined)]
    })
}

/** Stands between two persons on one phone. */
export function curtainView(
  t: Translate,
  { s, role, name, test }: { s: string; role: string; name: string; test: string },
): View {
  return {
    text: t('curtain', { role, test }),
    keyboard: [[button(t.plain('button-curtain', { role: name }), buttons.ready.data(s), 'primary')]],
  }
}
