import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { NOTICE_KINDS, type NoticeKind } from './organizer-buttons.ts'
import { button, MESSAGE_LIMIT, packMessages, type View } from './view.ts'

/** The switches of an organizer's notices. */
export function noticesView(t: Translate, off: readonly string[]): View {
  const keyboard = NOTICE_KINDS.map((kind) => {
    const isOff = off.includes(kind)
    const label = t.plain(isOff ? 'button-notice-off' : 'button-notice-on', { kind: kindOf(t, kind) })
    return [button(label, buttons.notice.data(kind, isOff ? 'on' : 'off'))]
  })
  return { text: t('notices'), keyboard }
}

/** Many notices as one, with how many there are of each kind. */
export function crowdView(t: Translate, notices: readonly { kind: NoticeKind; text: string }[]): View {
  const counts = NOTICE_KINDS.flatMap((kind) => {
    const count = notices.filter((each) => each.kind === kind).length
    return count > 0 ? [t('notices-count', { kind: kindOf(t, kind), count })] : []
  })
  const head = [t('notices-many', { count: notices.length }), ...counts].join('\n')
  const [text = head] = packMessages([head, ...notices.map((each) => each.text)], MESSAGE_LIMIT)
  return { text }
}

const kindOf = (t: Translate, kind: NoticeKind): string => t.plain(`kind-of-notice.${kind}`)
