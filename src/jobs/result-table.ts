import { InputFile } from 'grammy'
import { z } from 'zod'
import { tehranToday } from '../domain/persian/calendar.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { readResult, type Scale } from '../domain/result.ts'
import { withinBounds } from '../domain/result-bounds.ts'
import { roleOf, toldApart } from '../domain/roadmap.ts'
import { readRoadmapResult, whoIsIn } from '../domain/roadmap-result.ts'
import { guardCurrent, type Handler, handler, type JobEnd, job } from '../queue/job.ts'
import { outcomeOf, type Refusal, ServiceError } from '../service/errors.ts'
import { type RecordItem, type Roadmap, type TestRecord, titleOf } from '../service/wire.ts'
import { fileOfToken, onBehalfSchema, recordFiles } from '../storage/documents/kinds.ts'
import {
  type Collection,
  collections,
  type ResultRow,
  resultScope,
  tableParts,
} from '../storage/documents/result-tables.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import { escapeHtml } from '../texts/texts.ts'
import { resultsCsv } from '../views/csv.ts'
import { testLabel } from '../views/status.ts'
import { lines } from '../views/view.ts'
import { pauseAfter } from './after-failure.ts'
import { findToken } from './call-table.ts'
import type { JobDeps, With } from './deps.ts'
import { sendPart } from './outbox.ts'
import { decides } from './recipients.ts'

/** How often the items of this page have failed, by token. */
const failures = z.record(z.string(), z.number()).optional()
const body = z.object({
  onBehalf: onBehalfSchema,
  scope: resultScope,
  tries: z.number().optional(),
  failures,
})
type Body = z.infer<typeof body>

/** Makes a table of results. Keyed by a random id. */
export const resultsJob = job('results', body)

type Deps = Pick<JobDeps, 'service' | 'sender' | 'texts' | 'log' | 'now'> & With<'organizers' | 'desk'>
type Collecting = Deps & { work: UnitOfWork; id: string; collection: Collection; trace: string }
/** A finished record or roadmap at the service. */
type Finished = { token: string; kind: 'record' | 'roadmap'; title: string; externalId?: number | undefined }

const PAGE_SIZE = 25

/**
 * Fetches the results of all that is finished at the service, behind participants, one page per step, and
 * sends them as one table at the end. Rows that were read before a failure are kept.
 */
export function createResultsHandler(deps: Deps): Handler {
  const { config, now, texts } = deps
  const again = (retryBody: Body, afterMs = 0) => ({ retryAt: now() + afterMs, retryBody })

  return handler(resultsJob, async (task): Promise<JobEnd<Body>> => {
    const { id, body, work, trace, sender = deps.sender } = task
    const { chatId, language } = body.onBehalf
    const t = texts.for(language)
    if (!decides(config, chatId) || !(await guardCurrent(work, body.onBehalf))) return end(work, id)
    const { scope } = body
    const from = scope.of === 'some' ? 'tokens' : 'record'
    const fresh: Collection = { scope, from, page: 1, parts: 0 }
    const collection = (await work.get(collections, id)) ?? work.put(collections, id, fresh)
    if (collection.from !== 'end') {
      const failures = { ...body.failures }
      const failed = await step({ ...deps, work, id, collection, trace }, failures)
      if (!failed) return again({ ...body, tries: 0, failures: {} })
      const pause = pauseAfter(failed, body.tries)
      if (typeof pause === 'object') return again({ ...body, tries: pause.tries, failures }, pause.afterMs)
      const text = t(`results-stopped-${pause}`)
      await sendPart(deps, task, chatId, () => sender.send(chatId, { text }))
      return end(work, id)
    }
    const rows = await rowsOf(work, id, collection)
    const name = `results-${tehranToday(now())}.csv`
    const file = new InputFile(Buffer.from(resultsCsv(rows)), name)
    const tests = testsIn(
      rows.filter(({ scale, score, percentile }) => (scale ?? score ?? percentile) !== undefined),
    )
    const missing = testsIn(rows) - tests
    const caption = lines(
      scope.of === 'test' && escapeHtml(testLabel(t, 'button-results-of', scope.title)),
      (tests > 0 || missing === 0) && t('results-caption', { tests }),
      missing > 0 && t('results-missing', { tests: missing }),
    )
    const sent = await sendPart(deps, task, chatId, () => sender.document(chatId, file, caption))
    return sent === 'blocked' ? undefined : end(work, id)
  })
}

