import { escapeHtml, shorten, type Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { noticeView, type Whose } from './organizer-notices.ts'
import { type Button, button, paragraphs, type View, withTextAbove } from './view.ts'

/** The upper limit for the letters of a question. */
export const MOST_LETTERS = 1_000
const LETTERS_QUOTED = 300

/** Leads to a person. Beside words that were no answer, the button sends those words. */
export const askButton = (t: Translate, s: string, hasWords = false): Button =>
  button(t.plain(hasWords ? 'button-ask-words' : 'button-ask'), buttons.ask.data(s))

/** Adds the way to a person. If the message has a contact keyboard, this way is a key of that keyboard. */
export function withAsk(t: Translate, s: string, view: View, hasWords = false): View {
  const { contactButton, keyboard = [] } = view
  const ask = askButton(t, s, hasWords)
  return contactButton
    ? { ...view, contactButton: { ...contactButton, ask: ask.text } }
    : { ...view, keyboard: [...keyboard, [ask]] }
}

/** Where to find help: first the organizer's own support text, then whom to reach. */
export const helpText = (t: Translate, { supportText = '' }: { supportText?: string | undefined }): string =>
  paragraphs(escapeHtml(supportText), t('help-first'))

type Asked = { id: string; text: string; whose: Whose; place: string; isRepeated: boolean }

/** A participant's question, as organizers read it; a reply to this message answers it. */
export function questionForOrganizers(t: Translate, { id, text, whose, place, isRepeated }: Asked): View {
  const head = t(isRepeated ? 'question-again' : 'question-came', { title: whose.title, place })
  const how = [[button(t.plain('button-asked'), buttons.asked.data(id))]]
  const { text: about, keyboard } = noticeView(t, { text: head, whose, offer: undefined, buttons: how })
  return { text: paragraphs(about, quoted(text), t('question-how')), keyboard }
}

/** An answer as the other organizers see it. */
export const answeredView = (t: Translate, by: string, text: string): View => ({
  text: paragraphs(t('question-answered', { by }), quoted(shorten(text, LETTERS_QUOTED))),
})

/** An answer as the participant sees it. What does not fit beside it is sent before it. */
export const answerView = (t: Translate, s: string, question: string, answer: string): View => {
  const head = paragraphs(t('answer-came'), quoted(shorten(question, LETTERS_QUOTED)))
  return withTextAbove({ text: escapeHtml(answer), keyboard: [[askButton(t, s)]] }, head)
}

const quoted = (text: string): string => `<blockquote>${escapeHtml(text)}</blockquote>`
