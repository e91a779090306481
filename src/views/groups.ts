import { numberIn } from '../domain/persian/calendar.ts'
import type { BoardStage } from '../domain/record/standing.ts'
import type { NamedGroup } from '../storage/documents/groups.ts'
import { shorten, type Translate } from '../texts/texts.ts'
import { buttons, type Target } from './buttons.ts'
import {
  BRIEF_LABELS,
  type Button,
  button,
  dayTimeText,
  inReadingOrder,
  lines,
  pageRow,
  paragraphs,
  rowsOf,
  screenOf,
  type View,
} from './view.ts'

/** With the other buttons, this is no more than a phone shows at once. */
const GROUPS_A_SCREEN = 8
export const MEMBERS_A_SCREEN = 6
const LETTERS_A_NAME = 40

/** The name of a group, or the time of its invitations where it has none. */
export const groupName = (t: Translate, { name, at }: Pick<NamedGroup, 'name' | 'at'>): string =>
  name === '' ? t.plain('group-unnamed', { time: dayTimeText(t, at) }) : name

/** The groups of invitations, the newest first. A button opens its group, or filters a listing by it. */
export function groupsView(
  t: Translate,
  groups: readonly NamedGroup[],
  wanted: number,
  listing?: { id: string; screen: number },
): View {
  const at = screenOf(groups.length, GROUPS_A_SCREEN, wanted)
  const shown = groups.slice(at.before, at.before + GROUPS_A_SCREEN)
  const page = (to: number) => (listing ? buttons.filters.data(listing.id, to) : buttons.groups.data(to))
  return {
    text: groups.length === 0 ? t('groups-none') : t('groups-title'),
    keyboard: [
      ...shown.map((group) => {
        const name = shorten(groupName(t, group), LETTERS_A_NAME)
        const data = listing
          ? buttons.filterGroup.data(listing.id, 'group', group.id)
          : buttons.group.data(group.id, 1)
        return [button(t.plain('button-group', { name, count: group.count }), data)]
      }),
      ...pageRow(t, at, page, BRIEF_LABELS),
      ...(listing
        ? [[button(t.plain('button-list-return'), buttons.list.data(listing.id, listing.screen))]]
        : []),
    ],
  }
}

type Member = { target: Target; who: string; state: string; isFlagged: boolean }
type GroupScreen = {
  id: string
  name: string
  at: number
  counts: ReadonlyMap<BoardStage | 'unopened', number>
  members: readonly Member[]
  screen: number
  last: number
  canExport: boolean
}

/** One group: how many members are at each stage, and who they are, with the actions for all of them. */
export function groupView(t: Translate, group: GroupScreen): View {
  const { id, counts, members, screen, canExport } = group
  const before = (screen - 1) * MEMBERS_A_SCREEN
  const stages = [...counts].map(([stage, count]) =>
    t('status-stage', {
      stage: stage === 'unopened' ? t.plain('group-unopened') : t.plain(`board-stage.${stage}`),
      count,
    }),
  )
  const rows = members.map(({ who, state, isFlagged }, index) =>
    lines(
      t('group-member', { number: before + index + 1, who: shorten(who, LETTERS_A_NAME), state }),
      isFlagged && t('stage-item-flagged'),
    ),
  )
  const cards = members.map(({ target }, index) =>
    button(numberIn(t.language, before + index + 1), buttons.card.data(target)),
  )
  const stuck = counts.get('stuck') ?? 0
  const ways = [button(t.plain('button-group-name'), buttons.groupName.data(id, 'name'))]
  if (canExport) ways.push(button(t.plain('button-results'), buttons.groupResults.data(id, 'all')))
  return {
    text: paragraphs(lines(t('group-title', { name: groupName(t, group) }), stages), lines(rows)),
    keyboard: [
      ...rowsOf(cards, MEMBERS_A_SCREEN, t.language),
      ...pageRow(t, group, (to) => buttons.group.data(id, to), BRIEF_LABELS),
      ...(stuck > 0
        ? [[button(t.plain('button-group-nudge', { count: stuck }), buttons.groupNudge.data(id), 'primary')]]
        : []),
      inReadingOrder(ways, t.language),
    ],
  }
}

/** Asks whether to remind all members who are stuck, with their number. */
export const groupNudgeView = (t: Translate, id: string, name: string, count: number): View => ({
  text: t('group-nudge-ask', { name, count }),
  keyboard: yesTo(t, id, count),
})

type Reminded = { count: number; left: number; rest: number; most: number }

/** How many were reminded and how many were not to be. Where some have to wait, offers to remind them. */
export const groupNudgedView = (t: Translate, id: string, { count, left, rest, most }: Reminded): View => ({
  text: lines(t('group-nudged', { count, left }), rest > 0 && t('group-nudged-rest', { count: rest, most })),
  ...(rest > 0 && { keyboard: yesTo(t, id, rest) }),
})

const yesTo = (t: Translate, id: string, count: number): Button[][] => [
  [button(t.plain('button-group-nudge-yes', { count }), buttons.groupNudge.data(id, 'yes'), 'primary')],
]

/** The button to the groups. */
export const groupsButton = (t: Translate): Button => button(t.plain('button-groups'), buttons.groups.data(1))
