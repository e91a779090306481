import { ownNumbers } from '../domain/persian/option-number.ts'
import { milestoneAt, minutesLeft, type PlacedQuestion, type Question } from '../domain/questionnaire.ts'
import { personOf } from '../domain/record/names.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { perLanguage } from '../texts/languages.ts'
import { shorten, type Translate } from '../texts/texts.ts'
import { askButton } from './ask.ts'
import { buttons, tick } from './buttons.ts'
import {
  type Button,
  button,
  fitsMessage,
  inReadingOrder,
  MESSAGE_LIMIT,
  packMessages,
  paragraphs,
  rowsOf,
  type View,
  visibleLength,
  withTextAbove,
} from './view.ts'

export type ShownQuestion = {
  s: string
  placed: PlacedQuestion
  position: number
  total: number
  revision: number
  answered: number
  recommendedMinutes?: number | undefined
  allowBack: boolean
  /** One option a row. */
  isLarge?: boolean
  /** The page of the review that has this answered question. */
  reviewPage?: number
  /** The option chosen before, when an answered question is shown again. */
  chosen?: number | undefined
  /** Words that were no answer are above it. */
  hasWords?: boolean
}

/** The letters that fit on a phone's button in one, two, three … columns. Longer labels go into the text. */
const LETTERS_A_BUTTON = [34, 15, 9, 6, 4] as const
/** The letters that fit on a button where three are in a row. */
const LETTERS_OF_THIRD = 12
/** Telegram refuses more than 100 under one message. With so many options the number is typed. */
const MOST_BUTTONS = 90

/** Shows one question with its progress, its options, and the buttons below them. */
export function questionView(t: Translate, shown: ShownQuestion): View {
  const { s, position, revision, chosen } = shown
  const { words, labels, columns } = laidOut(t, shown)
  const answers = labels.map((label, index) =>
    button(tick(index === chosen) + label, buttons.answer.data(s, position, index, revision)),
  )
  const keyboard = [...rowsOf(answers, columns, t.language), ...ways(t, shown)]
  return { keyboard, protect: true, ...words }
}

const LETTERS_OF_HEADING = 40
const LETTERS_OF_END = 12

/** The heading of a test's questions while other tests are open as well: which test it is, and whose. */
export const headingOf = (file: RecordFile): string =>
  [file.test.title, personOf(file)].flatMap((part) => (part ? cut(part) : [])).join(' · ')

/** Tests of one family begin alike, so the end of the title stays. */
function cut(part: string): string {
  const letters = [...part]
  if (letters.length <= LETTERS_OF_HEADING) return part
  return shorten(part, LETTERS_OF_HEADING - LETTERS_OF_END) + letters.slice(-LETTERS_OF_END).join('')
}

export const headed = (t: Translate, view: View, heading: string | false | undefined): View =>
  withTextAbove(view, heading ? t('question-test', { title: heading }) : undefined)

type Words = Pick<View, 'text' | 'before'>
/** A laid-out question without its data: the text, the button labels, and the number of columns. */
type LaidOut = { words: Words; labels: string[]; columns: number }

/** The last layout of each open question. It serves the next participant who has the same progress. */
const known = perLanguage(() => new WeakMap<PlacedQuestion, LaidOut & { at: string }>())

/** Every answer shows the next question, and its layout is most of the cost, so an open one is kept. */
function laidOut(t: Translate, shown: ShownQuestion): LaidOut {
  const { placed, position, total, answered, recommendedMinutes, chosen, isLarge = false } = shown
  if (chosen !== undefined || position < answered) return layOut(t, shown)
  const at = `${position}/${total}/${answered}/${recommendedMinutes}/${isLarge}`
  const before = known(t.language).get(placed)
  if (before?.at === at) return before
  const fresh = { ...layOut(t, shown), at }
  known(t.language).set(placed, fresh)
  return fresh
}

function layOut(t: Translate, shown: ShownQuestion): LaidOut {
  const { placed, chosen, isLarge = false } = shown
  const { note, text } = placed.question
  const options = optionsOf(placed.question)
  const whole = options.map((option) => t.plain('option-label', option))
  const isMany = options.length > MOST_BUTTONS
  // Labels that are too long, or too many, for buttons are listed in the text; the buttons have the numbers.
  const isListed = isMany || longestOf(whole) > LETTERS_A_BUTTON[0]
  const listing = isListed ? options.map((option) => t('option-line', option)) : []
  const current = options[chosen ?? -1]
  const words = fitting(sectionTexts(t, placed), progressText(t, shown), [
    ...(note ? [t('question-note', { text: note })] : []),
    t('question-text', { text }),
    ...listing,
    ...(isMany ? [t('question-type', { options: placesOf(options) })] : []),
    ...(current ? [t('question-chosen', current)] : []),
  ])
  const labels = isListed ? (isMany ? [] : briefly(t, options)) : whole
  return { words, labels, columns: isLarge ? 1 : columnsFor(longestOf(labels), labels.length) }
}

