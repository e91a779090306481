import { randomUUID } from 'node:crypto'
import { GrammyError } from 'grammy'
import { describe, expect, test } from 'vitest'
import { newRecordFile, type RecordState } from '../../src/domain/record/record.ts'
import { createResultHandler, type resultJob } from '../../src/jobs/deliver-result.ts'
import { REPORT_TRIES } from '../../src/jobs/fetch-result.ts'
import { createLog } from '../../src/observe/logger.ts'
import type { Task } from '../../src/queue/job.ts'
import { ServiceError, type ServiceErrorCode } from '../../src/service/errors.ts'
import type { OwedResult, ResultPart } from '../../src/storage/documents/kinds.ts'
import { assignees, owedResults, recordFiles, tokenKey } from '../../src/storage/documents/kinds.ts'
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts'
import { texts } from '../words.ts'
import { newStore, termAt } from './world.ts'

const ME = 1
/** An organizer, who may have what they are owed or have requested. */
const OTHER = 2
const FORGOTTEN = 3
const NOW = 7

const part = (chatId: number, kind: ResultPart['kind'], index = 0): ResultPart => ({
  chatId,
  language: 'fa',
  kind,
  index,
})
const json = { scales: [{ title: 'x', score: 1 }] }
const result = { json, html: '<p>', date: NOW }
const owed = (...parts: ResultPart[]): OwedResult => ({ ...result, parts })
const awaited = (...parts: ResultPart[]): OwedResult => ({ json, isReportAwaited: true, date: NOW, parts })
const mine = part(ME, 'text')
const others = part(OTHER, 'text')
const report = part(ME, 'document')
const onBehalf = { who: 'sara', chatId: ME, epoch: 0, language: 'fa' } as const

type Body = ReturnType<typeof resultJob.read>
type Given = {
  state?: RecordState
  owed?: OwedResult
  body?: Partial<Body>
  resultTo?: 'participant' | 'organizer' | 'both'
  figures?: object
  html?: object
  send?: (chatId: number) => void
  cards?: object
}

const later: ServiceErrorCode = 'not_finished'
const refusal = (code: ServiceErrorCode) => new ServiceError(code, { reached: 'yes', status: 400 })
const answering = (given: object) => async () => {
  if (given instanceof Error) throw given
  return given
}

/** One step of a delivery: its calls and sends, what is owed then, its events, and how it ends. */
async function step(given: Given) {
  const { state = { stage: 'scored' }, body = {}, resultTo = 'participant' } = given
  const { store, vault } = await newStore(() => NOW)
  await store.post({ actor: 'result:s', id: randomUUID(), body: Buffer.from('{}') })
  const claim = await store.claim(10_000, ['result'])
  if (!claim) throw new Error('nothing to claim')
  const work = createUnitOfWork({ store, vault, term: termAt(() => NOW)() }, claim)
  const file = {
    ...newRecordFile({ s: 's', token: 't', seenAt: 0 }, 'record'),
    state,
    isBegun: true as const,
  }
  work.put(recordFiles, 's', file)
  work.put(assignees, tokenKey(vault, 't'), { is: 'taken', who: 'sara' })
  if (given.owed) work.put(owedResults, 's', given.owed)
  await work.commit({ retryAt: NOW })
  const again = await store.claim(10_000, ['result'])
  if (!again) throw new Error('nothing to claim')
  const handled = createUnitOfWork({ store, vault, term: termAt(() => NOW)() }, again)
  const did: unknown[] = []
  const told: unknown[] = []
  const call = (name: string, answer: object) => () => {
    did.push(name)
    return answering(answer)()
  }
  const send = (chatId: number, kind: string) => {
    given.send?.(chatId)
    did.push([chatId, kind])
  }
  type Deps = Parameters<typeof createResultHandler>[0]
  const deps = {
    service: {
      recordResultJson: call('figures', given.figures ?? json),
      recordResultHtml: call('report', given.html ?? { html: '<p>' }),
    },
    config: { organizers: [OTHER], desk: [], resultTo, locale: 'fa' },
    texts,
    cards: given.cards ?? { recordCards: async () => [] },
    vault,
    now: () => NOW,
    log: createLog('silent', { write: () => undefined }),
  } as unknown as Deps // the deps of a result
  const sender = {
    send: async (chatId: number) => send(chatId, 'text'),
    document: async (chatId: number) => send(chatId, 'document'),
    photo: async (chatId: number) => send(chatId, 'picture'),
  }
  const post = (actor: string, posted: { event?: unknown }) => void told.push(posted.event ?? actor)
  const task = {
    ...{ actor: 'result:s', id: 's', begin: async () => undefined, sender },
    body: { s: 's', onBehalf, ...body },
    work: { ...handled, post },
  }
  const end = await createResultHandler(deps)(task as unknown as Task<unknown>)
  const { parts, html } = (await handled.get(owedResults, 's')) ?? {}
  return { did, told, end, parts, html }
}

