import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'vitest'
import { porsa } from '../../src/cli/commands.ts'
import { loadConfig } from '../../src/config.ts'
import { DAY_MS } from '../../src/domain/durations.ts'
import { openStorage } from '../../src/open-storage.ts'
import { enrolments, formerLog } from '../../src/storage/documents/enrolments.ts'
import { tokenIndex, tokenKey } from '../../src/storage/documents/kinds.ts'
import { putDocument, readDocument } from '../../src/storage/documents.ts'
import { captured } from '../cli/world.ts'
import { onBothStores, story, word } from './office.ts'

story('a board that has lost its counters is counted again, and says so meanwhile', async ({ work }) => {
  const office = await work()
  for (let at = 0; at < 3; at += 1) await office.join(office.addRecord()).opens()
  await office.join(office.addRecordOfSomebody()).walksTo('question')
  const db = join(office.world.env.DATA_DIR ?? '', 'porsa.db')
  await office.world.stop()
  const open = new DatabaseSync(db)
  open.exec("DELETE FROM listed WHERE list IN ('opened', 'answering')")
  open.close()
  await office.world.start()
  office.world.pass(3_600_001)
  await office.says('/start')
  expect(office.heard).toContain(word('home-recount'))
  await office.taps('home')
  expect(office.screen).not.toContain(word('home-recount'))
  expect(office.data).toEqual(expect.arrayContaining(['stage:opened:1', 'stage:answering:1']))
})

onBothStores(
  'a board restored from a copy is counted at once, although it was counted within the hour',
  async ({ work }) => {
    const office = await work()
    for (let at = 0; at < 3; at += 1) await office.join(office.addRecord()).opens()
    await office.join(office.addRecordOfSomebody()).walksTo('question')
    const { env, stop, start } = office.world
    const copies = join(dirname(env.DATA_DIR ?? ''), 'copies')
    const { lines, output } = captured()
    expect([await porsa(['backup', copies], env, output), lines.err]).toEqual([0, []])
    const [copy = ''] = await readdir(copies)
    await stop()
    expect([await porsa(['restore', join(copies, copy)], env, output), lines.err]).toEqual([0, []])
    await start()
    await office.says('/start')
    await office.says('/start')
    expect(office.heard).not.toContain(word('home-recount'))
    expect(office.data).toEqual(expect.arrayContaining(['stage:opened:1', 'stage:answering:1']))
  },
)

story('enrolments that a former version logged by the day get entries of their own', async ({ work }) => {
  const office = await work({ environment: { REMINDER_HOURS: '' } })
  const [kept, opened, gone] = [office.addRecordOfSomebody(), office.addRecord(), office.addRecord()]
  await office.join(kept).walksTo('question')
  await office.join(opened).opens()
  await office.world.stop()
  const loaded = loadConfig(office.world.env)
  if (!loaded.ok) throw new Error('the environment is wrong')
  const { store, vault } = await openStorage(loaded.config)
  const now = office.world.now()
  const day = new Date(now - 3 * DAY_MS).toISOString().slice(0, 10)
  const sOf = async (token: string) =>
    (await readDocument({ store, vault }, tokenIndex, tokenKey(vault, token)))?.s ?? ''
  const begun = (token: string) => ({ token, kind: 'record' as const, title: 'حال', at: now - 3 * DAY_MS })
  const entries = {
    [tokenKey(vault, kept)]: { s: await sOf(kept), isBegun: true as const, begun: begun(kept) },
    [tokenKey(vault, opened)]: { s: await sOf(opened) },
    [tokenKey(vault, gone)]: { s: 'gone', isBegun: true as const, begun: begun(gone) },
  }
  await putDocument({ store, vault, term: { now, retentionDays: 30 } }, formerLog, `${day}.3`, { entries })
  for (const token of [kept, opened]) {
    const key = `${enrolments.prefix}:${tokenKey(vault, token)}`
    const [entry] = await store.read([key])
    await store.put({ key, value: null }, entry?.version ?? null)
  }
  await store.close()
  const db = new DatabaseSync(join(office.world.env.DATA_DIR ?? '', 'porsa.db'))
  db.exec('DELETE FROM listed')
  db.close()
  await office.world.start()
  office.world.pass(3_600_001)
  await office.says('/start')
  await office.says('/start')
  expect(office.heard).not.toContain(word('home-recount'))
  expect(office.data).toEqual(
    expect.arrayContaining(['stage:opened:1', 'stage:answering:1', 'stage:stuck:1']),
  )
  await office.says('/status')
  await office.taps('export')
  const rows = office.file('.csv').trimEnd().split('\r\n').slice(1)
  expect(rows.map((row) => row.split(',')[0])).toEqual([kept])
})