const testsIn = (rows: readonly ResultRow[]): number => new Set(rows.map(({ token }) => token)).size

async function end(work: UnitOfWork, id: string): Promise<undefined> {
  const { parts = 0 } = (await work.get(collections, id)) ?? {}
  for (let part = 0; part <= parts; part += 1) work.remove(tableParts, `${id}.${part}`)
  work.remove(collections, id)
}

/** The rows of all parts; a page that shifted meanwhile may have brought one twice. */
async function rowsOf(work: UnitOfWork, id: string, { parts }: Collection): Promise<ResultRow[]> {
  const known = new Set<string>()
  const all: ResultRow[] = []
  for (let part = 0; part <= parts; part += 1) {
    const { rows = [], done = [] } = (await work.get(tableParts, `${id}.${part}`)) ?? {}
    all.push(...rows.filter(({ token }) => !known.has(token)))
    for (const token of done) known.add(token)
  }
  return all
}

/** Reads the results of the next page, failed ones last; returns the failure if the service is at fault. */
async function step(collecting: Collecting, failures: Record<string, number>): Promise<Refusal | undefined> {
  const { work, id, collection } = collecting
  const part = `${id}.${collection.parts}`
  const table = (await work.get(tableParts, part)) ?? work.put(tableParts, part, { done: [], rows: [] })
  const page = await outcomeOf(nextItems(collecting))
  if ('error' in page) return page.error
  const timesOf = ({ token }: Finished) => failures[token] ?? 0
  const left = page.value.items.filter(({ token }) => !table.done.includes(token))
  const failed: Refusal[] = []
  for (const item of left.sort((one, other) => timesOf(one) - timesOf(other))) {
    const hasOthers = table.done.length + collection.parts > 0
    // An unreadable answer is an answer; if no item succeeds, the service may be down.
    const over = TEMPORARY.filter(
      (code) => timesOf(item) >= MOST_FAILURES && (hasOthers || code === 'unreadable'),
    )
    const read = await outcomeOf(resultOf(collecting, item, [...OWN_REFUSALS, ...over]))
    if ('value' in read) {
      table.rows.push(...read.value)
      table.done.push(item.token)
    } else {
      if (!TEMPORARY.includes(read.error.code)) return read.error
      failures[item.token] = timesOf(item) + 1
      failed.push(read.error)
      if (failed.filter(({ code }) => code === 'unavailable').length === MOST_AT_ONCE) break
    }
  }
  if (failed[0]) return failed[0]
  Object.assign(collection, page.value.next, { parts: collection.parts + 1 })
  return undefined
}

type Items = { items: Finished[]; next: Pick<Collection, 'from' | 'page'> }

/** The finished items of the next page: of records, then of roadmaps, or of the requested tokens. */
async function nextItems({ service, collection, trace }: Collecting): Promise<Items> {
  const { scope, from, page } = collection
  const how = { lane: 'background', trace } as const
  if (scope.of === 'some') {
    const items: Finished[] = []
    for (const token of scope.tokens.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)) {
      const found = await findToken(service, token, 'record', how)
      if (found.found === 'record' && found.record.is_finished)
        items.push(recordItem({ ...found.record, token }))
      if (found.found === 'roadmap' && found.roadmap.is_finished)
        items.push({ token, kind: 'roadmap', title: titleOf(found.roadmap) })
    }
    return { items, next: { from: page * PAGE_SIZE < scope.tokens.length ? from : 'end', page: page + 1 } }
  }
  const query = { filter__is_finished: true, ...(page > 1 && { page }) }
  const isWanted = ({ title }: Finished) => scope.of === 'all' || title === scope.title
  if (from === 'record') {
    const { results, next } = await service.listRecords(query, how)
    const items = results.flatMap((item) => (item?.is_finished ? [recordItem(item)] : []))
    const after = next === null ? { from: 'roadmap' as const, page: 1 } : { from, page: page + 1 }
    return { items: items.filter(isWanted), next: after }
  }
  const { results, next } = await service.listRoadmaps(query, how)
  const items = results.flatMap((item): Finished[] => {
    if (!item?.is_finished) return []
    return [{ token: item.token.toLowerCase(), kind: 'roadmap', title: titleOf(item) }]
  })
  return { items, next: next === null ? { from: 'end', page } : { from, page: page + 1 } }
}

