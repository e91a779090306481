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

/** So often a result is asked for among the calls that somebody waits for. */
const WHOLE_TRIES = 8
/** After so many tries a report that cannot be had is told of, beside a result that could. */
export const REPORT_TRIES = 2 * WHOLE_TRIES
/** Figures that the service says it does not have are asked for so often, in half a minute, before their report goes without them. */
export const FIGURES_TRIES = 4
/** A combined report does not wait longer than this for the figures beside it. */
const REPORT_ALONE_TRIES = 24
/** About two days: what is "not finished" for so long after it was accepted, the service does not have. */
const UNFINISHED_TRIES = 110
/** So often what a comparison needs of single records is asked for; the report does not wait for it any longer. */
const COMPARED_TRIES = 3
/** Of larger families nobody reads a comparison; the report has it. */
const MOST_COMPARED = 12
/** More scales of one of them than a quarter of what is shown do not stand side by side. */
const COMPARED_SHARE = 4
/** Accepted but not scored yet, or the service is away: these pass by themselves. */
const PASSING: readonly ServiceErrorCode[] = ['not_finished', 'unavailable', 'rate_limited', 'unreadable']

/** A part of a result that comes by a call of its own; `absent`: the service says that it does not have it. */
export type Half<T> = { value: T } | 'later' | 'refused' | 'absent'
export type FetchedResult = Omit<OwedResult, 'parts'>

/**
 * The how-manieth time it is asked for, how often its figures were not there, what the log calls the account on whose behalf,
 * and what it is compared with.
 */
type Asking = { tries: number; absences?: number; trace: string; before?: RecordFile | undefined }

// Nobody waits in the chat any more after that: those who do go first.
const howOf = ({ tries, trace }: Asking) =>
  ({ lane: tries < WHOLE_TRIES ? 'participant' : 'background', trace }) as const

type Result = FetchedResult | 'later' | 'figures later' | 'refused' | 'absent'

/** Fetches the two halves of a result: what pictures and text are made of (JSON), and the report (HTML). */
export function createResultFetcher({ service, now, log }: Pick<JobDeps, 'service' | 'now' | 'log'>) {
  async function half<T>(call: Promise<T>, tries: number): Promise<Half<T>> {
    try {
      const value = await call
      return value === undefined || value === null ? 'absent' : { value }
    } catch (err) {
      // A process that stops gives its place in line back.
      if (!(err instanceof ServiceError) || err.code === 'no_slot') throw err
      if (err.code === 'not_finished' && tries >= UNFINISHED_TRIES) return 'absent'
      if (PASSING.includes(err.code)) return 'later'
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

  /** The results of single records, where several people took a test and the combined result does not compare them. */
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
     * Both halves. Where only the report is missing it is left to be fetched when its turn has come; figures that are
     * refused or not there are waited for, since a result without them would be an empty one.
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
      // Figures without a word are no result without the report: it is waited for, and never taken for delivered.
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

/** What an earlier result has to be compared with, as long as the service has it. */
function earlierResult({ s, finishedAt: at = 0 }: RecordFile, got: Half<unknown>, { tries }: Asking) {
  if (got === 'later' && tries < COMPARED_TRIES) return 'later'
  return typeof got === 'object' ? { s, at, json: withinBounds(got.value, COMPARED_SHARE).value } : undefined
}

/** No more of the figures than a chat can show; parsing large ones has taken its time already. */
async function asMuchAsIsShown(json: Half<unknown>): Promise<ReturnType<typeof withinBounds>> {
  await setImmediate()
  return withinBounds(typeof json === 'object' ? json.value : undefined)
}

/** The records of tests that several people took, as far as the combined result does not compare them. */
function notCompared({ roadmap }: RecordFile, json: unknown): RoadmapRecord[] {
  if (!roadmap) return []
  const { tests } = familyFigures(readRoadmapResult(json, whoIsIn(roadmap)).sections)
  const compared = tests.filter(isCompared)
  const shared = sharedTests(roadmap)
  // A test may be called otherwise in the combined result.
  if (compared.length >= shared.length) return []
  return shared
    .filter(([test]) => compared.every(({ title }) => title !== test?.title))
    .flat()
    .slice(0, MOST_COMPARED)
}
