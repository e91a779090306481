import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runLink } from '../../src/cli/run-link.ts'
import { captured } from '../cli/world.ts'
import { story } from './office.ts'

story('`npm run link -- --csv` makes the same invitations without a chat', async ({ work }) => {
  const office = await work()
  const { world } = office
  const [one, two] = [office.addRecord(), office.addRecord()]
  const file = join(world.env.DATA_DIR ?? '', '..', 'lines.txt')
  await writeFile(file, `${one}\nrecord ${two} 5\nnonsense\n`)
  const csv = async () => {
    const { lines, output } = captured()
    return { code: await runLink(['--csv', file], world.env, output), ...lines }
  }
  const busy = await csv()
  expect([busy.code, busy.out]).toEqual([1, []])
  expect(busy.err.join()).toContain('stop it first')
  await world.stop()
  const { code, out, err } = await csv()
  expect([code, err]).toEqual([0, []])
  const rows = out.join('\n').split(/\r?\n/)
  expect(rows[0]).toBe('\uFEFFtoken,kind,external_id,code,link,error')
  expect(rows[1]).toMatch(new RegExp(`^${one},record,,[a-z2-7]{12},https://`))
  expect(rows[3]).toBe(',,,,,line not understood')
  await world.start()
  const sara = office.join(one)
  await sara.opens(/i_[a-z2-7]{12}/.exec(rows[1] ?? '')?.[0])
  expect(sara.place).toBe('introduction')
})
