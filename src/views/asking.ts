import { shorten, type Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

type AskedOption = {
  s: string
  position: number
  revision: number
  /** Of the question. */
  text: string
  option: number
  label: string
}

/** What still fits on a phone's button. */
const LETTERS_A_BUTTON = 34
const LETTERS_A_QUESTION = 1_000
const LETTERS_A_LABEL = 500

/** Asks whether a typed option is meant for this question: one press answers it, another leads to all of its options. */
export function askingView(t: Translate, { s, position, revision, text, option, label }: AskedOption): View {
  const number = option + 1
  const isShort = [...label].length <= LETTERS_A_BUTTON
  const name = isShort ? t.plain('option-label', { number, label }) : t.plain('option-number', { number })
  return {
    text: [
      t('question-text', { text: shorten(text, LETTERS_A_QUESTION) }),
      t('answer-asked', { number, label: shorten(label, LETTERS_A_LABEL) }),
    ].join('\n\n'),
    keyboard: [
      [button(name, buttons.answer.data(s, position, option, revision))],
      [button(t.plain('button-question-return', { position: position + 1 }), buttons.go.data(s, position))],
    ],
    protect: true,
  }
}
