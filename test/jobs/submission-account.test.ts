import { expect, test } from 'vitest'
import { newRecordFile, type RecordFile } from '../../src/domain/record/record.ts'
import { newSitting, openSitting } from '../../src/domain/sitting.ts'
import { encodeSitting } from '../../src/domain/sitting-layout.ts'
import { createSubmitHandler } from '../../src/jobs/submit-answers.ts'
import type { Task } from '../../src/jobs/task.ts'
import { questionnaires, recordFiles } from '../../src/kept/documents.ts'
import { questionsId } from '../../src/kept/questions.ts'
import { ownerOf, RELEASED, sittingKey } from '../../src/kept/sittings.ts'
import type { CallOptions, ServiceClient } from '../../src/service/client.ts'
import { documentKey } from '../../src/store/documents.ts'
import { recordData } from '../service/local-service.ts'
import { newStore } from './world.ts'

const [s, who, content] = ['S', 'w', 'ab'.repeat(32)]

/** Finished answers on their way, that may have arrived already, and what is asked of the service about them. */
async function onTheWay({
  sittingOf = who,
  owner = who,
}: {
  sittingOf?: string
  owner?: string | null
} = {}) {
  const { store, vault } = await newStore(() => 0)
  const id = Buffer.alloc(8, 1)
  const sitting = openSitting(
    newSitting({
      owner: ownerOf(vault, { who: sittingOf, s }, { layout: 2, id }),
      id,
      contentHash: Buffer.from(content, 'hex'),
      questions: 1,
      language: 'fa',
      dataKey: vault.dataKey,
      retentionSeconds: 86_400,
      at: 0,
    }),
  )
  const { first } = vault.sittingCipher.encryptAnswer(sitting, { question: 0, revision: 1, option: 0 })
  const given = { answered: 1, firsts: Buffer.of(first), state: 'locked', macRevision: 1 } as const
  const locked = { ...sitting, ...given }
  const value = encodeSitting({ ...locked, mac: vault.sittingCipher.mac(s, locked) })
  await store.put({ key: sittingKey(s), value }, null)
  const state = { stage: 'submitting', questions: { content, count: 1 } } as const
  const begun = newRecordFile({ s, token: 't', seenAt: 0 }, 'record')
  const file: RecordFile = { ...begun, ...(owner !== null && { owner }), state }
  const options = [{ id: 'o', label: 'بله' }]
  const documents = new Map<string, unknown>([
    [documentKey(recordFiles, s), file],
    [
      documentKey(questionnaires, questionsId(vault, content)),
      { form: 'flat', sections: [{ questions: [{ id: 'q', text: '؟', options }] }] },
    ],
  ])
  const asked: [string, string | undefined][] = []
  const posted: string[] = []
  const service = {
    record: async (_: string, { account }: CallOptions) => asked.push(['look', account]) && recordData,
    submitAnswers: async (_: string, __: unknown, { account }: CallOptions) => asked.push(['send', account]),
  }
  const handle = createSubmitHandler({
    service: service as unknown as ServiceClient,
    store,
    vault,
    now: () => 0,
  })
  const get = async (kind: { prefix: string }, of: string) => documents.get(documentKey(kind, of))
  const task = {
    actor: `submit:${s}`,
    body: { s, onBehalf: { who, chatId: 7, epoch: 0, language: 'fa' }, unclear: true },
    work: { get, guard: async () => undefined, post: ({ actor }: { actor: string }) => posted.push(actor) },
    begun: false,
    signal: new AbortController().signal,
    begin: async () => {},
  }
  const end = await handle(task as unknown as Task<unknown>)
  return { asked, posted, end }
}

test('answers on their way wait in line as their account’s, looking and sending alike', async () => {
  const { asked } = await onTheWay()
  expect(asked).toEqual([
    ['look', who],
    ['send', who],
  ])
})

test('answers that are being released are not taken for damaged: they are tried again', async () => {
  const { asked, posted, end } = await onTheWay({ sittingOf: RELEASED })
  expect([asked, posted]).toEqual([[], []])
  expect(end).toMatchObject({ retryAt: 1_000, retryBody: { s, unclear: true }, countsAsRetry: false })
})

test('answers that were released wait for whoever takes them over', async () => {
  const { asked, posted, end } = await onTheWay({ sittingOf: RELEASED, owner: null })
  expect([asked, posted, end]).toEqual([[], [], undefined])
})

test('answers of another account in their place are damaged, and nobody sends them', async () => {
  const { asked, posted, end } = await onTheWay({ sittingOf: 'another' })
  expect([asked, end]).toEqual([[], undefined])
  expect(posted).toHaveLength(1)
})