const recordItem = ({ token, test, profile }: TestRecord | RecordItem): Finished => ({
  token: token.toLowerCase(),
  kind: 'record',
  title: test?.title || test?.id || '',
  externalId: profile?.external_id ?? undefined,
})

type Codes = readonly ServiceError['code'][]
/** A refusal of one item leaves a row without figures, and delays no other item. */
const OWN_REFUSALS: Codes = ['not_found', 'not_finished', 'bad_request']
/** Temporary failures are retried, last after a minute; then they leave such a row, too. */
const TEMPORARY: Codes = ['unavailable', 'unreadable']
const MOST_FAILURES = 3
/** Failures that end a step: fewer than open the breaker. */
const MOST_AT_ONCE = 5

/** The rows of one result, with its validity if it was answered here: never a name, nor an answer. */
async function resultOf(collecting: Collecting, item: Finished, refusals: Codes): Promise<ResultRow[]> {
  const { service, trace, collection, work } = collecting
  const { token, kind } = item
  const how = { lane: 'background', trace, retries: false } as const
  const file = await fileOfToken(work, token)
  const externalId = item.externalId ?? file?.externalId
  const row: ResultRow = { ...item, externalId, finished: file?.finishedAt, person: '' }
  const { scope } = collection
  const only = kind === 'roadmap' && scope.of === 'test' ? scope.title : undefined
  let isWanted: boolean | undefined = only === undefined ? true : undefined
  try {
    if (kind === 'roadmap') {
      const roadmap = await service.roadmap(token, how)
      isWanted ??= roadmap.test_records.some(({ test_title: title }) => title === only)
      const rows = await roadmapRows(collecting, { row, file, roadmap })
      return only === undefined ? rows : rows.filter(({ title }) => title === only)
    }
    const { scales } = readResult(withinBounds(await service.recordResultJson(token, how)).value)
    return scaleRows({ ...row, ...file?.validity }, scales)
  } catch (error) {
    // If the roadmap could not be read, it may have this test.
    if (error instanceof ServiceError && refusals.includes(error.code))
      return (isWanted ?? TEMPORARY.includes(error.code)) ? [row] : []
    throw error
  }
}

const scaleRows = (row: ResultRow, scales: readonly Scale[]): ResultRow[] =>
  scales.length === 0
    ? [row]
    : scales.map(({ title: scale, score, percentile }) => ({ ...row, scale, score, percentile }))

type OfRoadmap = { row: ResultRow; file: RecordFile | undefined; roadmap: Roadmap }

/** The rows of a roadmap, test by test. People are named by their roles only: a title may be a name. */
async function roadmapRows(collecting: Collecting, { row, file, roadmap }: OfRoadmap): Promise<ResultRow[]> {
  const { service, trace, work } = collecting
  const json = await service.roadmapResultJson(row.token, { lane: 'background', trace, retries: false })
  const limits = { minAge: null, maxAge: null, gender: 'both' } as const
  const roles = toldApart(roadmap.roles).map(({ id, title }) => ({ id, title, limits }))
  const records = roadmap.test_records.map(({ token, test_title: title, role, is_finished }) => {
    return { s: '', token, title, role, isFinished: is_finished === true }
  })
  const { sections } = readRoadmapResult(withinBounds(json).value, whoIsIn({ roles, records }))
  const rows: ResultRow[] = []
  for (const { title: said, role: label, scales } of sections) {
    const ends = records.filter((each) => ` · ${said}`.endsWith(` · ${each.title}`))
    const [known] = ends.sort((one, other) => other.title.length - one.title.length)
    const title = known?.title ?? row.title
    const role = roles.find((each) => each.title === label)
    const here = file?.roadmap?.records.find((each) => each.role === role?.id && each.title === title)
    const nested = here && (await work.get(recordFiles, here.s))
    const externalId = roleOf(file?.roadmap, role?.id)?.externalId ?? row.externalId
    rows.push(
      ...scaleRows({ ...row, title, externalId, person: role?.title ?? '', ...nested?.validity }, scales),
    )
  }
  return rows.length === 0 ? [row] : rows
}
