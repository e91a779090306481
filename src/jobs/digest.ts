import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { languageOf } from '../domain/account.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/durations.ts'
import { actorName } from '../queue/actors.ts'
import { type Handler, handler, job } from '../queue/job.ts'
import { accountKey, accounts, notifiedCauses } from '../storage/documents/kinds.ts'
import { sealBody } from '../storage/documents.ts'
import { type BoardCounts, digestView } from '../views/home.ts'
import { unansweredNow } from './asked-questions.ts'
import type { JobDeps, With } from './deps.ts'
import { noticeJob } from './notices.ts'
import { currentBoard, dayBegin } from './stage-counts.ts'

/** The digest of what happened since yesterday. One job serves all organizers. */
const digestJob = job('digest', z.object({ isSettled: z.boolean().optional() }))
const ID = 'day'

const AT_HOUR = 9
/** After a downtime the watches note stuck tests first, before these are counted. */
const SETTLE_MS = 2 * MINUTE_MS
/** After a long downtime the digest covers no more days than these. */
const MOST_DAYS = 7

type Deps = Pick<JobDeps, 'store' | 'vault' | 'texts' | 'now'> & With<'organizers' | 'locale'>

function nextTime(now: number): number {
  const today = dayBegin(now) + AT_HOUR * HOUR_MS
  return today > now ? today : today + DAY_MS
}

/** Posts the first digest, unless one waits already; two processes that start at once do no harm. */
export async function beginDigests({ store, vault, now, config }: Deps): Promise<void> {
  const [standing] = await store.backlog([digestJob.kind])
  if (config.organizers.length === 0 || (standing?.waiting ?? 0) > 0) return
  const actor = actorName(digestJob.kind, ID)
  await store.post({ actor, id: randomUUID(), body: sealBody(vault, actor, {}), dueAt: nextTime(now()) })
}

/** Notifies organizers each morning of what is new, on days on which something is. */
export function createDigestHandler(deps: Deps): Handler {
  const { store, vault, texts, config } = deps
  return handler(digestJob, async ({ body, work }) => {
    const now = deps.now()
    const id = vault.hash('notice', 'digest')
    const before = await work.get(notifiedCauses, id)
    const isOfToday = before !== undefined && before.at >= dayBegin(now)
    const isLate = now > nextTime(now) - DAY_MS + SETTLE_MS
    if (isLate && !body.isSettled) return { retryAt: now + SETTLE_MS, retryBody: { isSettled: true } }
    // A second digest was posted.
    if (isOfToday && before.at >= dayBegin(now) + AT_HOUR * HOUR_MS) return undefined
    // The digest of yesterday was sent after midnight.
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

/** An unanswered question counts as news every day. */
const hasNews = ({ since: { delivered, stuck, waiting } }: BoardCounts, unanswered: number): boolean =>
  delivered + stuck + waiting + unanswered > 0
