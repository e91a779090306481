import { randomUUID } from 'node:crypto'
import type { Config } from '../../src/config.ts'
import { begun, FREE } from '../../src/domain/assignee.ts'
import { DAY_MS, HOUR_MS } from '../../src/domain/durations.ts'
import { newDraft } from '../../src/domain/profile.ts'
import { newRecordFile, type RecordFile, type RecordState } from '../../src/domain/record/record.ts'
import { RECOUNTED } from '../../src/jobs/stage-counts.ts'
import { openStorage } from '../../src/open-storage.ts'
import { enrolments, noteTest } from '../../src/storage/documents/enrolments.ts'
import { assignees, recordFiles, tokenKey } from '../../src/storage/documents/kinds.ts'
import type { Store } from '../../src/storage/store.ts'
import { createUnitOfWork, type UnitOfWork } from '../../src/storage/unit-of-work.ts'
import type { Vault } from '../../src/storage/vault.ts'

const AT_ONCE = 200
const TITLE = 'آزمون حال'
const limits = { minAge: null, maxAge: null, gender: 'both' } as const
const questions = { content: 'none', count: 90 }
const states: readonly RecordState[] = [
  { stage: 'intro', needsProfile: true },
  { stage: 'profile', draft: newDraft([{ limits }]) },
  { stage: 'questions', questions },
  { stage: 'questions', questions },
  { stage: 'submitting', questions },
  { stage: 'done' },
]

/** Fills the storage of a bot with this many records at all stages, stored as the bot stores them. */
export async function fillBoard(config: Config, records: number): Promise<void> {
  const { store, vault } = await openStorage(config)
  for (let from = 0; from < records; from += AT_ONCE) {
    const isLast = from + AT_ONCE >= records
    await inOneStep(store, vault, async (work) => {
      for (let nth = from; nth < Math.min(records, from + AT_ONCE); nth += 1) putRecord(work, vault, nth)
      if (!isLast) return
      await noteTest(work, TITLE, Date.now())
      work.recount({ id: RECOUNTED, list: RECOUNTED, at: Date.now() })
    })
  }
  await store.close()
}

async function inOneStep(
  store: Store,
  vault: Vault,
  act: (work: UnitOfWork) => Promise<void>,
): Promise<void> {
  await store.post({ actor: 'expiry:bench', id: randomUUID(), body: Buffer.alloc(0) })
  const claim = await store.claim(60_000, ['expiry'])
  if (!claim) throw new Error('the store gave no claim')
  const work = createUnitOfWork({ store, vault, term: { now: Date.now(), retentionDays: 30 } }, claim)
  await act(work)
  if ((await work.commit()) !== 'ok') throw new Error('the store took no commit')
}

function putRecord(work: UnitOfWork, vault: Vault, nth: number): void {
  const token = randomUUID()
  const id = tokenKey(vault, token)
  const s = `b${nth}`
  const at = Date.now() - ((nth * 7_919) % (20 * DAY_MS)) - HOUR_MS
  const state = states[nth % states.length] ?? { stage: 'done' }
  const isBegun = state.stage !== 'intro'
  const isStuck = nth % 12 === 2
  const file: RecordFile = {
    ...newRecordFile({ s, token, seenAt: at }, 'record'),
    state,
    test: { title: TITLE, questions: 90, limits },
    shownAs: `شرکت‌کننده ${nth}`,
    ...(isBegun && { isBegun: true }),
    ...(isStuck && { stuckAt: at }),
  }
  const begunAt = isBegun ? { begunAt: at } : {}
  work.put(recordFiles, s, file)
  work.put(enrolments, id, { s, token, kind: 'record', title: file.test.title, openedAt: at, ...begunAt })
  const consent = { at, language: 'fa', version: 1 } as const
  const taken = begun(FREE, { who: `who${nth}`, consent }, { isInvited: false })
  if (isBegun && taken) work.put(assignees, id, taken)
}
