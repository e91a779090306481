import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

type CodeRequest = {
  organizer: string
  mobile: string
  minutes: number
  /** The organizer's contact, once so many codes were sent that none seems to come. */
  help?: string | undefined
}

/** Asks for the SMS code: who sends it, how long it holds, and that it is never Telegram's own code. */
export function codeView(t: Translate, { help, ...request }: CodeRequest): View {
  return { text: helped(t, t('code-ask', request), help), keyboard: waysOut(t) }
}

/** Asks for the same code once more; nobody is to wait for another SMS. */
export function codeAgainView(t: Translate, { help, ...request }: CodeRequest): View {
  return { text: helped(t, t('code-ask-again', request), help), keyboard: waysOut(t) }
}

/** Says that the code is over, and offers another one. */
export function codeExpiredView(t: Translate, help?: string): View {
  return { text: helped(t, t('code-expired'), help), keyboard: waysOut(t) }
}

/** Too many codes were wrong: this one is not taken any more. */
export function codeSpentView(t: Translate): View {
  return { text: t('code-spent'), keyboard: waysOut(t) }
}

/** Why no code may come, and who can help. */
const helped = (t: Translate, text: string, contact: string | undefined): string =>
  contact === undefined ? text : `${text}\n\n${t('code-reasons', { contact })}`

/** Says that nobody knows whether an SMS is on its way, and offers another one. */
export function smsUnclearView(t: Translate, mobile: string): View {
  return { text: t('sms-unclear', { mobile }), keyboard: waysOut(t) }
}

/** A new code, or another mobile, without typing the rest again. */
function waysOut(t: Translate) {
  return [
    [button(t.plain('button-sms-again'), buttons.sms.data('again'))],
    [button(t.plain('button-sms-mobile'), buttons.sms.data('mobile'))],
  ]
}
