import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

/** Who is to go on: the same person, or another one as long as the service knows nobody. */
export function releaseView(
  t: Translate,
  { s, title, canBeOther }: { s: string; title: string; canBeOther: boolean },
): View {
  const same = [button(t.plain('button-release-same'), buttons.release.data(s, 'same'))]
  const other = [button(t.plain('button-release-other'), buttons.release.data(s, 'other'))]
  return { text: t('release-ask', { title }), keyboard: canBeOther ? [same, other] : [same] }
}
