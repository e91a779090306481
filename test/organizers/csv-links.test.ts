import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { porsa } from '../../src/cli/commands.ts'
import { captured } from '../cli/world.ts'
import { onBothStores } from './office.ts'

onBothStores('`porsa link` makes invitations without a chat, while the bot runs', async ({ work }) => {
  const office = await work()
  const { world } = office
  const [one, two] = [office.addRecord(), office.addRecord()]
  const file = join(world.env.DATA_DIR ?? '', '..', 'lines.txt')
  await writeFile(file, `${one}\nrecord ${two} 5\nnonsense\n${randomUUID()}\n`)
  const link = async (...args: string[]) => {
    const { lines, output } = captured()
    return {
      code: await porsa(['link', ...args], { ...world.env, REDIS_URL: world.env.REDIS_URL }, output),
      ...lines,
    }
  }
  const { code, out, err } = await link('--csv', file)
  expect([code, err]).toEqual([0, []])
  const rows = out.join('\n').split(/\r?\n/)
  expect(rows[0]).toBe('\uFEFFtoken,kind,external_id,code,link,error,title,name,line,same_as_line,given')
  expect(rows[1]).toMatch(new RegExp(`^${one},record,,[a-z2-7]{12},https://`))
  expect(rows[3]).toMatch(/^,,,,,Line \d: line not understood,/)
  expect(rows[4]).toContain('unknown to the service')
  const table = `${file}.csv`
  expect(await link('--csv', file, '--out', table)).toEqual({ code: 0, out: [], err: [] })
  expect(await readFile(table, 'utf8')).toContain(`${one},record,,`)

  // What a first line calls them is no line.
  await writeFile(file, `# Class 7b\n${two}\n${'nonsense\n'.repeat(999)}`)
  const called = await link('--csv', file)
  expect([called.code, called.err]).toEqual([0, []])
  expect(called.out.join('\n').split(/\r?\n/)[1]).toMatch(new RegExp(`^${two},record,`))

  const bare = await link('record', one, '7')
  expect([bare.code, bare.out[0]]).toEqual([0, expect.stringMatching(`\\?start=record_${one}_7$`)])
  expect(bare.out[1]).toMatch(/[▀▄█]{5}/)
  const unknown = await link('record', randomUUID())
  expect([unknown.code, unknown.out, unknown.err]).toEqual([
    1,
    [],
    ['no link is made: unknown to the service'],
  ])

  const sara = office.join(one)
  await sara.opens(/i_[a-z2-7]{12}/.exec(rows[1] ?? '')?.[0])
  expect(sara.place).toBe('introduction')
})