const doneWith = (changes: Given = {}): Given => ({ state: { stage: 'done' }, ...changes })
const delivered = { kind: 'delivered', to: 'participant' }

describe('the first step of a delivery', () => {
  test.each<[string, Given, unknown[]]>([
    ['an owed result is fetched', {}, ['figures', 'report']],
    ['a delivered one is not', doneWith(), []],
    ['one of another stage is not', { state: { stage: 'elsewhere' } }, []],
    ['one requested again is fetched', doneWith({ body: { again: ME } }), ['figures', 'report']],
    ['one requested again while owed is not', doneWith({ body: { again: ME }, owed: owed(others) }), []],
    ['the parts that are left are sent', doneWith({ owed: owed(mine) }), [[ME, 'text']]],
    ['the first part is sent first', { owed: owed(others, mine) }, [[OTHER, 'text']]],
    ['a forgotten account is sent nothing', { owed: owed(part(FORGOTTEN, 'text'), mine) }, [[ME, 'text']]],
    ['a blocked chat is passed by', { owed: owed(others, mine), body: { blocked: [OTHER] } }, [[ME, 'text']]],
    ['a report that was fetched is sent', { owed: owed(report, others) }, [[ME, 'document']]],
    ['a report that is awaited comes last', { owed: awaited(report, others) }, [[OTHER, 'text']]],
    ['a report is fetched in its turn', { owed: awaited(report) }, ['report']],
  ])('%s', async (_, given, expected) => {
    expect((await step(given)).did).toEqual(expected)
  })
})

describe('a delivery without a part to send', () => {
  const isOwed = { stage: 'done', isOwed: true } as const

  test.each<[string, Given, unknown[], ResultPart[] | undefined]>([
    ['it is delivered', { owed: owed() }, [delivered], []],
    [
      'it is delivered to those who may have it',
      { owed: owed(part(FORGOTTEN, 'text')) },
      [delivered],
      [part(FORGOTTEN, 'text')],
    ],
    [
      'it is delivered although another chat has blocked the bot',
      { owed: owed(others), body: { blocked: [OTHER] } },
      [delivered],
      [others],
    ],
    ['it is not delivered to a blocked chat', { owed: owed(mine), body: { blocked: [ME] } }, [], [mine]],
    ['what was still owed is delivered', doneWith({ state: isOwed, owed: owed() }), [delivered], []],
    [
      'it is not delivered while a part is owed',
      doneWith({ state: isOwed, owed: owed(others), body: { blocked: [OTHER] } }),
      [],
      [others],
    ],
    ['one requested again is dropped', doneWith({ owed: owed() }), [], undefined],
    ['it is kept while blocked', doneWith({ owed: owed(others), body: { blocked: [OTHER] } }), [], [others]],
  ])('%s', async (_, given, told, parts) => {
    expect(await step(given)).toMatchObject({ did: [], told, end: undefined, parts })
  })
})

