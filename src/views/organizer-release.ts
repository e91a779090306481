import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

/** Which role is to be released, where each has an account of its own. */
export function releaseRoleView(
  t: Translate,
  { title, roles }: { title: string; roles: readonly { s: string; title: string }[] },
): View {
  const keyboard = roles.map(({ s, title: role }) => [button(role, buttons.release.data(s))])
  return { text: t('release-ask-role', { title }), keyboard }
}

/** Who is to go on: the same person, or another one as long as the service knows nobody. */
export function releaseView(
  t: Translate,
  { s, title, canBeOther }: { s: string; title: string; canBeOther: boolean },
): View {
  const same = [button(t.plain('button-release-same'), buttons.release.data(s, 'same'))]
  const other = [button(t.plain('button-release-other'), buttons.release.data(s, 'other'))]
  return { text: t('release-ask', { title }), keyboard: canBeOther ? [same, other] : [same] }
}
