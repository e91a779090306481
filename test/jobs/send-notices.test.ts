import { randomUUID } from 'node:crypto'
import { GrammyError } from 'grammy'
import { expect, test } from 'vitest'
import type { NoticeKind } from '../../src/domain/notice.ts'
import { createNoticeHandler, createNoticesDueHandler } from '../../src/jobs/send-notices.ts'
import { createLog } from '../../src/observe/logger.ts'
import type { Task } from '../../src/queue/job.ts'
import { blockedDeliveries, epochs } from '../../src/storage/documents/kinds.ts'
import { type NoticeBox, noticeBoxes, type WaitingNotice } from '../../src/storage/documents/notices.ts'
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts'
import { texts } from '../words.ts'
import { newStore, termAt } from './world.ts'

const ORGANIZER = 900
const NOW = 40 * 86_400_000

/** An organizer with waiting notices gets one more; `refuses`: the chat has blocked the bot. */
async function notifying({
  box = {},
  kind = 'trouble',
  waiting = [],
  refuses = false,
  meanwhile,
  organizers = [ORGANIZER],
}: {
  /** When notices were sent lately. */
  box?: Partial<Pick<NoticeBox, 'sent' | 'urgent'>>
  kind?: NoticeKind
  waiting?: WaitingNotice[]
  refuses?: boolean
  /** A notice that comes while the next message is being sent. */
  meanwhile?: WaitingNotice
  organizers?: number[]
}) {
  const { store, vault } = await newStore(() => NOW)
  await store.post({ actor: 'notice:o', id: randomUUID(), body: Buffer.from('{}') })
  const claim = await store.claim(10_000, ['notice'])
  if (!claim) throw new Error('nothing to claim')
  const work = createUnitOfWork({ store, vault, term: termAt(() => NOW)() }, claim)
  work.put(noticeBoxes, 'o', { sent: [], urgent: [], waiting, ...box })
  work.put(epochs, 'sara', { epoch: 1 })
  const sent: string[] = []
  const blocked = {
    ok: false,
    error_code: 403,
    description: 'Forbidden: bot was blocked by the user',
  } as const
  const say = async (text: string) => {
    if (refuses) throw new GrammyError('blocked', blocked, 'sendMessage', {})
    sent.push(text)
  }
  const sender = {
    send: (_: number, { text }: { text: string }) => say(text),
    document: (_: number, _file: unknown, text: string) => say(text),
  }
  const deps = {
    ...{ vault, sender, texts, now: () => NOW },
    log: createLog('silent', { write: () => undefined }),
    config: { organizers, quietHours: { from: 0, to: 0 }, locale: 'fa' },
  } as unknown as Parameters<typeof createNoticeHandler>[0] // the sender's methods that send
  const body = { chatId: ORGANIZER, kind, text: 'new' }
  const task = { actor: 'notice:o', id: 'o', begin: async () => undefined, work, body }
  await createNoticeHandler(deps)(task as unknown as Task<unknown>)
  const sentByNotice = [...sent]
  const comesDue = () =>
    createNoticesDueHandler(deps)({ ...task, actor: 'notices-due:o' } as unknown as Task<unknown>)
  await comesDue()
  if (meanwhile) (await work.get(noticeBoxes, 'o'))?.waiting.push(meanwhile)
  await comesDue()
  return {
    sent,
    sentByNotice,
    kept: (await work.get(noticeBoxes, 'o'))?.waiting.map(({ text }) => text),
    waits: (await work.get(blockedDeliveries, vault.hash('account', String(ORGANIZER))))?.waiting,
  }
}

const notice = (text: string, more: Partial<WaitingNotice> = {}): WaitingNotice => ({
  kind: 'trouble',
  text,
  at: NOW,
  ...more,
})

test('for an organizer who cannot be reached the newest hundred notices are kept', async () => {
  const waiting = Array.from({ length: 150 }, (_, index) => notice(String(index)))
  const { kept, waits } = await notifying({ waiting, refuses: true })
  expect(kept).toEqual([...Array.from({ length: 99 }, (_, index) => String(51 + index)), 'new'])
  expect(waits).toEqual([{ actor: 'notices-due:o', body: { chatId: ORGANIZER } }])
})

test('a notice that was sent is not kept', async () => {
  expect(await notifying({})).toMatchObject({ sent: ['new'], kept: [], waits: undefined })
})

test('a new notice goes with the waiting ones, so that none is sent twice', async () => {
  expect((await notifying({ waiting: [notice('old')] })).sentByNotice).toEqual([])
})

const many = [NOW, NOW, NOW]

test.each<[string, NoticeKind, Partial<NoticeBox>, boolean]>([
  ['a notice of trouble comes at once behind many that can wait', 'trouble', { sent: many }, true],
  ['a notice of a billing lock comes at once, too', 'billing', { sent: many }, true],
  ['many urgent notices become one', 'key', { urgent: many }, false],
  ['urgent notices do not hold up those that can wait', 'finished', { urgent: many }, true],
  ['many notices that can wait become one, too', 'finished', { sent: many }, false],
])('%s', async (_, kind, box, isAtOnce) => {
  expect((await notifying({ kind, box })).sent).toEqual(isAtOnce ? ['new'] : [])
})

test('an urgent notice is a message of its own', async () => {
  const waiting = [notice('can wait', { kind: 'finished' }), notice('urgent')]
  const { sent, kept } = await notifying({ waiting })
  expect(sent).toHaveLength(1)
  expect(sent[0]).toContain('urgent')
  expect(kept).toEqual(['can wait'])
})

test('a notice that comes while a message is being sent is in the next one', async () => {
  expect(await notifying({ meanwhile: notice('later') })).toMatchObject({ sent: ['new'], kept: ['later'] })
})

test('a notice about an account that was forgotten since, or one that is too old, is dropped', async () => {
  const waiting = [
    notice('of Sara before', { about: { who: 'sara', epoch: 0 } }),
    notice('old', { at: NOW - 31 * 86_400_000 }),
  ]
  expect((await notifying({ waiting })).sent).toEqual(['new'])
})

test('a notice about an account that has come back is sent', async () => {
  const [said] = (
    await notifying({ waiting: [notice('of Sara since', { about: { who: 'sara', epoch: 1 } })] })
  ).sent
  expect(said).toContain('of Sara since')
})

test('a former organizer gets no notice, and none is kept', async () => {
  expect(await notifying({ waiting: [notice('old')], organizers: [] })).toMatchObject({
    sent: [],
    kept: undefined,
  })
})
