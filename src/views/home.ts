import { BOARD_STAGES, type BoardStage } from '../domain/record/standing.ts'
import { shorten, type Translate } from '../texts/texts.ts'
import { buttons, type Target } from './buttons.ts'
import { groupsButton } from './groups.ts'
import { countsText } from './status.ts'
import { type NamedTest, openButton } from './tests.ts'
import {
  type Button,
  button,
  dayTimeText,
  inReadingOrder,
  lines,
  MOST_BUTTONS,
  paragraphs,
  rowsOf,
  timeText,
  type View,
} from './view.ts'

/** The counts on the organizers' board, and some counts of what is new since a time. */
export type BoardCounts = {
  /** How many people are at each stage. A stage without any is absent. */
  counts: ReadonlyMap<BoardStage, number>
  since: { opened: number; begun: number; delivered: number; stuck: number; waiting: number }
  /** Whether everything that was opened here is at exactly one stage. */
  isRight: boolean
  /** Whether the log of a former version was read. */
  wasRecounted: boolean
}

type Home = {
  board: BoardCounts
  unanswered: number
  /** Tests that an organizer has begun with this account, as a participant. */
  own: readonly NamedTest[]
  now: number
  isMore: boolean
}

/** The organizers' start screen: what happened today, who is at which stage, and the way to the rest. */
export function homeView(t: Translate, home: Home): View {
  const { board, unanswered, own, now } = home
  const { opened, begun, delivered } = board.since
  const { counts } = board
  const stages = BOARD_STAGES.filter((stage) => counts.has(stage))
  return {
    text: paragraphs(
      t('home-title', { time: timeText(t, now) }),
      lines(
        t('home-today', { opened, begun, delivered }),
        unanswered > 0 && t('home-unanswered', { count: unanswered }),
      ),
      countsText(t, counts, stages),
      !board.isRight && t('home-recount'),
      t('home-ways'),
      own.length > 0 && t('home-own', { count: own.length }),
    ),
    keyboard: homeRows(t, home),
  }
}

/** A button for each stage. Those that do not fit with them on a phone are behind one more button. */
function homeRows(t: Translate, { board, unanswered, own, isMore }: Home): Button[][] {
  const { counts } = board
  const stages = BOARD_STAGES.filter((stage) => counts.has(stage))
  // Buttons that are there only sometimes.
  const others = [...ownRow(t, own), ...(unanswered > 0 ? [[questionsButton(t, unanswered)]] : [])]
  const isFull = others.length + stages.length + 2 > MOST_BUTTONS
  const more = isFull ? button(t.plain('button-home-more'), buttons.home.data('more')) : groupsButton(t)
  const again = button(t.plain(isMore ? 'button-home' : 'button-home-again'), buttons.home.data())
  const ways = inReadingOrder([isMore ? groupsButton(t) : more, again], t.language)
  if (isMore) return [...others, ways]
  return [...(isFull ? [] : others), ...stageRows(t, stages, counts), ways]
}

const questionsButton = (t: Translate, count: number): Button =>
  button(t.plain('button-home-questions', { count }), buttons.questions.data())

/** A button for each stage, two in a row. */
const stageRows = (t: Translate, stages: readonly BoardStage[], counts: BoardCounts['counts']): Button[][] =>
  rowsOf(
    stages.map((stage) => {
      const label = { stage: t.plain(`board-stage-short.${stage}`), count: counts.get(stage) ?? 0 }
      return button(t.plain('button-stage', label), buttons.stage.data(stage, 1))
    }),
    2,
    t.language,
  )

/** The button to the one test, or to the list of several tests. */
function ownRow(t: Translate, own: readonly NamedTest[]): Button[][] {
  const [only] = own
  if (!only) return []
  if (own.length > 1)
    return [[button(t.plain('button-home-tests', { count: own.length }), buttons.testsPage.data(1))]]
  return [[openButton(t, only)]]
}

/** What is new since yesterday, with buttons to the stages that need attention. */
export function digestView(t: Translate, { counts, since }: BoardCounts, unanswered: number) {
  const [stuck, waiting] = [counts.get('stuck') ?? 0, counts.get('waiting') ?? 0]
  const needy = (['stuck', 'waiting'] as const).filter((stage) => counts.has(stage))
  return {
    text: lines(
      t('digest-title'),
      t('digest-done', { count: since.delivered }),
      t('digest-stuck', { count: stuck, fresh: since.stuck }),
      t('digest-waiting', { count: waiting }),
      t('digest-unanswered', { count: unanswered }),
    ),
    keyboard: [
      ...(unanswered > 0 ? [[questionsButton(t, unanswered)]] : []),
      ...stageRows(t, needy, counts),
      [button(t.plain('button-home'), buttons.home.data())],
    ],
  }
}

/** A person at a stage: who it is, as far as that is known, the test, and since when. */
export type StageItem = { target: Target; who: string; title: string; at: number; isFlagged: boolean }

type StageScreen = {
  stage: BoardStage
  items: readonly StageItem[]
  before: number
  count: number
  screen: number
}

export const ITEMS_A_SCREEN = 10
const LETTERS_A_LINE = 80
const LETTERS_A_NAME = 24

/** One screen of the people at a stage. Each button opens a card. */
export function stageView(t: Translate, { stage, items, before, count, screen }: StageScreen): View {
  const title = t('stage-title', { stage: t.plain(`board-stage.${stage}`), count })
  const cards = items.map(({ who, target }, index) => {
    const label = { number: before + index + 1, who: shorten(who, LETTERS_A_NAME) }
    return button(t.plain('button-stage-item', label), buttons.card.data(target))
  })
  const ways = [
    screen > 1 && button(t.plain('button-list-back'), buttons.stage.data(stage, screen - 1)),
    button(t.plain('button-home'), buttons.home.data()),
    before + items.length < count &&
      button(t.plain('button-list-next'), buttons.stage.data(stage, screen + 1)),
  ].filter((each) => each !== false)
  // Twelve buttons are enough. A full screen in the middle has no home button; the first screen has one.
  const row = ways.length + items.length > MOST_BUTTONS ? ways.filter((_, at) => at !== 1) : ways
  return {
    text: paragraphs(
      items.length > 0 ? title : t('stage-none', { stage: t.plain(`board-stage.${stage}`) }),
      items.map(({ who, title, at, isFlagged }, index) =>
        lines(
          t('stage-item', { number: before + index + 1, who: shorten(who, LETTERS_A_LINE) }),
          t('stage-item-since', { title: shorten(title, LETTERS_A_LINE), time: dayTimeText(t, at) }),
          isFlagged && t('stage-item-flagged'),
        ),
      ),
    ),
    keyboard: [...rowsOf(cards, 2, t.language), inReadingOrder(row, t.language)],
  }
}
