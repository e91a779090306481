import { isElsewhere, isOver, type Standing } from '../domain/record/standing.ts'
import { shorten, type Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { pageRow } from './page-row.ts'
import { openButton, standingText } from './standing.ts'
import type { View } from './view.ts'

export type ListedTest = {
  s: string
  standing: Standing
  title: string
  /** The case number, for tests that would look alike. */
  caseNumber?: string | undefined
}

/** So many stand on a page; with titles of so many letters it stays far within Telegram's limits. */
const TESTS_A_PAGE = 10
const LETTERS_A_TITLE = 200

/** Lists what was begun and what is ready, what is over last, each with the button that leads there. */
export function testsView(t: Translate, tests: readonly ListedTest[], page = 1): View {
  const ordered = [
    ...tests.filter(({ standing }) => !isOver(standing)),
    ...tests.filter(({ standing }) => isOver(standing)),
  ]
  const named = ordered.map((test, index) => ({
    ...test,
    title: nameAmong(tests, test),
    number: index + 1,
  }))
  const isAlone = ({ title }: ListedTest) => named.filter((other) => other.title === title).length === 1
  const pages = Math.max(1, Math.ceil(named.length / TESTS_A_PAGE))
  const shown = Math.min(Math.max(page, 1), pages)
  const listed = named.slice((shown - 1) * TESTS_A_PAGE, shown * TESTS_A_PAGE)
  const ways = listed.filter(({ standing }) => !isElsewhere(standing))
  return {
    text: [
      t('tests-title'),
      ...listed.map(({ number, title, standing }) =>
        t('tests-line', { number, title, state: standingText(t, standing) }),
      ),
    ].join('\n\n'),
    keyboard: [
      ...ways.map((test) => {
        const { number, title } = test
        return [openButton(t, test, isAlone(test) ? title : t.plain('tests-numbered', { number, title }))]
      }),
      ...pageRow(t, {
        previous: shown > 1 && buttons.testsPage.data(shown - 1),
        next: shown < pages && buttons.testsPage.data(shown + 1),
      }),
    ],
  }
}

/** A test that has come on while the chat is about another one: where it stands, and the way there. */
export function meanwhileView(t: Translate, test: Omit<ListedTest, 'caseNumber'>): View {
  const { title } = test
  return {
    text: t('meanwhile', { title, state: standingText(t, test.standing) }),
    keyboard: [[openButton(t, test, title)]],
  }
}

/** Its title; the case number tells apart what would look alike. */
function nameAmong(tests: readonly ListedTest[], { title, caseNumber }: ListedTest): string {
  const isAlone = tests.filter((other) => other.title === title).length === 1
  const name = shorten(title, LETTERS_A_TITLE)
  return isAlone || caseNumber === undefined || title.includes(caseNumber) ? name : `${name} · ${caseNumber}`
}
