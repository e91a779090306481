import { expect, onTestFinished, test, vi } from 'vitest'
import type { Assignee } from '../../src/domain/assignee.ts'
import { newAttempt } from '../../src/domain/attempt.ts'
import { encodeAttempt, openAttempt } from '../../src/domain/attempt-layout.ts'
import { newRecordFile, questionsOf, type RecordFile } from '../../src/domain/record/record.ts'
import { createSubmitHandler } from '../../src/jobs/submit-answers.ts'
import { createLog } from '../../src/observe/logger.ts'
import type { Task } from '../../src/queue/job.ts'
import type { CallOptions, ServiceClient } from '../../src/service/client.ts'
import { ServiceError } from '../../src/service/errors.ts'
import { attemptKey, attemptOwner } from '../../src/storage/documents/attempts.ts'
import { assignees, questionnaires, recordFiles, tokenKey } from '../../src/storage/documents/kinds.ts'
import { questionsId } from '../../src/storage/documents/questions.ts'
import { documentKey } from '../../src/storage/documents.ts'
import { recordData } from '../service/local-service.ts'
import { texts, word } from '../words.ts'
import { newStore } from './world.ts'

const [s, who, content] = ['S', 'w', 'ab'.repeat(32)]

/** Complete answers under way, which may have arrived. Returns what the service was asked, and more. */
async function onTheWay(
  { attemptOf, owner }: { attemptOf?: string | undefined; owner?: string | undefined } = {
    attemptOf: who,
    owner: who,
  },
  {
    unclear = true,
    ...more
  }: {
    unclear?: boolean
    refusal?: ServiceError
    life?: () => never
    etaMs?: number
    /** How long the service takes once the submission has its slot. */
    takesMs?: number
  } = {},
) {
  const { store, vault } = await newStore(() => 0)
  const id = Buffer.alloc(8, 1)
  const attempt = openAttempt(
    newAttempt({
      owner: attemptOwner(vault, { who: attemptOf, s }, { id }),
      id,
      contentHash: Buffer.from(content, 'hex'),
      questions: 1,
      language: 'fa',
      dataKey: vault.dataKey,
      retentionSeconds: 86_400,
      at: 0,
    }),
  )
  const { first } = vault.attemptCipher.encryptAnswer(attempt, { question: 0, revision: 1, option: 0 })
  const given = { answered: 1, firsts: Buffer.of(first), state: 'locked', macRevision: 1 } as const
  const locked = { ...attempt, ...given }
  const value = encodeAttempt({ ...locked, mac: vault.attemptCipher.mac(s, locked) })
  await store.put({ key: attemptKey(s), value }, null)
  const state = { stage: 'submitting', questions: { content, count: 1, life: 'first' } } as const
  const begun = newRecordFile({ s, token: 't', seenAt: 0 }, 'record')
  const file: RecordFile = { ...begun, isBegun: true, state }
  const assignee: Assignee = owner === undefined ? { is: 'released', tries: 3 } : { is: 'taken', who: owner }
  const options = [{ id: 'o', label: 'بله' }]
  const documents = new Map<string, unknown>([
    [documentKey(recordFiles, s), file],
    [documentKey(assignees, tokenKey(vault, 't')), assignee],
    [
      documentKey(questionnaires, questionsId(vault, content)),
      { form: 'flat', sections: [{ questions: [{ id: 'q', text: '؟', options }] }] },
    ],
  ])
  const asked: [string, string | undefined][] = []
  const posted: string[] = []
  const said: string[] = []
  const say = async (_: number, ...words: unknown[]) => void said.push(JSON.stringify(words.at(-1)))
  const service = {
    record: async (_: string, { account }: CallOptions) => asked.push(['look', account]) && recordData,
    async submitAnswers(_: string, __: unknown, { account, onQueued, isWanted }: CallOptions) {
      asked.push(['send', account])
      if (more.etaMs !== undefined) {
        onQueued?.({ place: 2, etaMs: more.etaMs })
        await vi.advanceTimersByTimeAsync(1_000)
      }
      await isWanted?.()
      if (more.takesMs !== undefined) await vi.advanceTimersByTimeAsync(more.takesMs)
      if (more.refusal) throw more.refusal
    },
  }
  const handle = createSubmitHandler({
    service: service as unknown as ServiceClient,
    store: { ...store, ...(more.life && { life: more.life }) },
    vault,
    texts,
    sender: {
      send: async (...all: [number, unknown]) => (await say(...all)) ?? 31,
      edit: say,
      remove: say,
      typing: () => void said.push('typing'),
    } as never,
    now: () => 0,
    log: createLog('silent', { write: () => undefined }),
  })
  const get = async (kind: { prefix: string }, of: string) => documents.get(documentKey(kind, of))
  const task = {
    actor: `submit:${s}`,
    body: { s, onBehalf: { who, chatId: 7, epoch: 0, language: 'fa' }, unclear },
    work: {
      get,
      vault,
      guard: async () => undefined,
      post: ({ actor }: { actor: string }) => posted.push(actor),
    },
    begun: false,
    signal: new AbortController().signal,
    begin: async () => {},
  }
  const end = await handle(task as unknown as Task<unknown>)
  return { asked, posted, said, end, isAttempted: questionsOf(file)?.isAttempted === true }
}

test('a submission waits in line as its account’s, for reading and for sending', async () => {
  const { asked } = await onTheWay()
  expect(asked).toEqual([
    ['look', who],
    ['send', who],
  ])
})

test('a submission that waits in line shows its place, and removes the message afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { said } = await onTheWay(undefined, { unclear: false, etaMs: 3_600_000 })
  expect(said).toEqual([
    expect.stringContaining(word('wait-minutes', { minutes: 60 })),
    JSON.stringify({ text: word('place-reached') }),
    JSON.stringify([31]),
  ])
})

test('a submission that has its slot shows no place in line, however long the service takes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { said } = await onTheWay(undefined, { unclear: false, etaMs: 5_000, takesMs: 13_000 })
  expect(said).toEqual(['typing', 'typing'])
})

test.each([
  ['before the record was read', undefined],
  ['since then', who],
])('answers that were released %s wait for the account that takes them over', async (_, owner) => {
  const { asked, posted, end } = await onTheWay({ attemptOf: undefined, owner })
  expect([asked, posted, end]).toEqual([[], [], undefined])
})

test('answers of another account in their place are damaged, and are not sent', async () => {
  const { asked, posted, end } = await onTheWay({ attemptOf: 'another', owner: who })
  expect([asked, end]).toEqual([[], undefined])
  expect(posted).toHaveLength(1)
})

test('a refusal as finished survives a store that fails before it is committed', async () => {
  const refusal = new ServiceError('already_finished', { reached: 'yes', status: 409 })
  const life = () => {
    throw new Error('the store did not answer')
  }
  const { asked, end } = await onTheWay({ attemptOf: who, owner: who }, { unclear: false, refusal, life })
  expect(asked.map(([what]) => what)).toEqual(['send', 'look'])
  expect(end).toMatchObject({ retryBody: { unclear: false } })
})

test.each([
  ['unclear', true],
  ['no', false],
] as const)(
  'a retried submission notes in the record whether the answers may have arrived: %s',
  async (reached, expected) => {
    const refusal = new ServiceError('unavailable', { reached })
    const { end, isAttempted } = await onTheWay(undefined, { unclear: false, refusal })
    expect(end).toMatchObject({ retryBody: { unclear: expected } })
    // An account that takes the answers over has another job.
    expect(isAttempted).toBe(expected)
  },
)
