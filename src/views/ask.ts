import { escapeHtml, shorten, type Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { noticeView, type Whose } from './organizer-notices.ts'
import { type Button, button, paragraphs, type View, withWord } from './view.ts'

/** A question has so many letters at most. */
export const MOST_LETTERS = 1_000
const LETTERS_QUOTED = 300

/** Leads to a person; beside words that were no answer it sends them. */
export const askButton = (t: Translate, s: string, hasWords = false): Button =>
  button(t.plain(hasWords ? 'button-ask-words' : 'button-ask'), buttons.ask.data(s))

/** Adds the way to a person; in a message with a keyboard under the input it is a line there, which is typed. */
export function withAsk(t: Translate, s: string, view: View, hasWords = false): View {
  const { contactButton, keyboard = [] } = view
  const ask = askButton(t, s, hasWords)
  return contactButton
    ? { ...view, contactButton: { ...contactButton, ask: ask.text } }
    : { ...view, keyboard: [...keyboard, [ask]] }
}

/** Where there is help: the organizer's own words of support first, then whom to reach. */
export const helpText = (t: Translate, { supportText = '' }: { supportText?: string | undefined }): string =>
  paragraphs(escapeHtml(supportText), t('help-first'))

type Told = { id: string; text: string; whose: Whose; place: string; isRepeated: boolean }

/** A participant's question, as organizers read it; a reply to this message answers it. */
export function questionForOrganizers(t: Translate, { id, text, whose, place, isRepeated }: Told): View {
  const head = t(isRepeated ? 'question-again' : 'question-came', { title: whose.title, place })
  const how = [[button(t.plain('button-asked'), buttons.asked.data(id))]]
  const { text: about, keyboard } = noticeView(t, { text: head, whose, offer: undefined, buttons: how })
  return { text: paragraphs(about, quoted(text), t('question-how')), keyboard }
}

/** What the other organizers see of an answer. */
export const answeredView = (t: Translate, by: string, text: string): View => ({
  text: paragraphs(t('question-answered', { by }), quoted(shorten(text, LETTERS_QUOTED))),
})

/** An answer as it reaches the participant; what does not fit beside it goes before it. */
export const answerView = (t: Translate, s: string, question: string, answer: string): View => {
  const head = paragraphs(t('answer-came'), quoted(shorten(question, LETTERS_QUOTED)))
  return withWord({ text: escapeHtml(answer), keyboard: [[askButton(t, s)]] }, head)
}

const quoted = (text: string): string => `<blockquote>${escapeHtml(text)}</blockquote>`
