import { isElsewhere, isOver, type Standing } from '../domain/record/standing.ts'
import { type SimpleTextKey, shorten, type Translate } from '../texts/texts.ts'
import { askButton } from './ask.ts'
import { buttons } from './buttons.ts'
import { type Button, button, pageRow, paragraphs, screenOf, type View } from './view.ts'

/** The standing of a test in words. */
export function standingText(t: Translate, standing: Standing): string {
  if (standing.at !== 'questions') return t.plain(`stage-${standing.at}`)
  const { answered, total } = standing
  if (answered === total) return t.plain('stage-review')
  return t.plain('stage-question', { position: answered + 1, total })
}

/** A test as it is named: its title, and its standing. */
export type NamedTest = { s: string; title: string; standing: Standing }

/** Telegram cuts off the end of a longer label. */
const LETTERS_A_BUTTON = 40
const LEAST_LETTERS = 8

/** Cuts a title to `most` letters. What follows « · », such as the person, is kept where possible. */
export function shortenTitle(title: string, most: number): string {
  const [first, last] = [title.indexOf(' · '), title.lastIndexOf(' · ')]
  for (const end of [first, last]) {
    const left = most - [...title.slice(end)].length
    if (end > 0 && left >= LEAST_LETTERS) return shorten(title.slice(0, end), left) + title.slice(end)
  }
  return first < last ? shortenTitle(title.slice(0, last), most) : shorten(title, most)
}

const onButton = ({ title }: Pick<NamedTest, 'title'>): string => shortenTitle(title, LETTERS_A_BUTTON)

/** The button that opens a test, with its number where it may look like another one. */
export function openButton(t: Translate, test: NamedTest, number?: number): Button {
  const { s, standing } = test
  const { at } = standing
  const short = onButton(test)
  const title = number === undefined ? short : t.plain('tests-numbered', { number, title: short })
  if (at === 'done') return button(t.plain('button-tests-result', { title }), buttons.result.data(s))
  const way = at === 'new' ? 'begin' : at === 'waiting' ? 'look' : 'open'
  return button(t.plain(`button-tests-${way}`, { title }), buttons.open.data(s))
}

/** The state of a record or roadmap according to the service. */
export type ServiceState = { status: number | null; isFinished: boolean; needsProfile: boolean }

const OF_STATUS: ReadonlyMap<number | null, SimpleTextKey> = new Map([
  [null, 'service-unread'],
  [0, 'service-waiting'],
  [1, 'service-scoring'],
  [3, 'service-progress'],
  [4, 'service-analysis'],
])

/** The state in the service, in words (spec, States). */
export function serviceStateText(t: Translate, { status, isFinished, needsProfile }: ServiceState): string {
  if (isFinished) return t.plain('service-finished')
  const ready = needsProfile ? 'service-ready' : 'service-ready-profile'
  return t.plain(OF_STATUS.get(status) ?? ready)
}

/** A test in a list: its number, title and standing. */
export const testLine = (
  t: Translate,
  { number, title, standing }: Omit<NamedTest, 's'> & { number: number },
): string => t('tests-line', { number, title, state: standingText(t, standing) })

/** Says how many tests have no button, if there are any. */
export const moreTests = (t: Translate, count: number) => count > 0 && t('tests-more', { count })

/** The case number is for tests that would look alike. */
export type ListedTest = NamedTest & { caseNumber?: string | undefined }

/** This many are on a page. With titles of this length it stays far within Telegram's limits. */
const TESTS_A_PAGE = 10
const LETTERS_A_TITLE = 200

/** Lists the tests that were begun or are ready, finished ones last, each with the button that opens it. */
export function testsView(t: Translate, tests: readonly ListedTest[], page = 1): View {
  const ordered = [
    ...tests.filter(({ standing }) => !isOver(standing)),
    ...tests.filter(({ standing }) => isOver(standing)),
  ]
  const named = ordered.map((test, index) => ({ ...test, title: nameAmong(tests, test), number: index + 1 }))
  const isAlone = (test: ListedTest) =>
    named.filter((other) => onButton(other) === onButton(test)).length === 1
  const at = screenOf(named.length, TESTS_A_PAGE, page)
  const listed = named.slice(at.before, at.before + TESTS_A_PAGE)
  const ways = listed.filter(({ standing }) => !isElsewhere(standing))
  return {
    text: paragraphs(
      t('tests-title'),
      listed.map((test) => testLine(t, test)),
    ),
    keyboard: [
      ...ways.map((test) => [openButton(t, test, isAlone(test) ? undefined : test.number)]),
      ...pageRow(t, at, buttons.testsPage.data),
    ],
  }
}

/** A test that has moved on while the chat is about another one: its standing, and the button to it. */
export const meanwhileView = (t: Translate, test: NamedTest): View => ({
  text: t('meanwhile', { title: test.title, state: standingText(t, test.standing) }),
  keyboard: [[openButton(t, test)]],
})

/** The test is finished. A button sends the result again. */
export const resultReadyView = (t: Translate, { s, title }: { s: string; title: string }): View => ({
  text: t('result-ready', { title }),
  keyboard: [[button(t.plain('button-result'), buttons.result.data(s))], [askButton(t, s)]],
})

/** The title of a test. The case number distinguishes titles that would look alike. */
function nameAmong(tests: readonly ListedTest[], { title, caseNumber }: ListedTest): string {
  const isAlone = tests.filter((other) => other.title === title).length === 1
  const name = shortenTitle(title, LETTERS_A_TITLE)
  return isAlone || caseNumber === undefined || title.includes(caseNumber) ? name : `${name} · ${caseNumber}`
}
