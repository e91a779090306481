import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

type CodeRequest = { organizer: string; mobile: string; minutes: number }

/** Asks for the SMS code: who sends it, how long it holds, and that it is never Telegram's own code. */
export function codeView(t: Translate, request: CodeRequest): View {
  return { text: t('code-ask', request), keyboard: waysOut(t) }
}

/** Asks for the same code once more; nobody is to wait for another SMS. */
export function codeAgainView(t: Translate, request: CodeRequest): View {
  return { text: t('code-ask-again', request), keyboard: waysOut(t) }
}

export function codeExpiredView(t: Translate): View {
  return { text: t('code-expired'), keyboard: waysOut(t) }
}

/** Too many codes were wrong: this one is not taken any more. */
export function codeSpentView(t: Translate): View {
  return { text: t('code-spent'), keyboard: waysOut(t) }
}

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
