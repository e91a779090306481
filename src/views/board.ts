import type { RoadmapRole } from '../domain/roadmap.ts'
import type { Translate } from '../texts/texts.ts'
import { type Button, button, type View } from './view.ts'

export type BoardTest = {
  s: string
  title: string
  state: { kind: 'new' | 'finished' | 'submitting' } | { kind: 'under-way'; answered: number; total: number }
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
  /** The last analysis failed. */
  hasFailed: boolean
}

/** Shows every test with its role and state, what is next, and the ways on. Of another account only the count. */
export function boardView(t: Translate, board: Board): View {
  const { s, title, groups, isAllFinished, isSeveral, hasFailed } = board
  const next = groups
    .filter(isOpenHere)
    .flatMap(({ tests }) => tests)
    .find(({ state }) => state.kind === 'under-way' || state.kind === 'new')
  return {
    text: [
      t('board-title', { title }),
      ...groups.map((group) => groupText(t, group, isSeveral)),
      isAllFinished
        ? t(hasFailed ? 'board-failed' : 'board-all-finished')
        : next
          ? t('board-next', { title: next.title })
          : t('board-wait-others'),
    ].join('\n\n'),
    keyboard: [
      ...groups.filter(isOpenHere).flatMap((group) => testRows(t, group, isSeveral)),
      ...groups.flatMap(({ role, canHand, canTakeBack }): Button[][] => {
        if (canHand) return [[button(t.plain('button-hand', { role: role.title }), `hand:${s}:${role.id}`)]]
        if (!canTakeBack) return []
        return [[button(t.plain('button-unhand', { role: role.title }), `unhand:${s}:${role.id}`)]]
      }),
      ...(isAllFinished ? [[button(t.plain('button-generate'), `generate:${s}`, 'success')]] : []),
    ],
  }
}

/** While an invitation to a role waits, its tests are open nowhere. */
const isOpenHere = ({ isHeld, hand }: BoardGroup): boolean => isHeld && (!hand || hand.isAccepted)

function groupText(t: Translate, group: BoardGroup, isSeveral: boolean): string {
  const { role, tests, hand } = group
  const head = isSeveral ? [t('board-role', { role: role.title })] : []
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
    case 'under-way':
      return state.answered === state.total
        ? t.plain('stage-review')
        : t.plain('stage-question', { position: state.answered + 1, total: state.total })
  }
}

function testRows(t: Translate, { role, tests }: BoardGroup, isSeveral: boolean): Button[][] {
  return tests
    .filter(({ state }) => state.kind === 'new' || state.kind === 'under-way')
    .map(({ s, title, state }) => {
      const key = state.kind === 'new' ? 'button-board-begin' : 'button-board-continue'
      return [button(t.plain(key, { title: isSeveral ? `${title} (${role.title})` : title }), `open:${s}`)]
    })
}

/** Stands between two persons on one phone. */
export function curtainView(
  t: Translate,
  { s, role, test }: { s: string; role: string; test: string },
): View {
  return {
    text: t('curtain', { role, test }),
    keyboard: [[button(t.plain('button-curtain', { role }), `ready:${s}`, 'primary')]],
  }
}
