import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, paragraphs, type View } from './view.ts'

type CodeRequest = {
  mobile: string
  minutes: number
  /** The participant need not wait for another SMS. */
  isAgain: boolean
  /** So many codes were sent that none seems to arrive. */
  isHelp: boolean
}

/** Asks for the SMS code: who sends it, how long it is valid, and that it is never Telegram's own. */
export const codeView = (t: Translate, { isHelp, isAgain, ...request }: CodeRequest): View =>
  withWaysOut(t, t(isAgain ? 'code-ask-again' : 'code-ask', request), isHelp)

/** Says that the code has expired, and offers another one. */
export const codeExpiredView = (t: Translate, isHelp: boolean): View =>
  withWaysOut(t, t('code-expired'), isHelp)

/** Too many codes were wrong, so this one is no longer accepted. */
export const codeSpentView = (t: Translate): View => withWaysOut(t, t('code-spent'))

/** Says that it is unknown whether an SMS is on its way, and offers another one. */
export const smsUnclearView = (t: Translate, mobile: string): View =>
  withWaysOut(t, t('sms-unclear', { mobile }))

/** Buttons for a new code and for another mobile; `isHelp`: why no code may arrive, and who can help. */
const withWaysOut = (t: Translate, text: string, isHelp = false): View => ({
  text: paragraphs(text, isHelp && t('code-reasons')),
  keyboard: (['again', 'mobile'] as const).map((way) => [
    button(t.plain(`button-sms-${way}`), buttons.sms.data(way)),
  ]),
})

/** What delays another SMS: the cool-down, the limit of an hour or of a day (Tehran), or of the bot. */
export type SmsWait = { reason: 'cooldown' | 'hour' | 'day' | 'bot'; seconds: number }

/** Why another SMS has to wait, and how long. An SMS with a valid code may be on its way. */
export function waitText(t: Translate, { reason, seconds }: SmsWait, isOnItsWay: boolean): string {
  if (reason === 'cooldown') return t('sms-cooldown', { seconds, way: isOnItsWay ? 'yes' : 'no' })
  const minutes = Math.ceil(seconds / 60)
  const word = reason === 'day' ? t('sms-day') : t(reason === 'bot' ? 'sms-bot' : 'sms-hour', { minutes })
  return paragraphs(word, t('sms-hour-contact'))
}
