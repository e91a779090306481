import { spawnSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { until } from '../until.ts'
import { meet, withoutSms } from './crashes.ts'
import { story } from './world.ts'

/** A small disk for the bot alone, which a plain user can mount where the system allows it. */
const APART = ['unshare', '--user', '--map-root-user', '--mount']
const ON_SMALL_DISK = 'mkdir -p "$DATA_DIR" && mount -t tmpfs -o size=3m tmpfs "$DATA_DIR" && exec "$0" "$@"'
const ON_FULL_DISK =
  'mount -t tmpfs -o size=64k tmpfs "$DATA_DIR" && head -c 60000 /dev/zero > "$DATA_DIR/filler"; exec "$0" "$@"'

/** Fills a disk to the last byte. */
function fill(file: string): void {
  for (let size = 1 << 20; size >= 1; size >>= 1) while (isAppended(file, size));
}
function isAppended(file: string, size: number): boolean {
  try {
    appendFileSync(file, Buffer.alloc(size, 1))
    return true
  } catch {
    return false
  }
}

story('a full disk is reported, takes no answer, and loses none', async ({ open, expect }) => {
  const through = [...APART, 'bash', '-c', ON_SMALL_DISK]
  const env = { ...process.env, DATA_DIR: '/mnt' }
  if (spawnSync(through[0] ?? '', [...through.slice(1), 'true'], { env }).status !== 0)
    return console.log('skipped: a full disk: nobody may mount one here')
  const world = await open({ through })
  const { bot, explain } = world
  const zahra = meet(world, withoutSms)
  await zahra.goesOnUntil(() => zahra.chosen.length >= 3)
  const readiness = async () => (await fetch(`${await bot.address()}/readyz`)).text()
  const filler = `${bot.root()}${world.env.DATA_DIR}/filler`
  fill(filler)
  const goesOn = zahra.goesOnUntil(() => zahra.result.documents > 0)
  await until(async () => (await readiness()).includes('"storage":"failing"'), { explain })
  expect(zahra.accepted).toEqual([])
  rmSync(filler)
  await goesOn
  expect(zahra.accepted).toEqual([zahra.chosen])
  expect(await readiness()).toContain('"status":"ready","storage":"ok"')
})

story('a start on a full disk ends so that a supervisor tries again', async ({ open, expect }) => {
  const through = [...APART, 'bash', '-c', ON_FULL_DISK]
  const env = { ...process.env, DATA_DIR: '/mnt' }
  if (spawnSync(through[0] ?? '', [...through.slice(1), 'true'], { env }).status !== 0)
    return console.log('skipped: a full disk: nobody may mount one here')
  const { bot } = await open({ through })
  bot.start({ DATA_DIR: '/mnt' })
  expect([await bot.exit(), bot.output.stderr]).toEqual([
    { code: 75, signal: null },
    expect.stringContaining('disk is full'),
  ])
})
