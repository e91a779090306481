import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { UpdateContext } from '../../src/dialog/update-context.ts'
import { wholeToRelease } from '../../src/organizer/releasable.ts'
import { recordFiles, talks } from '../../src/storage/documents/kinds.ts'
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts'
import { fileIn } from '../domain/record-states.ts'
import { newStore, termAt } from '../jobs/world.ts'

const s = 'abcdefgh'
const now = Date.UTC(2026, 0, 5)
const waiting = (step: string) => ({ version: [0, 1] as [0, number], state: { [step]: [] } })

test('a release to be begun anew does not pass over what the dialog has come to meanwhile', async () => {
  const { store, vault } = await newStore(() => now)
  const deps = { store, vault, now: () => now, config: { retentionDays: 30, organizers: [] } }
  async function turnOf(who: string): Promise<UpdateContext> {
    await store.post({ actor: `chat:${who}`, id: randomUUID(), body: Buffer.from('{}') })
    const claim = await store.claim(10_000, ['chat'])
    if (!claim) throw new Error('nothing to claim')
    const work = createUnitOfWork({ store, vault, term: termAt(() => now)() }, claim)
    return { who, work, now, deps, language: 'fa', account: {} } as unknown as UpdateContext
  }
  const sara = await turnOf('sara')
  sara.work.put(recordFiles, s, { ...fileIn('a record', 'intro'), s })
  sara.work.put(talks, s, waiting('name'))
  expect(await sara.work.commit()).toBe('ok')
  const organizer = await turnOf('organizer')
  await (await wholeToRelease(organizer, s))?.free('other')
  const later = await turnOf('sara')
  later.work.put(talks, s, waiting('birth'))
  expect(await later.work.commit()).toBe('ok')
  expect(await organizer.work.commit()).toBe('conflict')
})