describe('fetching', () => {
  const failed = { kind: 'result-failed' }
  const nowhere = (tries: number): Given => ({
    figures: refusal('not_found'),
    html: refusal('not_found'),
    body: { tries },
  })
  const comesAgain = { retryAt: NOW + 1_000, retryBody: expect.objectContaining({ tries: 1 }) }

  test.each<[string, Given, unknown[], object | undefined]>([
    ['is waited for', { figures: refusal(later) }, [], comesAgain],
    ['that is refused is reported and owed', { figures: refusal('key_invalid') }, [failed], comesAgain],
    ['is reported once', { figures: refusal('key_invalid'), body: { isTold: true } }, [], comesAgain],
    ['that is missing is reported, and owed', nowhere(0), [failed], comesAgain],
    ['that is missing for hours is given up', nowhere(REPORT_TRIES), [failed], undefined],
    [
      'is given up without a second report',
      { ...nowhere(REPORT_TRIES), body: { tries: REPORT_TRIES, isTold: true } },
      [],
      undefined,
    ],
  ])('a result %s', async (_, given, told, end) => {
    const done = await step(given)
    expect(done.told).toEqual(told)
    if (end) expect(done.end).toMatchObject(end)
    else expect(done.end).toBeUndefined()
    expect(done.parts).toBeUndefined()
  })

  const laidOut = (chatId: number) => [part(chatId, 'text'), part(chatId, 'pdf'), part(chatId, 'document')]

  test.each<[string, Given, ResultPart[]]>([
    ['for all receivers', { resultTo: 'both' }, [...laidOut(ME), ...laidOut(OTHER)]],
    ['for the one who asks again', doneWith({ body: { again: OTHER } }), laidOut(OTHER)],
    [
      'for all receivers when one asks before the delivery',
      { body: { again: OTHER } },
      [...laidOut(ME), ...laidOut(OTHER)],
    ],
    [
      'for the one who asks again, beside what others are owed',
      { body: { again: ME }, owed: owed(mine, report, part(OTHER, 'picture')) },
      [part(OTHER, 'picture'), ...laidOut(ME)],
    ],
    ['for no account that may not have it', doneWith({ body: { again: FORGOTTEN } }), []],
  ])('the parts are laid out %s', async (_, given, parts) => {
    expect((await step(given)).parts).toEqual(parts)
  })
})

describe('a report that is waited for', () => {
  const missing = { kind: 'report-missing' }
  const refused = refusal('key_invalid')
  const after = (tries: number, html: object): Given => ({ owed: awaited(report), body: { tries }, html })

  test.each<[string, Given, unknown[], ResultPart[]]>([
    ['has come', after(0, { html: '<b>' }), [], [report]],
    ['comes later', after(0, refusal(later)), [], [report]],
    ['comes later, however often', after(99, refusal(later)), [], [report]],
    ['is refused', after(REPORT_TRIES - 1, refused), [], [report]],
    ['is refused for good', after(REPORT_TRIES, refusal('not_found')), [missing], []],
    ['is refused until it is reported', after(REPORT_TRIES, refused), [missing], [report]],
    ['is refused for ever, and stays owed', after(5 * REPORT_TRIES, refused), [], [report]],
  ])('%s', async (what, given, told, parts) => {
    const done = await step(given)
    expect({ ...done, end: undefined }).toMatchObject({ did: ['report'], told, parts })
    expect(done.html).toBe(what === 'has come' ? '<b>' : undefined)
  })

  test('and is too long to be kept is sent at once to each chat that is owed it', async () => {
    const theirs = part(OTHER, 'document')
    const html = { html: 'x'.repeat(1_000_001) }
    const done = await step({ owed: awaited(report, theirs), html })
    expect(done).toMatchObject({ did: ['report', [ME, 'document']], parts: [theirs] })
    // It is not kept, so that it is fetched again for the next chat.
    expect(done.html).toBeUndefined()
    const isBlocked = await step({ owed: awaited(report, theirs), html, body: { blocked: [ME] } })
    expect(isBlocked.did).toEqual(['report', [OTHER, 'document']])
  })
})

describe('a part', () => {
  const refuse = (code: number) => () => {
    throw new GrammyError('refused', { ok: false, error_code: code, description: 'refused' }, 'send', {})
  }

  test.each([
    ['sent', undefined],
    ['refused', refuse(400)],
  ])('that was %s is not sent again', async (_, send) => {
    const done = await step({ owed: owed(report, others), ...(send && { send }) })
    expect(done.parts).toEqual([others])
  })

  test('with an unknown outcome stays owed', async () => {
    await expect(step({ owed: owed(report), send: refuse(500) })).rejects.toThrow(GrammyError)
  })

  test('that is a picture is sent alone, before the next one', async () => {
    const cards = { recordCards: async () => Array.from({ length: 3 }, () => Buffer.from('png')) }
    const pictures = [0, 1, 2].map((index) => part(ME, 'picture', index))
    const laidOut = await step({ cards })
    expect(laidOut.parts?.slice(0, 4)).toEqual([...pictures, mine])
    const done = await step({ owed: owed(...pictures, mine), cards })
    expect(done).toMatchObject({ did: [[ME, 'picture']], parts: [...pictures.slice(1), mine] })
  })

  test('whose chat has blocked the bot is kept, and the others are sent', async () => {
    const done = await step({ owed: owed(others, report), send: refuse(403) })
    expect(done.parts).toEqual([others, report])
    expect(done.end).toMatchObject({ retryAt: NOW, retryBody: { blocked: [OTHER] } })
  })
})
