import { InputFile } from 'grammy'
import { z } from 'zod'
import { tehranToday } from '../domain/persian/calendar.ts'
import { guardCurrent, type Handler, handler, type JobEnd, job } from '../queue/job.ts'
import { groups, keepGroup } from '../storage/documents/groups.ts'
import { type Batch, batches } from '../storage/documents/invitations.ts'
import { onBehalfSchema } from '../storage/documents/kinds.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import { escapeHtml, type Translate } from '../texts/texts.ts'
import { invitationCsv } from '../views/csv.ts'
import { invitationSheet } from '../views/made-invitation.ts'
import { lines } from '../views/view.ts'
import { pauseAfter } from './after-failure.ts'
import { isLookedUp, lookUpNext, makeOn } from './batch-rows.ts'
import type { JobDeps, With } from './deps.ts'
import { sendPart } from './outbox.ts'

const batchBody = z.object({
  onBehalf: onBehalfSchema,
  tries: z.number().optional(),
  /** The CSV was sent. */
  isListed: z.literal(true).optional(),
})
type BatchBody = z.infer<typeof batchBody>

/** Makes many invitations. Keyed by a random id. */
export const batchJob = job('batch', batchBody)

/**
 * Looks up all lines at the service, behind participants, then makes the invitations, then sends the list and
 * the sheet. It makes none before all lines are looked up, so a failing service leaves nothing half done.
 */
export function createBatchHandler(
  deps: Pick<JobDeps, 'service' | 'sender' | 'texts' | 'log' | 'now'> &
    With<'organizers'> & { username: string },
): Handler {
  const { service, config, now } = deps
  const again = (retryBody: BatchBody, afterMs = 0) => ({ retryAt: now() + afterMs, retryBody })

  return handler(batchJob, async (task): Promise<JobEnd<BatchBody>> => {
    const { id, body, work, trace, sender = deps.sender } = task
    const { onBehalf } = body
    const { chatId } = onBehalf
    const t = deps.texts.for(onBehalf.language)
    const send = (sending: () => Promise<unknown>) => sendPart(deps, task, chatId, sending)
    const batch = (await guardCurrent(work, onBehalf)) ? await work.get(batches, id) : undefined
    // A former organizer gets nothing.
    if (!batch || !config.organizers.includes(chatId)) {
      work.remove(batches, id)
      return undefined
    }
    if (!batch.rows.every(isLookedUp)) {
      const failed = await lookUpNext(service, batch, tehranToday(now()), trace)
      if (!failed) {
        // Not together with sending: who names the group meanwhile would have it sent twice.
        await keepInGroup(work, id, batch.rows)
        return again({ ...body, tries: 0 })
      }
      const pause = pauseAfter(failed, body.tries)
      if (typeof pause === 'object') return again({ ...body, tries: pause.tries }, pause.afterMs)
      const text = t(`batch-stopped-${pause}`)
      if ((await send(() => sender.send(chatId, { text }))) === 'blocked') return undefined
      await keepInGroup(work, id, [])
      work.remove(batches, id)
      return undefined
    }
    if (await makeOn({ work, now: now() }, batch)) return again(body)
    const name = escapeHtml((await work.get(groups, id))?.name ?? '')
    const next = body.isListed ? await sheetOf(deps, t, batch, name) : listOf(deps, t, batch, name)
    if (next && (await send(() => sender.document(chatId, next.file, next.caption))) === 'blocked')
      return undefined
    if (!body.isListed) return again({ ...body, isListed: true })
    work.remove(batches, id)
    return undefined
  })
}

/** Keeps in the group of a batch only what the service has, as far as that is known. */
async function keepInGroup(work: UnitOfWork, id: string, rows: Batch['rows']): Promise<void> {
  const group = await work.get(groups, id)
  const found = new Set(rows.flatMap(({ token, error }) => (error === undefined ? [token] : [])))
  if (group) await keepGroup(work, id, { ...group, tokens: group.tokens.filter((each) => found.has(each)) })
}

/** At most this many repeated lines are named. */
const MOST_NAMED = 20

type Written = { username: string; now: () => number }

/** The CSV of all lines. */
function listOf({ username, now }: Written, t: Translate, { rows }: Batch, name: string) {
  const made = rows.filter(({ code }) => code !== undefined)
  const linesOf = (some: Batch['rows']) =>
    Array.from(some.slice(0, MOST_NAMED), ({ line }) => line).join('، ')
  const unfit = linesOf(made.filter(({ isUnfit }) => isUnfit))
  const twice = linesOf(made.filter(({ sameAs }) => sameAs !== undefined))
  const first = new Map(made.map(({ externalId, token }) => [externalId, token] as const).reverse())
  const taken = linesOf(
    made.filter(({ externalId: id, token }) => id !== undefined && first.get(id) !== token),
  )
  return {
    file: fileOf(invitationCsv(rows, username, t), 'csv', now()),
    caption: lines(
      name,
      t('batch-caption', { made: made.length, failed: rows.length - made.length }),
      twice !== '' && t('batch-twice', { lines: twice }),
      unfit !== '' && t('batch-unfit', { lines: unfit }),
      taken !== '' && t('batch-taken', { lines: taken }),
    ),
  }
}

/** The sheet to print; `undefined` if no invitation was made. */
async function sheetOf({ username, now }: Written, t: Translate, { rows }: Batch, name: string) {
  const made = rows.flatMap(({ code, title = '', person, externalId }) => {
    const whose = person ?? (externalId === undefined ? '' : `#${externalId}`)
    return code === undefined ? [] : [{ code, title, whose }]
  })
  if (made.length === 0) return undefined
  return {
    file: fileOf(await invitationSheet(t, made, username), 'html', now()),
    caption: lines(name, t('batch-sheet-caption')),
  }
}

const fileOf = (text: string, kind: string, now: number) =>
  new InputFile(Buffer.from(text), `invitations-${tehranToday(now)}.${kind}`)
