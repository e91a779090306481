import type { View } from '../views/view.ts'
import type { Turn } from './turn.ts'

/** Adds the way to the other language, for somebody whose Telegram does not speak this one and who chose none yet. */
export function withLanguageHint({ account, t }: Turn, view: View): View {
  if (account.language !== undefined || !account.isForeign) return view
  return { ...view, text: `${view.text}\n\n${t('language-hint')}` }
}
