import type { WireMessage } from '../tools/emulator/emulator.ts'
import { word } from './words.ts'

/** The subject of the chat, as the person sees it in the bot's newest message. */
export type Place = (typeof signs)[number][0] | (typeof saidThere)[number][0] | 'board'

/** Most places are recognised by a button … */
const signs = [
  ['introduction', /^begin:/],
  ['name-confirm', /^name:ok/],
  ['waiting', /^refresh:/],
  ['birth', /^birth:/],
  ['guardian', /^guardian:/],
  ['gender', /^gender:/],
  ['mobile-confirm', /^mobile:ok/],
  ['summary', /^profile:ok/],
  ['code', /^sms:again/],
  ['question', /^a:/],
  ['review', /^submit:/],
  ['hand-over', /^ready:/],
  ['paused', /^open:/],
  ['refused', /^retry:/],
  ['result-ready', /^result:/],
] as const

/** … places where a text is to be typed, by the bot's message … */
const saidThere = [
  ['name', word('name-ask')],
  ['name', 'نام و نام خانوادگی '],
  ['mobile', word('mobile-ask').slice(0, 40)],
  ['elsewhere', word('finished-elsewhere')],
] as const

/** … and a board by a button that no other message has, or by the end of its text. */
const boardSign = /^(generate|auto):/

const boardEndings = [
  word('board-next', { title: '' }),
  word('board-wait-others'),
  word('board-sending'),
  word('board-all-finished'),
  word('board-all-finished-soon'),
  word('board-only-left', { name: '' }).split('.')[0] ?? '',
  word('board-failed'),
  word('generating').split('.')[0] ?? '',
  word('generated', { title: '' }).split('»')[1] ?? '',
  word('generated-organizer', { title: '' }).split('»')[1] ?? '',
  word('report-there', { title: '' }).split('»')[1] ?? '',
  word('report-there-organizer', { title: '' }).split('»')[1] ?? '',
].map((ending) => withoutMarks(ending).trim())

export function placeOf(message: WireMessage): Place | undefined {
  if (isBoard(message)) return 'board'
  const data = dataOf(message)
  const byButton = signs.find(([, sign]) => data.some((each) => sign.test(each)))
  return byButton?.[0] ?? saidThere.find(([, said]) => message.text?.includes(said))?.[0]
}

export function isBoard(message: WireMessage): boolean {
  // Another version of the bot may have written it with other words.
  if (dataOf(message).some((data) => boardSign.test(data))) return true
  const clean = withoutMarks(message.text ?? '')
  // «آزمون بعدی مادر: …» is the form for several people.
  if (/^آزمون بعدی [^،\n]+: /m.test(clean)) return true
  return boardEndings.some((ending) => clean.includes(ending))
}

/** The data of the buttons under a message. */
export const dataOf = ({ reply_markup }: WireMessage): string[] =>
  (reply_markup?.inline_keyboard.flat() ?? []).flatMap(({ callback_data }) => callback_data ?? [])

/** Direction marks surround the values in a text. */
function withoutMarks(text: string): string {
  return text.replace(/[\u200e\u200f\u2068\u2069]/g, '')
}
