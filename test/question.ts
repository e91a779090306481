import type { WireMessage } from '../tools/emulator/emulator.ts'

/** A question as a message shows it, read from its buttons. */
export type ShownQuestion = {
  message: WireMessage
  text: string
  /** Counted from 1. */
  position: number
  revision: string
  s: string
  /** The labels of the answer buttons, and their data, in the order of the options. */
  options: string[]
  data: string[]
}

export function readQuestion(message: WireMessage | undefined, explain: () => string): ShownQuestion {
  const buttons = (message?.reply_markup?.inline_keyboard.flat() ?? [])
    .filter(({ callback_data }) => callback_data?.startsWith('a:'))
    .map(({ text, callback_data: data = '' }) => ({ text, data, option: Number(data.split(':')[3]) }))
    .toSorted((one, other) => one.option - other.option)
  const [, s = '', question, , revision = ''] = buttons[0]?.data.split(':') ?? []
  if (!message || question === undefined) throw new Error(`no question is shown\n${explain()}`)
  return {
    message,
    text: message.text ?? '',
    position: Number(question) + 1,
    revision,
    s,
    options: buttons.map(({ text }) => text),
    data: buttons.map(({ data }) => data),
  }
}
