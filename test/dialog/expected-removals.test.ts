import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { UpdateContext } from '../../src/dialog/update-context.ts'
import { wholeToRelease } from '../../src/organizer/release.ts'
import { forgetAgain } from '../../src/participant/forget.ts'
import { assignees, owedResults, recordFiles, talks, tokenKey } from '../../src/storage/documents/kinds.ts'
import { createUnitOfWork, type UnitOfWork } from '../../src/storage/unit-of-work.ts'
import { fileIn } from '../domain/record-states.ts'
import { newStore, termAt } from '../jobs/world.ts'

const s = 'abcdefgh'
const now = Date.UTC(2026, 0, 5)

type Keep = (work: UnitOfWork, what: string) => unknown
const kept: Record<string, Keep> = {
  'the state of the dialog': (work, step) => work.put(talks, s, { version: [0, 1], state: { [step]: [] } }),
  'a result that is owed': (work, html) => work.put(owedResults, s, { html, date: now, parts: [] }),
}

const removals: Record<string, (sara: UpdateContext, organizer: UpdateContext) => Promise<UpdateContext>> = {
  async 'a release to another person'(_, organizer) {
    await (await wholeToRelease(organizer, s))?.free('other')
    return organizer
  },
  async '/forget'(sara) {
    await forgetAgain(sara)
    return sara
  },
}

const both = Object.keys(removals).flatMap((removal) => Object.keys(kept).map((what) => ({ removal, what })))

test.each(both)('$removal conflicts with $what that changes meanwhile', async ({ removal, what }) => {
  const { store, vault } = await newStore(() => now)
  const deps = { store, vault, now: () => now, config: { retentionDays: 30, organizers: [] } }
  const file = { ...fileIn('a record', 'intro'), s }
  async function turnOf(who: string): Promise<UpdateContext> {
    await store.post({ actor: `chat:${who}`, id: randomUUID(), body: Buffer.from('{}') })
    const claim = await store.claim(10_000, ['chat'])
    if (!claim) throw new Error('nothing to claim')
    const work = createUnitOfWork({ store, vault, term: termAt(() => now)() }, claim)
    const account = { chatId: 1, items: [s], screens: {}, pending: {} }
    return { who, work, now, deps, language: 'fa', account } as unknown as UpdateContext
  }
  const keep = kept[what] as Keep
  const before = await turnOf('sara')
  before.work.put(recordFiles, s, file)
  before.work.put(assignees, tokenKey(vault, file.token), { is: 'taken', who: 'sara' })
  keep(before.work, 'earlier')
  expect(await before.work.commit()).toBe('ok')

  const organizer = await turnOf('organizer')
  const removing = await removals[removal]?.(await turnOf('sara'), organizer)
  const meanwhile = await turnOf('job')
  keep(meanwhile.work, 'later')
  expect(await meanwhile.work.commit()).toBe('ok')
  expect(await removing?.work.commit()).toBe('conflict')
})
