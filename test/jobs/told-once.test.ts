import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { noteUnanswered } from '../../src/jobs/asked-questions.ts'
import { type NoticeDeps, postNotice } from '../../src/jobs/notices.ts'
import { guardCurrent } from '../../src/queue/job.ts'
import { ASKED_DAYS, unansweredQuestions } from '../../src/storage/documents/asked-questions.ts'
import { epochs, notifiedCauses } from '../../src/storage/documents/kinds.ts'
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts'
import { texts } from '../words.ts'
import { newStore, termAt } from './world.ts'

const HOUR_MS = 3_600_000

/** Messages handled on one store, one after the other or in parallel. */
async function messages() {
  let at = Date.UTC(2026, 0, 5)
  const now = () => at
  const { store, vault } = await newStore(now)
  const config: NoticeDeps['config'] = { organizers: [900], desk: [], locale: 'fa' }
  return {
    deps: { config, texts, vault, now },
    waits: (ms: number) => {
      at += ms
    },
    async work() {
      await store.post({ actor: `chat:${randomUUID()}`, id: randomUUID(), body: Buffer.from('{}') })
      const claim = await store.claim(10_000, ['chat'])
      if (!claim) throw new Error('nothing to claim')
      return createUnitOfWork({ store, vault, term: termAt(now)() }, claim)
    },
  }
}

test('organizers are notified of one cause once within an hour', async () => {
  const { deps, work, waits } = await messages()
  const tells = async () => {
    const message = await work()
    const isTold = await postNotice(deps, message, { key: 'notice-sms-limit', of: 'abc' }, { title: 't' })
    await message.commit()
    return isTold
  }
  expect(await tells()).toBe(true)
  waits(HOUR_MS / 2)
  expect(await tells()).toBe(false)
  waits(HOUR_MS)
  expect(await tells()).toBe(true)
})

test('work under way when its account was forgotten is not committed, however late it ends', async () => {
  const { work } = await messages()
  const underWay = await work()
  const sara = { who: 'sara', chatId: 7, epoch: 0, language: 'fa' } as const
  expect(await guardCurrent(underWay, sara)).toBe(true)
  underWay.put(notifiedCauses, 'of sara', { at: 1 })
  const forget = await work()
  forget.put(epochs, 'sara', { epoch: 1 })
  expect(await forget.commit()).toBe('ok')
  expect(await underWay.commit()).toBe('conflict')
  expect(await guardCurrent(await work(), sara)).toBe(false)
})

test('an unanswered question is counted only as long as it is kept, however many follow', async () => {
  const { deps, work, waits } = await messages()
  const asks = async (id: string) => {
    const message = await work()
    await noteUnanswered(message, id, deps.now())
    await message.commit()
    return Object.keys((await (await work()).get(unansweredQuestions, 'all'))?.asked ?? {})
  }
  expect(await asks('first')).toEqual(['first'])
  waits((ASKED_DAYS * 24 - 1) * HOUR_MS)
  expect(await asks('second')).toEqual(['first', 'second'])
  waits(2 * HOUR_MS)
  expect(await asks('third')).toEqual(['second', 'third'])
})
