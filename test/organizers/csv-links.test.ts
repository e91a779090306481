import { randomUUID } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
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
  expect([code, err]).toEqual([0, ['invitations made: 2, each on the card of its record or roadmap']])
  const rows = out.join('\n').split(/\r?\n/)
  expect(rows[0]).toBe('\uFEFFtoken,kind,external_id,code,link,error,title,name,line,same_as_line,given')
  expect(rows[1]).toMatch(new RegExp(`^${one},record,,[a-z2-7]{12},https://`))
  expect(rows[3]).toMatch(/^,,,,,Line \d: line not understood,/)
  expect(rows[4]).toContain('unknown to the service')
  const table = `${file}.csv`
  const kept = await link('--csv', file, '--out', table)
  expect([kept.code, kept.out]).toEqual([0, []])
  expect(await readFile(table, 'utf8')).toContain(`${one},record,,`)
  expect((await stat(table)).mode & 0o777).toBe(0o600)
  // Nothing is made if the table cannot be created; if the disk is full later the table is printed.
  const nowhere = await link('--csv', file, '--out', join(file, 'table.csv'))
  expect(nowhere).toEqual({ code: 1, out: [], err: ['the table cannot be written: nothing was made'] })
  const full = await link('--csv', file, '--out', '/dev/full')
  expect([full.code, full.err.at(-1)]).toEqual([1, 'the table cannot be written: it is printed instead'])
  expect(full.out.join('\n')).toMatch(/,record,,[a-z2-7]{12},https:/)

  // A first line with a name is no line of the list; spreadsheets write UTF-16.
  const named = `\uFEFF# Class 7b\n${two}\n${'nonsense\n'.repeat(999)}`
  await writeFile(file, Buffer.from(named, 'utf16le'))
  const called = await link('--csv', file)
  expect(called.code).toBe(0)
  expect(called.out.join('\n').split(/\r?\n/)[1]).toMatch(new RegExp(`^${two},record,`))

  await writeFile(file, Buffer.from([0, 1, 2]))
  expect(await link('--csv', file)).toEqual({ code: 1, out: [], err: ['the file is no plain text'] })

  await writeFile(file, `${two}\n`.repeat(26))
  expect((await link('--csv', file)).err).toEqual([
    'looked up: 25 of 26 lines',
    'invitations made: 26, each on the card of its record or roadmap',
  ])

  const bare = await link('record', one, '7')
  expect([bare.code, bare.out[0]]).toEqual([0, expect.stringMatching(`\\?start=record_${one}_7$`)])
  expect(bare.out[1]).toMatch(/[▀▄█]{5}/)

  const sara = office.join(one)
  await sara.opens(/i_[a-z2-7]{12}/.exec(rows[1] ?? '')?.[0])
  expect(sara.place).toBe('introduction')
})
