import { expect, test } from 'vitest'
import { questionsOf, type RecordFile } from '../../src/domain/record/record.ts'
import { createSetAside } from '../../src/jobs/set-aside.ts'
import { createLog } from '../../src/observe/logger.ts'
import type { Task } from '../../src/queue/job.ts'
import { deadLetters, recordFiles } from '../../src/storage/documents/kinds.ts'
import { fileIn } from '../domain/record-states.ts'
import { texts } from '../words.ts'
import { newStore } from './world.ts'

const onBehalf = { who: 'w', chatId: 7, epoch: 0, language: 'fa' } as const
const about = { s: 'S', onBehalf }
const outcome = { type: 'outcome', chatId: 7, s: 'S', id: 'c', kind: 'open', outcome: {} }
const event = (kind: string, more = {}) => ({ type: 'event', chatId: 7, s: 'S', event: { kind, ...more } })

/** A message that failed for good. Returns what is told and what is kept. */
async function setAside(actor: string, body: unknown, epoch = 0, file?: RecordFile) {
  const { vault } = await newStore(() => 0)
  const told: unknown[] = []
  const kept: unknown[] = []
  const noted: string[] = []
  const work = {
    vault,
    guard: async () => ({ epoch }),
    get: async (kind: unknown) => (kind === deadLetters ? kept[0] : kind === recordFiles ? file : undefined),
    put(kind: unknown, _: string, value: unknown) {
      if (kind === deadLetters) kept.push(value)
      return value
    },
    note: (milestone: string) => void noted.push(milestone),
    post: (to: string, message: unknown) => void (to === 'chat:w' && told.push(message)),
  }
  const deps = {
    config: { organizers: [], desk: [], locale: 'fa' as const },
    texts,
    now: () => 5,
    log: createLog('silent', { write: () => undefined }),
  }
  const task = { actor, body, work } as unknown as Task<unknown>
  const again = (other = body) =>
    createSetAside(deps)({ ...task, body: other } as Task<unknown>, new Error('no'))
  await again()
  return { told, kept, noted, again }
}

test.each<[string, string, unknown, object]>([
  ['a call', 'call:S:w', { ...about, id: 'c' }, { call: 'c' }],
  ['a call for a record that no account has claimed', 'visit:S:w', { ...about, id: 'c' }, { call: 'c' }],
  ['the outcome of a call', 'chat:w', outcome, { call: 'c' }],
  ['a submission', 'submit:S', about, { isStalled: true }],
  ['an analysis', 'generation:S', about, { isStalled: true }],
  ['a submission that may have arrived', 'submit:S', { ...about, unclear: true }, { isStalled: true }],
  ['the event of a submission', 'chat:w', event('submitted'), { isStalled: true }],
  [
    'the event of an uncertain submission',
    'chat:w',
    event('submitted', { isUncertain: true }),
    { isStalled: true },
  ],
  ['the event of a record finished elsewhere', 'chat:w', event('submitted-elsewhere'), { isStalled: true }],
  ['the event of a finished analysis', 'chat:w', event('generated'), { isStalled: true }],
  ['the event of a started analysis', 'chat:w', event('generating'), { isStalled: true }],
  ['a result', 'result:S', about, {}],
  ['a reminder', 'reminder:w', about, {}],
  ['another event of the chat', 'chat:w', event('remind'), {}],
])('%s that is set aside ends its own work and nothing else', async (_, actor, body, ended) => {
  const { told, kept } = await setAside(actor, body)
  expect(told).toEqual([event('trouble', { epoch: 0, ...ended })])
  // Nothing that names a chat: /forget does not reach the dead letters.
  expect(kept).toMatchObject([{ letters: [{ actor, at: 5, times: 1, why: 'Error: no' }] }])
})

test('no id of a dead letter looks like an option of its command', async () => {
  const ids: string[] = []
  const { kept, again } = await setAside('chat:w', event('remind'))
  // One of 64 would by chance.
  while (ids.length < 600) {
    await again(event('remind', { time: ids.length }))
    ids.push((kept[0] as { letters: { id: string }[] }).letters.at(-1)?.id ?? '')
  }
  expect(ids.filter((id) => !/^[\w][\w-]{5}$/.test(id))).toEqual([])
})

test.each([true, undefined])(
  'the account that takes the test over knows whether its answers may have arrived (%s)',
  async (unclear) => {
    const file = fileIn('a record', 'submitting: questions')
    await setAside('submit:S', { ...about, unclear }, 0, file)
    expect(questionsOf(file)?.isAttempted).toBe(unclear)
  },
)

test('a message of an account that was forgotten since is neither reported nor kept', async () => {
  expect(await setAside('call:S:w', { ...about, id: 'c' }, 1)).toMatchObject({ told: [], kept: [] })
})

test.each([
  ['released', { title: 'T', typed: [], records: [] }],
  ['unhanded', {}],
])(
  'an event that takes something away (%s) is sent once more when set aside, and then reported',
  async (kind, more) => {
    const again = { ...event(kind, more), isAgain: true }
    expect((await setAside('chat:w', event(kind, more))).told).toEqual([again])
    expect((await setAside('chat:w', again)).told).toEqual([event('trouble', { epoch: 0 })])
  },
)

test('a failed report of trouble is not reported', async () => {
  expect((await setAside('chat:w', event('trouble'))).told).toEqual([])
})

test('a message that fails again in the same way is counted once, and alarms the operator once', async () => {
  const { kept, noted, again } = await setAside('chat:w', event('remind'))
  expect(noted).toEqual(['set-aside'])
  await again()
  expect(noted).toEqual(['set-aside'])
  expect(kept).toMatchObject([{ letters: [{ actor: 'chat:w', times: 2 }] }])
})
