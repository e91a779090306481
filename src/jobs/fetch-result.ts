import type { RecordFile } from '../domain/record/record.ts'
import type { OwedResult } from '../kept/owed-result.ts'
import type { Log } from '../observe/logger.ts'
import type { ServiceClient } from '../service/client.ts'
import { ServiceError, type ServiceErrorCode } from '../service/errors.ts'

/** So often both halves of a result are waited for; then the one that can be had is delivered. */
export const WHOLE_TRIES = 8
/** Accepted but not scored yet, or the service is away: these pass by themselves. */
const PASSING: readonly ServiceErrorCode[] = ['not_finished', 'unavailable', 'rate_limited', 'unreadable']

/** A part of a result that comes by a call of its own. */
export type Half<T> = { value: T } | 'later' | 'refused'
export type FetchedResult = Omit<OwedResult, 'parts'>

/** Fetches the two halves of a result: what pictures and text are made of (JSON), and the report (HTML). */
export function createResultFetcher({
  service,
  now,
  log,
}: {
  service: ServiceClient
  now: () => number
  log: Log
}) {
  // Nobody waits in the chat any more after that: those who do go first.
  const lane = (tries: number) => (tries < WHOLE_TRIES ? {} : ({ lane: 'background' } as const))

  async function half<T>(call: Promise<T>): Promise<Half<T>> {
    try {
      const value = await call
      return value === undefined ? 'refused' : { value }
    } catch (err) {
      // A process that stops gives its place in line back.
      if (!(err instanceof ServiceError) || err.code === 'no_slot') throw err
      if (PASSING.includes(err.code)) return 'later'
      log.warn({ err }, 'result not to be had')
      return 'refused'
    }
  }

  function report({ token, roadmap }: RecordFile, tries: number): Promise<Half<{ html: string }>> {
    const how = lane(tries)
    return half(roadmap ? service.roadmapResultHtml(token, how) : service.recordResultHtml(token, how))
  }

  return {
    report,
    /** Both halves. Where only the report is missing it is left to be fetched when its turn has come. */
    async result(file: RecordFile, tries: number): Promise<FetchedResult | 'later' | 'refused'> {
      const { token, roadmap } = file
      const how = lane(tries)
      const json = await half<unknown>(
        roadmap ? service.roadmapResultJson(token, how) : service.recordResultJson(token, how),
      )
      if (json === 'later' && tries < WHOLE_TRIES) return 'later'
      const html = await report(file, tries)
      const date = now()
      if (typeof html === 'object')
        return { json: typeof json === 'object' ? json.value : undefined, html: html.value.html, date }
      if (typeof json === 'object') return { json: json.value, isReportAwaited: true, date }
      return json === 'later' || html === 'later' ? 'later' : 'refused'
    },
  }
}
