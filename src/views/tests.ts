import { isElsewhere, isOver, type Standing } from '../domain/record/standing.ts'
import { type SimpleTextKey, shorten, type Translate } from '../texts/texts.ts'
import { askButton } from './ask.ts'
import { buttons } from './buttons.ts'
import { type Button, button, pageRow, paragraphs, screenOf, type View } from './view.ts'

/** Where a test stands, in words. */
export function standingText(t: Translate, standing: Standing): string {
  if (standing.at !== 'questions') return t.plain(`stage-${standing.at}`)
  const { answered, total } = standing
  if (answered === total) return t.plain('stage-review')
  return t.plain('stage-question', { position: answered + 1, total })
}

/** A test as it is named: what it is called here, and how far it has come. */
export type NamedTest = { s: string; title: string; standing: Standing }

/** Of a longer label Telegram cuts off the end. */
const LETTERS_A_BUTTON = 40
const LEAST_LETTERS = 8

/** Cuts what a test is called to so many letters: the title gives way to whose it is, and a long package to both. */
export function shortenTitle(title: string, most: number): string {
  const [first, last] = [title.indexOf(' · '), title.lastIndexOf(' · ')]
  for (const end of [first, last]) {
    const left = most - [...title.slice(end)].length
    if (end > 0 && left >= LEAST_LETTERS) return shorten(title.slice(0, end), left) + title.slice(end)
  }
  return first < last ? shortenTitle(title.slice(0, last), most) : shorten(title, most)
}

const onButton = ({ title }: Pick<NamedTest, 'title'>): string => shortenTitle(title, LETTERS_A_BUTTON)

/** The button that leads to a test, with its number where it may look like another one. */
export function openButton(t: Translate, test: NamedTest, number?: number): Button {
  const { s, standing } = test
  const { at } = standing
  const short = onButton(test)
  const title = number === undefined ? short : t.plain('tests-numbered', { number, title: short })
  if (at === 'done') return button(t.plain('button-tests-result', { title }), buttons.result.data(s))
  const way = at === 'new' ? 'begin' : at === 'waiting' ? 'look' : 'open'
  return button(t.plain(`button-tests-${way}`, { title }), buttons.open.data(s))
}

/** What the service says of the state of a record or roadmap. */
export type ServiceState = { status: number | null; isFinished: boolean; needsProfile: boolean }

const OF_STATUS: ReadonlyMap<number | null, SimpleTextKey> = new Map([
  [null, 'service-unread'],
  [0, 'service-waiting'],
  [1, 'service-scoring'],
  [3, 'service-progress'],
  [4, 'service-analysis'],
])

/** The same in words (spec, States). */
export function serviceStateText(t: Translate, { status, isFinished, needsProfile }: ServiceState): string {
  if (isFinished) return t.plain('service-finished')
  const ready = needsProfile ? 'service-ready' : 'service-ready-profile'
  return t.plain(OF_STATUS.get(status) ?? ready)
}

/** A test in a list: its number, what it is called, and where it stands. */
export const testLine = (
  t: Translate,
  { number, title, standing }: Omit<NamedTest, 's'> & { number: number },
): string => t('tests-line', { number, title, state: standingText(t, standing) })

/** That so many tests have no button, where there are such. */
export const moreTests = (t: Translate, count: number) => count > 0 && t('tests-more', { count })

/** The case number is for tests that would look alike. */
export type ListedTest = NamedTest & { caseNumber?: string | undefined }

/** So many stand on a page; with titles of so many letters it stays far within Telegram's limits. */
const TESTS_A_PAGE = 10
const LETTERS_A_TITLE = 200

/** Lists what was begun and what is ready, what is over last, each with the button that leads there. */
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

/** A test that has come on while the chat is about another one: where it stands, and the way there. */
export const meanwhileView = (t: Translate, test: NamedTest): View => ({
  text: t('meanwhile', { title: test.title, state: standingText(t, test.standing) }),
  keyboard: [[openButton(t, test)]],
})

/** The test is finished; the result can be had again. */
export const resultReadyView = (t: Translate, { s, title }: { s: string; title: string }): View => ({
  text: t('result-ready', { title }),
  keyboard: [[button(t.plain('button-result'), buttons.result.data(s))], [askButton(t, s)]],
})

/** Its title; the case number tells apart what would look alike. */
function nameAmong(tests: readonly ListedTest[], { title, caseNumber }: ListedTest): string {
  const isAlone = tests.filter((other) => other.title === title).length === 1
  const name = shortenTitle(title, LETTERS_A_TITLE)
  return isAlone || caseNumber === undefined || title.includes(caseNumber) ? name : `${name} · ${caseNumber}`
}
