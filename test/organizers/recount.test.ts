import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'vitest'
import { story, word } from './office.ts'

story('a board that has lost its counters is counted anew, and says so meanwhile', async ({ work }) => {
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
