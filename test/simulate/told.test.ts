import { createHmac } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { createToldModel, type ToldModel } from '../../tools/simulate/model-told.ts'
import { EVENTS_SECRET } from '../../tools/simulate/settings.ts'
import { createHost } from '../../tools/simulate/time.ts'

const [FIRST, SECOND, THIRD, ORGANIZER] = [5_000_000_001, 5_000_000_002, 5_000_000_003, 4_001]
const TITLE = 'آزمون پنج پرسشی'
const record = { token: 'token', questions: 5, title: TITLE, isNested: false }
const commit = { actor: 'result:s', fence: '', posts: [`chat:${FIRST}`] }
const DAY_MS = 86_400_000
const DEAD = { ...commit, writes: [{ key: 'd:who', value: Buffer.alloc(1) }] }

let told: ToldModel
let now: number
let days: number
let broken: string[]

beforeEach(() => {
  now = 0
  days = 0
  broken = []
  told = createToldModel({
    elapsed: () => now,
    now: () => now + days * DAY_MS,
    hasForgotten: () => false,
    hasSkipped: () => false,
    report: (_, what) => void broken.push(what),
    actorOf: (chat) => `chat:${chat}`,
  })
  for (const chat of [FIRST, SECOND]) told.knows(chat, `0912${chat}`, [record])
})

/** The notices, events and results that are missing two minutes later. */
function missing(): string[] {
  now += 120_000
  told.judge({ organizers: [ORGANIZER], isAnnounced: true, sms: [], isPerhapsOurs: () => false })
  return [...broken.splice(0), ...told.doneLongAgo()]
}

const ALL = [
  `organizer ${ORGANIZER} was never told that ${TITLE} is done`,
  'no event says that …oken was submitted',
]

test('a finished test is owed a notice, an event and a result', () => {
  told.submitted('token')
  expect(missing()).toEqual([...ALL, TITLE])
})

test('a test released before the bot heard that it was accepted owes nothing until another account takes it over', () => {
  told.submitted('token')
  told.loses(String(FIRST), TITLE)
  told.taps(FIRST, 'begin:s')
  expect(missing()).toEqual([])
  told.goesOn(String(SECOND))
  expect(missing()).toEqual([...ALL, TITLE])
})

test('a test released after the bot heard that it was accepted still owes the notice and the result', () => {
  told.submitted('token')
  told.announced(JSON.stringify({ id: '1', type: 'submitted', token: 'token' }))
  told.loses(String(FIRST), TITLE)
  expect(missing()).toEqual([ALL[0], TITLE])
})

test('a result that is set aside after three failed claims is no longer owed', () => {
  told.submitted('token')
  for (let claims = 0; claims < 3; claims += 1) told.claimed(commit)
  told.committed(DEAD)
  expect(missing()).toEqual([...ALL, TITLE])
  for (let claims = 0; claims < 4; claims += 1) told.claimed(commit)
  told.committed(DEAD)
  expect(missing()).toEqual(ALL)
})

test('a submission that is set aside after three failed claims owes nothing', () => {
  told.submitted('token')
  for (let claims = 0; claims < 4; claims += 1) told.claimed({ actor: 'submit:s' })
  told.committed({ ...DEAD, actor: 'submit:s' })
  expect(missing()).toEqual([])
})

const HOST = createHost('r1.1')
const sign = (text: string) => `sha256=${createHmac('sha256', EVENTS_SECRET).update(text).digest('hex')}`
const event = (id: string, type: string) =>
  JSON.stringify({ id, type, at: '', kind: 'record', token: 'token', external_id: null })

function leaves(body: string): void {
  const sent = { 'x-porsa-sent': 'now', 'x-porsa-sent-signature': sign(`now.${body}`) }
  told.announces(body, { 'x-porsa-signature': sign(body), ...sent }, HOST)
}

test('an event that was not accepted is posted again, unless it is given up after three days', () => {
  leaves(event('1', 'opened'))
  told.givesUp()
  expect(missing()).toEqual(['an event was not posted again'])
  days = 4
  told.givesUp()
  expect(missing()).toEqual([])
})

test('each pause before the next retry may be longer, up to a limit', () => {
  for (now of [0, 1_000, 6_000, 21_000]) leaves(event('1', 'opened'))
  expect(missing()).toEqual([])
  now = 1_200_000
  expect(missing()).toEqual(['an event was not posted again'])
})

test('an event waits until the bot has heard that the previous one was accepted', () => {
  leaves(event('1', 'opened'))
  told.announced(event('1', 'opened'))
  told.hearsTaken(event('1', 'opened'))
  leaves(event('2', 'begun'))
  expect(broken).toEqual([])
  told.announced(event('2', 'begun'))
  leaves(event('3', 'stuck'))
  expect(broken).toEqual(['an event of …oken came before the one before it was taken'])
})

test('an event is posted again unchanged, and none is posted after /forget', () => {
  told.announces(event('1', 'begun'), {}, HOST)
  leaves(event('1', 'opened'))
  expect(broken.splice(0)).toEqual([
    'an event is not signed',
    'an event was changed before it was posted again',
  ])
  told.taps(FIRST, 'forget:yes')
  told.committed({ ...commit, actor: `chat:${FIRST}`, writes: [{ key: 'e:who', value: Buffer.alloc(1) }] })
  now += 60_000
  leaves(event('2', 'stuck'))
  // Two accounts may have this record.
  expect(broken).toEqual([])
  told.knows(THIRD, 'other', [{ ...record, token: 'other' }])
  told.committed({ ...commit, actor: `chat:${THIRD}`, writes: [{ key: 'e:who', value: Buffer.alloc(1) }] })
  now += 60_000
  leaves(event('3', 'stuck').replace('token":"token', 'token":"other'))
  expect(broken).toEqual(['an event says after /forget that …ther was stuck'])
})
