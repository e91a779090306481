import { word } from '../../test/words.ts'
import type { ModelDeps } from './promises.ts'
import type { Committed } from './shared-store.ts'
import { ASKS_MOBILE } from './way-in.ts'

/** Messages from before the end of an invitation may still be under way for this time. */
const UNDER_WAY_MS = 6_000
/** Beginning a test uses up its invitation: the commit of the chat writes the assignee or the invitation. */
const USES = /^[cv]:/
/** The end was committed at most this long before it was seen. */
const KEPT_MS = 60_000

const REVOKED = word('invitation-was-revoked').slice(0, 30)
const USED = word('invitation-used-up').slice(0, 30)
const CODE = /i_[a-z2-7]{12}/
const BEGIN = /"begin:[\w-]+/

/** The account that used it, which may begin again once its unfinished test expires; or the queue that announced its end. */
type End = { by: number } | { saidIn: string; keptAt?: number }

/** The model of invitations: one that is used, revoked or older than a release opens nothing. */
export function createInvitationsModel({
  elapsed,
  hasForgotten,
  report,
  actorOf,
}: ModelDeps & {
  /** The queue of a chat. */
  actorOf: (chat: number) => string
}) {
  const over = new Map<string, { at: number } & End>()
  /** The link that each chat opened last. */
  const opened = new Map<string, { payload: string; at: number }>()
  /** When each chat used one up: the next question is sent before that commit is stored. */
  const usedAt = new Map<string, number>()
  /** The tests that each chat could begin before its link ended: /start shows them again, and only the begin is refused. */
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
    /** Whether the store has a begun test of this chat. */
    hasBegun: (chat: number): boolean => usedAt.has(actorOf(chat)),
    putBack(to: number): void {
      for (const [actor, at] of usedAt) if (at >= to) usedAt.delete(actor)
      for (const end of over.values()) if ('saidIn' in end && (end.keptAt ?? 0) >= to) delete end.keptAt
    },
    /** A message is shown in a chat. */
    shows(chat: string, body: string): void {
      const code = CODE.exec(body)?.[0] ?? ''
      if (body.includes(REVOKED)) this.ends(code, { saidIn: actorOf(Number(chat)) })
      // A participant began before the revocation was committed.
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
        report('strayed', `an invitation that is over leads …${chat.slice(-3)} on`)
    },
  }
}