/** The brief names of the options. If two of them would be equal, the labels keep their ends. */
function briefly(t: Translate, options: readonly Option[]): string[] {
  const brief = options.map((option) => briefOption(t.plain, option))
  return new Set(brief).size < brief.length ? options.map(({ label }) => cut(label)) : brief
}

const longestOf = (labels: readonly string[]): number => Math.max(...labels.map((label) => [...label].length))

/** An option as it is named: our number, which is 0 where labels have their own numbers, and its label. */
type Option = { number: number; label: string }

/** The options of a question as every view names them. */
export function optionsOf({ options }: Question): Option[] {
  const hasOwn = ownNumbers(options.map(({ label }) => label)) !== undefined
  return options.map(({ label }, index) => ({ number: hasOwn ? 0 : index + 1, label }))
}

/** The highest number by which an option is typed; 0 where the labels have their own numbers. */
export const placesOf = (options: readonly Option[]): number => options.at(-1)?.number ?? 0

/** Names an option where its label has no room. */
export const briefOption = (say: Translate['plain'], { number, label }: Option): string =>
  number > 0
    ? say('option-number', { number })
    : say('option-label', { number, label: shorten(label, LETTERS_A_BUTTON[0]) })

/** The progress. At an earlier answer it has no time. On the way an encouragement is added. */
function progressText(t: Translate, shown: ShownQuestion): string {
  const { position, total, answered } = shown
  const at = { position: position + 1, total }
  if (position < answered) return t('question-progress-bare', at)
  const milestone = milestoneAt(position, total)
  const progress = t('question-progress', { ...at, minutes: minutesLeft({ ...shown, questions: total }) })
  return milestone ? `${progress}\n${t(`milestone-${milestone}`)}` : progress
}

/** A section is introduced with its first question. */
function sectionTexts(t: Translate, { opens, section, about }: PlacedQuestion): string[] {
  const title = opens ?? ''
  const head = section ? t('question-section-of', { ...section, title }) : t('question-section', { title })
  return [...(opens ? [head] : []), ...(about ? [t('question-note', { text: about })] : [])]
}

/** The buttons back, forward to the first open question, and to continue later. */
function ways(t: Translate, shown: ShownQuestion): Button[][] {
  const { s, position, answered, total, allowBack, reviewPage = 0, hasWords } = shown
  const pause = button(t.plain('button-pause'), buttons.pause.data(s))
  const back = button(t.plain('button-question-back'), buttons.go.data(s, position - 1))
  const ask = askButton(t, s, hasWords)
  const row = allowBack && position > 0 ? [back, pause] : [pause]
  const isWide = row.length > 1 && [...row, ask].some(({ text }) => text.length > LETTERS_OF_THIRD)
  const last =
    hasWords || isWide
      ? [[ask], inReadingOrder(row, t.language)]
      : [inReadingOrder([...row, ask], t.language)]
  if (position >= answered) return last
  if (answered < total) return [[returnButton(t, s, answered)], ...last]
  return [[button(t.plain('button-review'), buttons.review.data(s, reviewPage))], ...last]
}

const returnButton = (t: Translate, s: string, position: number): Button =>
  button(t.plain('button-question-return', { position: position + 1 }), buttons.go.data(s, position))

/** Short labels share a row. Two rows of equal length read better than one full and one short row. */
function columnsFor(longest: number, count: number): number {
  const fits = LETTERS_A_BUTTON.filter((letters) => longest <= letters).length
  if (count <= fits) return count
  return fits >= 2 && count % fits !== 0 && count % (fits - 1) === 0 ? fits - 1 : Math.max(fits, 1)
}

/** The text at the buttons. What does not fit is sent before it, except the progress and the last part. */
function fitting(section: string[], progress: string, body: string[]): Words {
  const text = [...section, progress, ...body].join('\n\n')
  if (fitsMessage(text)) return { text }
  const room = MESSAGE_LIMIT - visibleLength(`${progress}\n\n`)
  const messages = packMessages([...section, ...body], room)
  return { before: messages.slice(0, -1), text: `${progress}\n\n${messages.at(-1)}` }
}

type AskedOption = {
  s: string
  position: number
  revision: number
  question: Question
  option: number
}

const LETTERS_A_QUESTION = 1_000
const LETTERS_A_LABEL = 500

/** Asks whether a typed option is meant for this question. One press answers, another shows all options. */
export function askingView(t: Translate, asked: AskedOption): View {
  const { s, position, revision, question, option } = asked
  const { number, label } = optionsOf(question)[option] ?? { number: 0, label: '' }
  const isShort = [...label].length <= LETTERS_A_BUTTON[0]
  const name = isShort ? t.plain('option-label', { number, label }) : briefOption(t.plain, { number, label })
  return {
    text: paragraphs(
      t('question-text', { text: shorten(question.text, LETTERS_A_QUESTION) }),
      t('answer-asked', { number, label: shorten(label, LETTERS_A_LABEL) }),
    ),
    keyboard: [
      [button(name, buttons.answer.data(s, position, option, revision))],
      [returnButton(t, s, position)],
    ],
    protect: true,
  }
}
