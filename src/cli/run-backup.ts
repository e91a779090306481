import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { applyForgotten, learnForgotten } from '../jobs/forgotten.ts'
import { recountRestored } from '../jobs/stage-counts.ts'
import { openStorage } from '../open-storage.ts'
import { type Copied, makeCopy, putBack, rehearse } from '../storage/copies.ts'
import { openForgottenList } from '../storage/forgotten-list.ts'
import { ForeignKeyringError } from '../storage/keyring.ts'
import { DamagedStore, lockFolder } from '../storage/sqlite-database.ts'
import { NoStore } from '../storage/store.ts'
import { type Called, Misused, settingsOf } from './output.ts'

/** `porsa backup`: makes a sealed copy of the store of a running bot and opens it; returns the exit code. */
export async function runBackup({ args: [folder, ...more], env, output }: Called): Promise<number> {
  if (!folder || more.length > 0) throw new Misused('say where to: backup <folder>')
  const { config } = settingsOf(env)
  const { file, copied } = await makeCopy(config, resolve(folder), Date.now(), { isThorough: true })
  output.out(`${file}: ${describe(copied)}`)
  return 0
}

/** `porsa restore`: replaces the store with a copy and copies the old store first; returns the exit code. */
export async function runRestore({ args: [given, ...more], env, output }: Called): Promise<number> {
  if (!given || more.length > 0) throw new Misused('say what: restore <file>')
  const { config } = settingsOf(env)
  const file = resolve(given)
  if (!(await stat(file).catch(() => undefined))?.isFile()) throw new Error(`there is no file ${given}`)
  if ((await stat(`${file}-wal`).catch(() => undefined))?.size)
    throw new Error(
      `${given} lacks what ${given}-wal has: copy it as porsa.db by porsa backup, its folder as DATA_DIR, DATA_KEY_FILE as it is now`,
    )
  const copied = await rehearse(config, file, { isThorough: true })
  output.out(`the copy opens with the key: ${describe(copied)}`)
  await refuseRunningBot(config)
  const { kept, aside } = await keepReplaced(config, dirname(file))
  const list = openForgottenList(config)
  if (kept !== undefined) output.out(`what stood in its place is kept in ${kept}`)
  else if (aside === undefined) output.out('nothing stood in its place')
  if (kept !== undefined) await rehearse(config, kept, { act: (opened) => learnForgotten(opened, list) })
  await putBack(config, file, aside)
  if (aside !== undefined)
    output.out(`what stood in its place is damaged: it is kept in DATA_DIR as ${aside}`)
  const storage = await openStorage(config)
  const term = { now: Date.now(), retentionDays: config.retentionDays }
  const forgotten = await recountRestored({ ...storage, now: Date.now })
    .then(() => applyForgotten({ ...storage, term }, list))
    .finally(() => storage.store.close())
  if (forgotten > 0) output.out(`${forgotten} people who were forgotten since are forgotten again`)
  output.out('it is in its place: start the bot')
  return 0
}

/** Throws while a bot runs, or if another bot has this Redis: then nothing is copied or replaced. */
async function refuseRunningBot({ redisUrl, dataDir, botToken }: Config): Promise<void> {
  const bot = botToken.split(':', 1)[0] ?? ''
  if (redisUrl) return (await import('../storage/redis-copy.ts')).refuseOthers(redisUrl, bot)
  const unlock = await stat(dataDir).then(
    () => lockFolder(dataDir),
    () => undefined,
  )
  unlock?.()
}

/** Copies the store before it is replaced, if there is one; for a damaged one returns its future name. */
const keepReplaced = (config: Config, folder: string): Promise<{ kept?: string; aside?: string }> =>
  makeCopy(config, folder, Date.now(), { isThorough: true }).then(
    ({ file }) => ({ kept: file }),
    (error: unknown) => {
      if (error instanceof NoStore) return {}
      if (error instanceof ForeignKeyringError)
        throw new Error(
          'what stands in its place opens with another key: add that behind this one in DATA_KEY (new,old), or move it away',
        )
      if (error instanceof DamagedStore) return { aside: `damaged-${Date.now()}.db` }
      throw error
    },
  )

function describe({ documents, attempts, messages, harmed }: Copied): string {
  const counted = `${documents} documents, ${attempts} tests under way, ${messages} messages`
  return harmed === 0 ? counted : `${counted}; ${harmed} documents cannot be read by anybody`
}
