import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, paragraphs, type View } from './view.ts'

type CodeRequest = {
  mobile: string
  minutes: number
  /** Nobody is to wait for another SMS. */
  isAgain: boolean
  /** So many codes were sent that none seems to come. */
  isHelp: boolean
}

/** Asks for the SMS code: who sends it, how long it holds, that it is never Telegram's own; `isAgain`: for the same one. */
export const codeView = (t: Translate, { isHelp, isAgain, ...request }: CodeRequest): View =>
  withWaysOut(t, t(isAgain ? 'code-ask-again' : 'code-ask', request), isHelp)

/** Says that the code is over, and offers another one. */
export const codeExpiredView = (t: Translate, isHelp: boolean): View =>
  withWaysOut(t, t('code-expired'), isHelp)

/** Too many codes were wrong: this one is not taken any more. */
export const codeSpentView = (t: Translate): View => withWaysOut(t, t('code-spent'))

/** Says that nobody knows whether an SMS is on its way, and offers another one. */
export const smsUnclearView = (t: Translate, mobile: string): View =>
  withWaysOut(t, t('sms-unclear', { mobile }))

/** A new code, or another mobile, without typing the rest again; and why none may come, with who can help. */
const withWaysOut = (t: Translate, text: string, isHelp = false): View => ({
  text: paragraphs(text, isHelp && t('code-reasons')),
  keyboard: (['again', 'mobile'] as const).map((way) => [
    button(t.plain(`button-sms-${way}`), buttons.sms.data(way)),
  ]),
})

/** What stands against another SMS: the cool-down, the limit of an hour or of a day in Tehran, or too many of the whole bot. */
export type SmsWait = { reason: 'cooldown' | 'hour' | 'day' | 'bot'; seconds: number }

/** Why another SMS has to wait, and how long; one whose code still counts may be on its way. */
export function waitText(t: Translate, { reason, seconds }: SmsWait, isOnItsWay: boolean): string {
  if (reason === 'cooldown') return t('sms-cooldown', { seconds, way: isOnItsWay ? 'yes' : 'no' })
  const minutes = Math.ceil(seconds / 60)
  const word = reason === 'day' ? t('sms-day') : t(reason === 'bot' ? 'sms-bot' : 'sms-hour', { minutes })
  return paragraphs(word, t('sms-hour-contact'))
}
