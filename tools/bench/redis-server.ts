import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A real Redis server on a free port, only for one run. */
export type RedisServer = {
  url: string
  port: number
  dir: string
  /** Kills the process as a power cut would; `start` restarts it with the data it had written. */
  kill(): Promise<void>
  /** Stops the process without ending it, and continues it. */
  freeze(): void
  thaw(): void
  start(): Promise<void>
  /** Ends the process, if it still runs, and removes its folder. */
  remove(): Promise<void>
}

/** The program named by REDIS_SERVER_PATH, else the first in PATH. */
export const findRedisServer = (): string | undefined =>
  findProgram('redis-server', process.env.REDIS_SERVER_PATH)

/** The path of an installed program; prints that something is skipped when the program is missing. */
export function findProgram(name: string, named?: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = named ?? folders.map((folder) => join(folder, name)).find(isExecutable)
  if (!found) console.log(`skipped: ${name} not found`)
  return found
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Starts the program in a folder of its own, which `remove` deletes. */
export async function startRedis(
  program: string,
  dir: string,
  args: readonly string[],
): Promise<RedisServer> {
  const port = await freePort()
  let child: ChildProcess | undefined
  // A sentinel writes its state into its configuration file.
  const config = join(dir, 'redis.conf')
  await writeFile(config, '')
  const all = [config, '--port', String(port), '--bind', '127.0.0.1', '--dir', dir, ...args]
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    port,
    dir,
    async kill() {
      const last = child
      // A process that a signal ended has no exit code.
      if (!last || last.exitCode !== null || last.signalCode !== null) return
      const ended = new Promise((resolve) => last.once('exit', resolve))
      last.kill('SIGKILL')
      await ended
    },
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    async start() {
      child = spawn(program, all, { stdio: 'ignore' })
      await untilListening(port)
    },
    async remove() {
      await server.kill()
      await rm(dir, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

/** The cluster bus of a node listens this far above the port of the node. */
const BUS_OFFSET = 10_000

/**
 * A free port whose bus port is free too. It is below the ports that systems give to outgoing connections: a
 * client that tries to reconnect could otherwise get the server's own port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 22_000)
    if ((await canListen(port)) && (await canListen(port + BUS_OFFSET))) return port
  }
}

function canListen(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 1_500; attempt++) {
    if (await answers(port)) return
    await sleep(20)
  }
  throw new Error('redis-server does not start')
}

/** Whether a PING is answered: while Redis still loads its file it listens but refuses commands. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.once('data', (data) => {
      socket.destroy()
      resolve(/^(\+PONG|-NOAUTH)/.test(data.toString()))
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}
