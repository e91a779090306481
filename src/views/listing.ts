import { numberIn } from '../domain/persian/calendar.ts'
import type { Standing } from '../domain/record/standing.ts'
import type { ListedItem, Listing } from '../storage/documents/organizer-state.ts'
import { shorten, type Translate } from '../texts/texts.ts'
import { buttons, TICK, tick } from './buttons.ts'
import { moreTests, serviceStateText, standingText } from './tests.ts'
import {
  BRIEF_LABELS,
  type Button,
  button,
  inReadingOrder,
  lines,
  pageRow,
  paragraphs,
  rowsOf,
  timeText,
  type View,
} from './view.ts'

/** An item of a listing: with its standing here, if it was begun here. */
export type ListedRow = ListedItem & { standing?: Standing | undefined; isFlagged: boolean }

type Filters = Pick<Listing, 'id' | 'finished' | 'male' | 'kindId' | 'kinds' | 'group'>

type ListingScreen = Filters &
  Pick<Listing, 'kind' | 'text' | 'count' | 'at' | 'screen'> & {
    /** The number of items before the first one of this screen. */
    before: number
    items: readonly ListedRow[]
    hasNext: boolean
    isTooLong: boolean
  }

const LETTERS_A_TITLE = 80
const LETTERS_A_BUTTON = 30
const CARDS_A_ROW = 5
/** With the other filters, this is no more than a phone shows at once. */
const MOST_KINDS = 6

/** A screen of records or roadmaps: number, title, participant and state, with the search and its filters. */
export function listingView(t: Translate, listing: ListingScreen): View {
  const { kind, text, count, at, before, items, isTooLong, group } = listing
  const head = lines(
    t(kind === 'record' ? 'list-records-title' : 'list-roadmaps-title'),
    text !== '' && t('list-search', { text }),
    group && t('group-title', { name: group.name }),
    items.length === 0
      ? t('list-none')
      : t('list-count', { count, from: before + 1, to: before + items.length }),
    t('list-at', { time: timeText(t, at) }),
  )
  const found = items.map((item, index) =>
    lines(rowText(t, item, before + index + 1), item.isFlagged && t('stage-item-flagged')),
  )
  return {
    text: paragraphs(head, found, isTooLong && t('list-long')),
    keyboard: [...cardRows(t, listing), ...navigationRows(t, listing)],
  }
}

function rowText(
  t: Translate,
  { title: whole, person, standing, ...service }: ListedRow,
  number: number,
): string {
  const title = shorten(whole, LETTERS_A_TITLE)
  const state = standing ? standingText(t, standing) : serviceStateText(t, service)
  if (person !== undefined)
    return t('list-item', { number, title, person: shorten(person, LETTERS_A_TITLE), state })
  // A profile, or a finished test, belongs to a person, even if the person is unknown here.
  const isFree = service.needsProfile && !service.isFinished && standing === undefined
  return isFree
    ? t('list-item', { number, title, person: t.plain('list-nobody'), state })
    : t('list-item-unnamed', { number, title, state })
}

/** The filters of a listing, on a separate screen. */
export const filtersView = (t: Translate, listing: Filters & Pick<Listing, 'text' | 'screen'>): View => ({
  text: paragraphs(
    t('list-filters'),
    listing.text !== '' && t('list-search', { text: listing.text }),
    !listing.group && moreTests(t, listing.kinds.length - MOST_KINDS),
  ),
  keyboard: [
    ...filterRows(t, listing),
    [groupFilter(t, listing)],
    [button(t.plain('button-list-return'), buttons.list.data(listing.id, listing.screen))],
  ],
})

function cardRows(t: Translate, { kind, before, items }: ListingScreen): Button[][] {
  const cards = items.map(({ token, kind: own = kind }, index) =>
    button(numberIn(t.language, before + index + 1), buttons.card.data({ kind: own, token })),
  )
  return rowsOf(cards, CARDS_A_ROW, t.language)
}

function navigationRows(t: Translate, { id, screen, hasNext, ...set }: ListingScreen): Button[][] {
  const isFiltered = [set.finished, set.male, set.kindId, set.group].some((each) => each !== undefined)
  const last = hasNext ? screen + 1 : screen
  const filters = button(t.plain('button-list-filters', { mark: tick(isFiltered) }), buttons.filters.data(id))
  const again = button(t.plain('button-list-again'), buttons.relist.data(id))
  const pages = pageRow(t, { screen, last }, (to) => buttons.list.data(id, to), BRIEF_LABELS)
  return [...pages, inReadingOrder([filters, again], t.language)]
}

/** The two buttons of each filter. */
const TOGGLES = {
  finished: { true: 'button-filter-finished', false: 'button-filter-unfinished' },
  male: { true: 'button-filter-male', false: 'button-filter-female' },
} as const

/** A filter that is on has a mark. The same button takes the filter away. */
function filterRows(t: Translate, { id, finished, male, kindId, kinds, group }: Filters): Button[][] {
  const current = { finished, male }
  // Of a group, this bot knows only who has finished.
  const names = group ? (['finished'] as const) : (['finished', 'male'] as const)
  const pairs = names.map((name) => {
    const sides = (['true', 'false'] as const).map((side) => {
      const isOn = current[name] === (side === 'true')
      const label = t.plain(TOGGLES[name][side], { mark: tick(isOn) })
      return button(label, buttons.filter.data(id, name, isOn ? 'any' : side))
    })
    return inReadingOrder(sides, t.language)
  })
  const choices = !group && (kinds.length > 1 || kindId !== undefined) ? kinds.slice(0, MOST_KINDS) : []
  return [
    ...pairs,
    ...choices.map((each, index) => {
      const isOn = each.id === kindId
      const title = shorten(each.title, LETTERS_A_BUTTON)
      const label = t.plain('button-filter-kind', { mark: tick(isOn), title })
      return [button(label, buttons.filterKind.data(id, 'kind', isOn ? 'any' : String(index)))]
    }),
  ]
}

/** The button to choose a group. Where one is chosen, the button takes that filter away. */
const groupFilter = (t: Translate, { id, group }: Filters): Button =>
  group
    ? button(
        t.plain('button-filter-kind', { mark: TICK, title: shorten(group.name, LETTERS_A_BUTTON) }),
        buttons.filterGroup.data(id, 'group', 'any'),
      )
    : button(t.plain('button-groups'), buttons.filters.data(id, 1))
