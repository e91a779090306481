import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type EmulatorState,
} from '../tools/emulator/emulator.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../tools/sandbox/sandbox.ts'
import { createShortWay, type Neighbour } from './in-process.ts'
import { temporaryFolder } from './storage/worlds.ts'
import { INVITER } from './words.ts'

export type WorldOptions = {
  environment?: Record<string, string>
  sandbox?: SandboxOptions
  emulator?: EmulatorOptions
  /** The bot sends Telegram its commands and description at its first start; at a restart it always does. */
  introducesItself?: true
  /** Calls to Telegram and the service use sockets, as in production, instead of calls in the process. */
  overSockets?: true
  /** Shortens every wait before Telegram is called again to a twentieth. */
  isHasty?: true
}

/** The state of everything around the bot, from which other stories can start, and the calls so far. */
export type Standstill = {
  /** The time of the shared clock. */
  at: number
  /** The files of the folder, by their path in it. */
  files: Map<string, Buffer>
  sandbox: { key: string; snapshot: unknown; calls: Sandbox['calls'] }
  emulator: { snapshot: EmulatorState; calls: Emulator['calls'] }
}

/** The surroundings of the bot: an emulated Telegram, the sandbox, a folder, and the bot's environment. */
export async function createSurroundings(
  { environment = {}, sandbox: options = {}, emulator: settings = {}, overSockets }: WorldOptions,
  now: () => number,
  standing?: Standstill,
) {
  const dir = await temporaryFolder()
  const sandbox = createSandbox({
    key: randomBytes(8).toString('hex'),
    now,
    rateLimits: false,
    ...options,
    ...standing?.sandbox,
  })
  const emulator = createEmulator({ now, spinGuardMs: 0, ...settings, snapshot: standing?.emulator.snapshot })
  if (standing) {
    ;(sandbox.calls as Sandbox['calls'][number][]).push(...standing.sandbox.calls)
    ;(emulator.calls as Emulator['calls'][number][]).push(...standing.emulator.calls)
    for (const [path, bytes] of standing.files) {
      await mkdir(dirname(join(dir, path)), { recursive: true })
      await writeFile(join(dir, path), bytes, { mode: 0o600 })
    }
  }
  const serviceUrl = await sandbox.listen(0)
  const apiRoot = await emulator.listen(0)
  const env: Record<string, string> = {
    BOT_TOKEN: emulator.token,
    TELEGRAM_API_ROOT: apiRoot,
    SERVICE_URL: serviceUrl,
    SERVICE_KEY: sandbox.key,
    ORGANIZER_NAME: INVITER.organizerName,
    ORGANIZER_CONTACT: INVITER.organizerContact,
    DATA_DIR: join(dir, 'data'),
    PORT: '0',
    // No story depends on the hour at which it runs.
    QUIET_HOURS: '0-0',
    ...environment,
  }
  return {
    dir,
    sandbox,
    emulator,
    env,
    /** The connections of one run of the bot. */
    connect: () =>
      overSockets ? undefined : createShortWay(neighbours({ emulator, apiRoot, sandbox, serviceUrl })),
    /** The state of everything while the bot is idle. */
    stand: (): Standstill => ({
      at: now(),
      files: new Map(filesIn(dir).map((path) => [path, readFileSync(join(dir, path))])),
      sandbox: { key: sandbox.key, snapshot: structuredClone(sandbox.snapshot()), calls: [...sandbox.calls] },
      emulator: { snapshot: emulator.snapshot(), calls: [...emulator.calls] },
    }),
    async close() {
      await Promise.all([sandbox.close(), emulator.close()])
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** The servers of this process, while they listen. */
function neighbours({ emulator, apiRoot, sandbox, serviceUrl }: Addresses) {
  const methods = `/bot${emulator.token}/`
  const telegram: Neighbour = ({ path, headers, body, signal }) =>
    emulator.call(path.slice(methods.length), { contentType: headers['content-type'] ?? '', body, signal })
  const { origin: service, host } = new URL(serviceUrl)
  const callService: Neighbour = ({ path, headers, ...asked }) =>
    sandbox.call({ ...asked, url: path, headers: { ...headers, host } })

  return (origin: string, path: string): Neighbour | undefined => {
    if (origin === apiRoot && path.startsWith(methods) && emulator.app.server.listening) return telegram
    return origin === service && sandbox.app.server.listening ? callService : undefined
  }
}
type Addresses = { emulator: Emulator; apiRoot: string; sandbox: Sandbox; serviceUrl: string }

/** Without the shared memory of SQLite, which it makes again. */
function filesIn(dir: string): string[] {
  const all = readdirSync(dir, { recursive: true, withFileTypes: true })
  const paths = all.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return paths.filter((path) => !path.endsWith('-shm')).map((path) => relative(dir, path))
}
