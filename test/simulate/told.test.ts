import { beforeEach, expect, test } from 'vitest'
import { createToldModel, type ToldModel } from '../../tools/simulate/model-told.ts'

const [FIRST, SECOND, ORGANIZER] = [5_000_000_001, 5_000_000_002, 4_001]
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
    tell: (_, what) => void broken.push(what),
    actorOf: (chat) => `chat:${chat}`,
  })
  for (const chat of [FIRST, SECOND]) told.knows(chat, `0912${chat}`, [record])
})

/** What is missing two minutes later. */
function missing(): string[] {
  now += 120_000
  told.judge({ organizers: [ORGANIZER], isAnnounced: true, sms: [], isPerhapsOurs: () => false })
  return [...broken.splice(0), ...told.doneLongAgo()]
}

const ALL = [
  `organizer ${ORGANIZER} was never told that ${TITLE} is done`,
  'no event says that …oken was submitted',
]

test('what was done is told, and there is a result', () => {
  told.submitted('token')
  expect(missing()).toEqual([...ALL, TITLE])
})

test('of what was released before the bot heard of it nothing is owed until somebody goes on with it', () => {
  told.submitted('token')
  told.loses(String(FIRST), TITLE)
  told.taps(FIRST, 'begin:s')
  expect(missing()).toEqual([])
  told.goesOn(String(SECOND))
  expect(missing()).toEqual([...ALL, TITLE])
})

test('of what was released after the bot heard of it the rest is owed', () => {
  told.submitted('token')
  told.announced(JSON.stringify({ id: '1', type: 'submitted', token: 'token' }))
  told.loses(String(FIRST), TITLE)
  expect(missing()).toEqual([ALL[0], TITLE])
})

test('a result that was set aside is owed no more, where it was begun three times in vain', () => {
  told.submitted('token')
  for (let claims = 0; claims < 3; claims += 1) told.claimed(commit)
  told.committed(DEAD)
  expect(missing()).toEqual([...ALL, TITLE])
  for (let claims = 0; claims < 4; claims += 1) told.claimed(commit)
  told.committed(DEAD)
  expect(missing()).toEqual(ALL)
})

test('of answers whose submission was set aside, begun three times in vain, nobody has heard anything', () => {
  told.submitted('token')
  for (let claims = 0; claims < 4; claims += 1) told.claimed({ actor: 'submit:s' })
  told.committed({ ...DEAD, actor: 'submit:s' })
  expect(missing()).toEqual([])
})

test('an event that was not taken is posted again, unless it is given up when three days have passed', () => {
  told.announces(JSON.stringify({ id: '1', type: 'opened', token: 'token' }))
  told.givesUp()
  expect(missing()).toEqual(['an event was not posted again'])
  days = 4
  told.givesUp()
  expect(missing()).toEqual([])
})
