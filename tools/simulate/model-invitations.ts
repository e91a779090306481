import { word } from '../../test/words.ts'
import type { ModelDeps } from './promises.ts'
import type { Committed } from './shared-store.ts'
import { ASKS_MOBILE } from './way-in.ts'

/** What was read before an invitation ended may still be under way for so long. */
const UNDER_WAY_MS = 6_000
/** Whoever begins uses an invitation up: the commit of their chat writes whose the test is, or the invitation. */
const USES = /^[cv]:/
/** What ended it was kept within so long before it was seen to have ended. */
const KEPT_MS = 60_000

const REVOKED = word('invitation-was-revoked').slice(0, 30)
const USED = word('invitation-used-up').slice(0, 30)
const CODE = /i_[a-z2-7]{12}/
const BEGIN = /"begin:[\w-]+/

/** Who has used it, and may begin anew once what was unfinished is gone; or in whose queue it was said, before that was kept. */
type End = { by: number } | { saidIn: string; keptAt?: number }

/** The model of invitations: one that was used, revoked, or made before a release leads nobody anywhere. */
export function createInvitationsModel({
  elapsed,
  hasForgotten,
  tell,
  actorOf,
}: ModelDeps & {
  /** The queue of a chat. */
  actorOf: (chat: number) => string
}) {
  const over = new Map<string, { at: number } & End>()
  /** The link that each chat has opened last. */
  const opened = new Map<string, { payload: string; at: number }>()
  /** When each chat has used one up: what is asked next is said before that is kept. */
  const usedAt = new Map<string, number>()
  /** What each chat could begin before its link was over: /start shows that again, and only the begin refuses. */
  const introduced = new Set<string>()

  return {
    ends(payload: string, end: End): void {
      if (!over.has(payload)) over.set(payload, { ...end, at: elapsed() })
    },
    opens: (chat: number, payload: string): void => void opened.set(String(chat), { payload, at: elapsed() }),
    committed({ actor, writes }: Committed): void {
      if (!usedAt.has(actor) && writes.some(({ key }) => USES.test(key))) usedAt.set(actor, elapsed())
      for (const end of over.values()) if ('saidIn' in end && end.saidIn === actor) end.keptAt ??= elapsed()
    },
    /** Whether the store knows that this chat has begun something. */
    hasBegun: (chat: number): boolean => usedAt.has(actorOf(chat)),
    putBack(to: number): void {
      for (const [actor, at] of usedAt) if (at >= to) usedAt.delete(actor)
      for (const end of over.values()) if ('saidIn' in end && (end.keptAt ?? 0) >= to) delete end.keptAt
    },
    /** A message stands in a chat. */
    shows(chat: string, body: string): void {
      const code = CODE.exec(body)?.[0] ?? ''
      if (body.includes(REVOKED)) this.ends(code, { saidIn: actorOf(Number(chat)) })
      // Somebody has begun before it was kept.
      const said = over.get(code)
      if (body.includes(USED) && said && 'saidIn' in said) over.delete(code)
      const { payload = '', at = 0 } = opened.get(chat) ?? {}
      const end = over.get(payload)
      const begin = BEGIN.exec(body)?.[0]
      const isOwn = end && 'by' in end && String(end.by) === chat
      const keptAt = end && 'by' in end ? usedAt.get(actorOf(end.by)) : end?.keptAt
      if (
        !end ||
        keptAt === undefined ||
        isOwn ||
        at - Math.max(end.at, keptAt) < UNDER_WAY_MS ||
        hasForgotten(end.at - KEPT_MS, elapsed())
      ) {
        if (begin) introduced.add(chat + begin)
        return
      }
      const isNew = begin !== undefined && !introduced.has(chat + begin)
      if (isNew || ASKS_MOBILE.some((each) => body.includes(each)))
        tell('strayed', `an invitation that is over leads …${chat.slice(-3)} on`)
    },
  }
}
