import { word } from '../../test/words.ts'
import { isSurelyKept } from './history.ts'
import type { ModelDeps } from './promises.ts'
import type { Committed } from './shared-store.ts'
import type { Host } from './time.ts'
import { ASKS_MOBILE } from './way-in.ts'

/** What was read before an invitation ended may still be under way for so long. */
const UNDER_WAY_MS = 6_000
/** Whoever begins uses an invitation up: the commit of their chat writes whose the test is, or the invitation. */
const USES = /^[cv]:/
/** What ended it was kept within so long before it was seen to have ended. */
const KEPT_MS = 60_000

const REVOKED = word('invitation-was-revoked').slice(0, 30)
const CODE = /i_[a-z2-7]{12}/
const BEGIN = /"begin:[\w-]+/

/** Which replica has said so, before it was kept; or who has used it, and may begin anew once what was unfinished is gone. */
type End = { host?: Host; by?: number }

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
  const over = new Map<string, End & { at: number }>()
  /** The link that each chat has opened last. */
  const opened = new Map<string, { payload: string; at: number }>()
  /** When each chat has used one up: what is asked next is said before that is kept. */
  const usedAt = new Map<string, number>()
  /** What each chat could begin before its link was over: /start shows that again, and only the begin refuses. */
  const introduced = new Set<string>()

  return {
    ends(payload: string, end: End): void {
      if (!over.has(payload)) over.set(payload, { at: elapsed(), ...end })
    },
    opens: (chat: number, payload: string): void => void opened.set(String(chat), { payload, at: elapsed() }),
    committed({ actor, writes }: Committed): void {
      if (!usedAt.has(actor) && writes.some(({ key }) => USES.test(key))) usedAt.set(actor, elapsed())
    },
    /** Whether the store knows that this chat has begun something. */
    hasBegun: (chat: number): boolean => usedAt.has(actorOf(chat)),
    putBack(to: number): void {
      for (const [actor, at] of usedAt) if (at >= to) usedAt.delete(actor)
    },
    /** A message stands in a chat. */
    shows(chat: string, body: string, host: Host): void {
      const code = body.includes(REVOKED) && CODE.exec(body)?.[0]
      if (code) this.ends(code, { host })
      const { payload = '', at = 0 } = opened.get(chat) ?? {}
      const end = over.get(payload)
      const begin = BEGIN.exec(body)?.[0]
      const keptAt = end?.by === undefined ? end?.at : usedAt.get(actorOf(end.by))
      if (
        !end ||
        keptAt === undefined ||
        String(end.by) === chat ||
        at - Math.max(end.at, keptAt) < UNDER_WAY_MS ||
        hasForgotten(end.at - KEPT_MS, elapsed())
      ) {
        if (begin) introduced.add(chat + begin)
        return
      }
      if (end.host && !isSurelyKept({ host: end.host, at: end.at }, hasForgotten)) return
      const isNew = begin !== undefined && !introduced.has(chat + begin)
      if (isNew || ASKS_MOBILE.some((each) => body.includes(each)))
        tell('strayed', `an invitation that is over leads …${chat.slice(-3)} on`)
    },
  }
}
