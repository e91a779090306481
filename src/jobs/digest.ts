import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { languageOf } from '../domain/account.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/durations.ts'
import { actorName } from '../queue/actors.ts'
import { type Handler, handler, job } from '../queue/job.ts'
import { accountKey, accounts, notifiedCauses } from '../storage/documents/kinds.ts'
import { sealBody } from '../storage/documents.ts'
import { type BoardCounts, digestView } from '../views/home.ts'
import { currentBoard, dayBegin } from './board.ts'
import type { JobDeps, With } from './deps.ts'
import { noticeJob } from './notices.ts'
import { unansweredNow } from './questions.ts'

/** Time for what happened since yesterday. There is one for all organizers. */
const digestJob = job('digest', z.object({ isSettled: z.boolean().optional() }))
const ONE = 'day'

const AT_HOUR = 9
/** After an absence who is stuck is noted before they are counted. */
const SETTLES_MS = 2 * MINUTE_MS
/** After a long absence it tells of no more days than these. */
const MOST_DAYS = 7

type Deps = Pick<JobDeps, 'store' | 'vault' | 'texts' | 'now'> & With<'organizers' | 'locale'>

function nextTime(now: number): number {
  const today = dayBegin(now) + AT_HOUR * HOUR_MS
  return today > now ? today : today + DAY_MS
}

/** Has the first digest come, where none waits already; two processes that begin at once do no harm. */
export async function beginDigests({ store, vault, now, config }: Deps): Promise<void> {
  const [standing] = await store.backlog([digestJob.kind])
  if (config.organizers.length === 0 || (standing?.waiting ?? 0) > 0) return
  const actor = actorName(digestJob.kind, ONE)
  await store.post({ actor, id: randomUUID(), body: sealBody(vault, actor, {}), dueAt: nextTime(now()) })
}

/** Tells organizers each morning what is new, on days on which something is. */
export function createDigestHandler(deps: Deps): Handler {
  const { store, vault, texts, config } = deps
  return handler(digestJob, async ({ body, work }) => {
    const now = deps.now()
    const id = vault.hash('notice', 'digest')
    const before = await work.get(notifiedCauses, id)
    const isOfToday = before !== undefined && before.at >= dayBegin(now)
    const isLate = now > nextTime(now) - DAY_MS + SETTLES_MS
    if (isLate && !body.isSettled) return { retryAt: now + SETTLES_MS, retryBody: { isSettled: true } }
    // One too many was begun.
    if (isOfToday && before.at >= dayBegin(now) + AT_HOUR * HOUR_MS) return undefined
    // Yesterday's came after midnight.
    if (isOfToday) return { retryAt: nextTime(now), retryBody: {} }
    const since = Math.max(before?.at ?? now - DAY_MS, now - MOST_DAYS * DAY_MS)
    work.put(notifiedCauses, id, { at: now, isLasting: true })
    const board = await currentBoard({ store, now }, work, since)
    const { length: unanswered } = await unansweredNow({ work, now })
    for (const chatId of hasNews(board, unanswered) ? config.organizers : []) {
      const organizer = accountKey(vault, chatId)
      const t = texts.for(languageOf(await work.get(accounts, organizer), config))
      noticeJob.post(work, organizer, { chatId, kind: 'digest', ...digestView(t, board, unanswered) })
    }
    return { retryAt: nextTime(now), retryBody: {} }
  })
}

/** A question that nobody has answered stays one until somebody does. */
const hasNews = ({ since: { delivered, stuck, waiting } }: BoardCounts, unanswered: number): boolean =>
  delivered + stuck + waiting + unanswered > 0
