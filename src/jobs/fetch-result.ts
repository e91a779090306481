import { setImmediate } from 'node:timers/promises'
import { familyFigures, isCompared, sharedTests } from '../domain/family-figures.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { saysSomething } from '../domain/result.ts'
import { withinBounds } from '../domain/result-bounds.ts'
import type { RoadmapRecord } from '../domain/roadmap.ts'
import { readRoadmapResult, whoIsIn } from '../domain/roadmap-result.ts'
import { ServiceError, type ServiceErrorCode } from '../service/errors.ts'
import { LONGEST_KEPT_REPORT, type OwedResult } from '../storage/documents/kinds.ts'
import type { JobDeps } from './deps.ts'

/** How many tries are made in the lane of participants; further ones run in the background. */
const FOREGROUND_TRIES = 8
/** After these tries (hours), participant and organizers are told that a result or report is missing. */
export const REPORT_TRIES = 2 * FOREGROUND_TRIES
/** How often absent figures are requested, for half a minute, before the report is sent without them. */
export const FIGURES_TRIES = 4
/** After these tries a combined report no longer waits for its figures. */
const REPORT_ALONE_TRIES = 24
/** About two days: a result that is "not finished" for longer after its acceptance counts as absent. */
const UNFINISHED_TRIES = 110
/** How often single records are requested for a comparison; then the report no longer waits for them. */
const COMPARED_TRIES = 3
/** At most this many records are compared; the report has the comparison of larger families. */
const MOST_COMPARED = 12
/** A compared result has at most a quarter of the usual scales, as several stand side by side. */
const COMPARED_SHARE = 4
/** Failures that are temporary, until they last: then they are reported like a refusal. */
const TEMPORARY: readonly ServiceErrorCode[] = ['unavailable', 'rate_limited', 'unreadable']

/** Whether to ask again and say nothing. Answers that were accepted may take long to be scored. */
const isTemporary = (code: ServiceErrorCode, tries: number): boolean =>
  code === 'not_finished' || (tries < REPORT_TRIES && TEMPORARY.includes(code))

/** A half of a result, which one call fetches; `absent`: the service says that it does not have it. */
export type Half<T> = { value: T } | 'later' | 'refused' | 'absent'
export type FetchedResult = Omit<OwedResult, 'parts'>

/**
 * A request for a result: how often it was tried, how often its figures were absent, the trace of the account
 * in the log, and the record to compare with.
 */
type Asking = { tries: number; absences?: number; trace: string; before?: RecordFile | undefined }

// After that no participant waits in the chat: calls that someone waits for go first.
const howOf = ({ tries, trace }: Asking) =>
  ({ lane: tries < FOREGROUND_TRIES ? 'participant' : 'background', trace }) as const

type Result = FetchedResult | 'later' | 'figures later' | 'refused' | 'absent'

/** Fetches the two halves of a result: data for pictures and text (JSON), and the report (HTML). */
export function createResultFetcher({ service, now, log }: Pick<JobDeps, 'service' | 'now' | 'log'>) {
  async function half<T>(call: Promise<T>, tries: number): Promise<Half<T>> {
    try {
      const value = await call
      return value === undefined || value === null ? 'absent' : { value }
    } catch (err) {
      // This process stops and gives up its place in line.
      if (!(err instanceof ServiceError) || err.code === 'no_slot') throw err
      if (err.code === 'not_finished' && tries >= UNFINISHED_TRIES) return 'absent'
      if (isTemporary(err.code, tries)) return 'later'
      log.warn({ err }, 'result not to be had')
      return err.code === 'not_found' ? 'absent' : 'refused'
    }
  }

  async function report(file: RecordFile, asking: Asking): Promise<Half<{ html: string }>> {
    const { token, roadmap } = file
    const how = howOf(asking)
    const call = roadmap ? service.roadmapResultHtml(token, how) : service.recordResultHtml(token, how)
    const got = await half(call, asking.tries)
    return typeof got === 'object' && got.value.html.trim() === '' ? 'absent' : got
  }

  /** The results of single records, if people share a test and the combined result does not compare them. */
  async function records(file: RecordFile, json: unknown, asking: Asking) {
    const found: NonNullable<OwedResult['records']> = []
    for (const { s, token } of notCompared(file, json)) {
      const how = { ...howOf(asking), lane: 'background' } as const
      const got = await half<unknown>(service.recordResultJson(token, how), asking.tries)
      if (got === 'later' && asking.tries < COMPARED_TRIES) return 'later'
      if (typeof got === 'object') found.push({ s, json: withinBounds(got.value, COMPARED_SHARE).value })
    }
    return found.length > 0 ? found : undefined
  }

  return {
    report,
    /**
     * Fetches both halves. If only the report is missing it is fetched when it is due to be sent. Refused or
     * absent figures are waited for, since without them the result would be empty.
     */
    async result(file: RecordFile, asking: Asking): Promise<Result> {
      const { token, roadmap } = file
      const { before, tries, absences = 0 } = asking
      const how = howOf(asking)
      const json = await half<unknown>(
        roadmap ? service.roadmapResultJson(token, how) : service.recordResultJson(token, how),
        tries,
      )
      const { value, isCut } = await asMuchAsIsShown(json)
      const isDue = json === 'absent' || (roadmap !== undefined && tries >= REPORT_ALONE_TRIES)
      if (typeof json !== 'object' && !isDue) return json
      const html = await report(file, asking)
      if (typeof html !== 'object' && typeof json !== 'object') return html
      // Figures without text need the report: it is waited for, and the result is not taken for delivered.
      if (typeof html !== 'object' && !saysSomething(value)) return html === 'later' ? 'later' : 'refused'
      if (json === 'absent' && absences < FIGURES_TRIES) return 'figures later'
      const compared = await records(file, value, asking)
      const earlier =
        before &&
        earlierResult(before, await half(service.recordResultJson(before.token, how), tries), asking)
      if (compared === 'later' || earlier === 'later') return 'later'
      const result = {
        json: value,
        date: now(),
        ...(isCut && { isCut: true as const }),
        ...(compared && { records: compared }),
        ...(earlier && { earlier }),
      }
      const isKept = typeof html === 'object' && html.value.html.length <= LONGEST_KEPT_REPORT
      return isKept ? { ...result, html: html.value.html } : { ...result, isReportAwaited: true }
    },
  }
}

/** The part of an earlier result that is compared, while the service has it. */
function earlierResult({ s, finishedAt: at = 0 }: RecordFile, got: Half<unknown>, { tries }: Asking) {
  if (got === 'later' && tries < COMPARED_TRIES) return 'later'
  return typeof got === 'object' ? { s, at, json: withinBounds(got.value, COMPARED_SHARE).value } : undefined
}

/** As many figures as a chat can show. Other work runs first, since parsing large ones takes long. */
async function asMuchAsIsShown(json: Half<unknown>): Promise<ReturnType<typeof withinBounds>> {
  await setImmediate()
  return withinBounds(typeof json === 'object' ? json.value : undefined)
}

/** The records of tests that several people took and that the combined result does not compare. */
function notCompared({ roadmap }: RecordFile, json: unknown): RoadmapRecord[] {
  if (!roadmap) return []
  const { tests } = familyFigures(readRoadmapResult(json, whoIsIn(roadmap)).sections)
  const compared = tests.filter(isCompared)
  const shared = sharedTests(roadmap)
  // A test may have another title in the combined result.
  if (compared.length >= shared.length) return []
  return shared
    .filter(([test]) => compared.every(({ title }) => title !== test?.title))
    .flat()
    .slice(0, MOST_COMPARED)
}
