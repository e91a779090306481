import type { Translate } from '../texts/texts.ts'

/** What the service says of the state of a record or roadmap. */
export type ServiceState = { status: number | null; isFinished: boolean; needsProfile: boolean }

/** The same in words (spec, States). */
export function serviceStateText(t: Translate, { status, isFinished, needsProfile }: ServiceState): string {
  if (isFinished) return t.plain('service-finished')
  switch (status) {
    case null:
      return t.plain('service-unread')
    case 0:
      return t.plain('service-waiting')
    case 1:
      return t.plain('service-scoring')
    case 3:
      return t.plain('service-progress')
    case 4:
      return t.plain('service-analysis')
    default:
      return t.plain(needsProfile ? 'service-ready' : 'service-ready-profile')
  }
}
