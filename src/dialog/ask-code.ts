import type { RecordFile } from '../domain/record-file.ts'
import { codeAgainView, codeExpiredView, codeView } from '../views/code.ts'
import type { View } from '../views/view.ts'
import { askPersonal } from './ask-personal.ts'
import type { Turn } from './turn.ts'

/** Asks for the SMS code as long as it holds, and offers another one after that. */
export async function askCode(turn: Turn, file: RecordFile): Promise<void> {
  await askPersonal(turn, file, codePrompt(turn, file, codeView))
}

export async function askCodeAgain(turn: Turn, file: RecordFile, word: string): Promise<void> {
  const view = codePrompt(turn, file, codeAgainView)
  await askPersonal(turn, file, { ...view, text: `${word}\n\n${view.text}` })
}

function codePrompt(turn: Turn, { sms }: RecordFile, view: typeof codeView): View {
  if (!sms || isExpired(turn, sms)) return codeExpiredView(turn.t)
  return view(turn.t, {
    organizer: turn.deps.config.organizerName,
    mobile: sms.mobile,
    minutes: minutesHeld(turn, sms),
  })
}

export const isExpired = ({ now }: Turn, { expiresAt }: { expiresAt: number }): boolean => now >= expiresAt

const minutesHeld = ({ now }: Turn, { expiresAt }: { expiresAt: number }): number =>
  Math.max(1, Math.ceil((expiresAt - now) / 60_000))
