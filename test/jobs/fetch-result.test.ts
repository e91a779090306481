import { expect, test } from 'vitest'
import { newRecordFile } from '../../src/domain/record/record.ts'
import { createResultFetcher, FIGURES_TRIES } from '../../src/jobs/fetch-result.ts'
import { createLog } from '../../src/observe/logger.ts'
import type { ServiceClient } from '../../src/service/client.ts'
import { ServiceError, type ServiceErrorCode } from '../../src/service/errors.ts'

const refusal = (code: ServiceErrorCode, status: number) => new ServiceError(code, { reached: 'yes', status })
const file = newRecordFile({ s: 's', token: 't', seenAt: 0 }, 'record')

/** The outcome of fetching where the figures have this answer, and the report is there. */
function fetching(
  json: object,
  tries: number,
  {
    kind = 'record',
    html = { html: '<p>' },
    absences = FIGURES_TRIES,
  }: { kind?: 'record' | 'roadmap'; html?: object; absences?: number } = {},
) {
  const answering = (given: object) => async () => {
    if (given instanceof Error) throw given
    return given
  }
  const [figures, report] = [answering(json), answering(html)]
  const service = {
    recordResultJson: figures,
    roadmapResultJson: figures,
    recordResultHtml: report,
    roadmapResultHtml: report,
  } as unknown as ServiceClient // the client's methods for results
  const log = createLog('fatal', { write: () => undefined })
  const fetcher = createResultFetcher({ service, now: () => 7, log })
  return fetcher.result(kind === 'record' ? file : newRecordFile({ ...file }, 'roadmap'), {
    tries,
    absences,
    trace: 'w',
  })
}

test.each<[string, object, number, unknown]>([
  ['figures and report', { scales: [] }, 0, { json: { scales: [] }, html: '<p>', date: 7 }],
  ['a refused key', refusal('key_invalid', 401), 500, 'refused'],
  ['403', refusal('forbidden', 403), 500, 'refused'],
  ['successful: false', refusal('bad_request', 200), 500, 'refused'],
  ['5xx', refusal('unavailable', 503), 15, 'later'],
  ['5xx for hours', refusal('unavailable', 503), 16, 'refused'],
  ['garbage', refusal('unreadable', 200), 15, 'later'],
  ['garbage for hours', refusal('unreadable', 200), 16, 'refused'],
  ['not finished', refusal('not_finished', 409), 109, 'later'],
  ['not finished for days', refusal('not_finished', 409), 110, { html: '<p>', date: 7 }],
  ['404 again and again', refusal('not_found', 404), 0, { html: '<p>', date: 7 }],
])('%s: no empty result is kept', async (_, json, tries, expected) => {
  expect(await fetching(json, tries)).toEqual(expected)
})

test('missing figures are fetched a few times, however long they were waited for', async () => {
  const missing = refusal('not_found', 404)
  expect(await fetching(missing, 50, { absences: 0 })).toBe('figures later')
  expect(await fetching(missing, 50, { absences: FIGURES_TRIES - 1 })).toBe('figures later')
})

test('a combined report does not wait for its figures for ever', async () => {
  expect(await fetching(refusal('forbidden', 403), 23, { kind: 'roadmap' })).toBe('refused')
  expect(await fetching(refusal('forbidden', 403), 24, { kind: 'roadmap' })).toEqual({ html: '<p>', date: 7 })
})

const absent = refusal('not_found', 404)
const away = refusal('unavailable', 503)
const words = { scales: [{ title: 'Warmth', score: 3 }] }

test.each<[string, object, object, unknown]>([
  ['figures with a title need no report', words, absent, { json: words, isReportAwaited: true, date: 7 }],
  ['a result without words and report is fetched again', { scales: [] }, absent, 'refused'],
  ['a result of figures without a title, too', { scales: [{ score: 3 }] }, absent, 'refused'],
  ['an empty report counts as none', { status: 'completed' }, { html: ' \n' }, 'refused'],
  ['a report of a service that is away is waited for', {}, away, 'later'],
  ['a refused report is waited for as well', {}, refusal('forbidden', 403), 'refused'],
])('%s', async (_, json, html, expected) => {
  expect(await fetching(json, 15, { html })).toEqual(expected)
  expect(await fetching(json, 5, { html, kind: 'roadmap' })).toEqual(expected)
})

test('a report that is too long to be kept is fetched when it is its turn', async () => {
  const html = { html: '<p>یک</p>'.repeat(200_000) }
  expect(await fetching(words, 0, { html })).toEqual({ json: words, isReportAwaited: true, date: 7 })
})

test('a huge result is cut to what a chat can show', async () => {
  const got = await fetching({ summary: 'This is calm. '.repeat(600_000) }, 0)
  expect(got).toMatchObject({ isCut: true, html: '<p>' })
  expect(JSON.stringify(got).length).toBeLessThan(50_000)
})
