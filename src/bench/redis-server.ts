import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRedisStore } from '../store/redis.ts'
import type { Store } from '../store/store.ts'

export type BenchRedis = { url: string; port: number; stop(): Promise<void> }

/** Starts a Redis of our own; `undefined` where the program is not installed. */
export async function startBenchRedis(): Promise<BenchRedis | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'porsa-bench-'))
  const port = await freePort()
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    dir,
    '--save',
    '',
    '--appendonly',
    'yes',
  ]
  const server = spawn(process.env.REDIS_SERVER_PATH ?? 'redis-server', args, { stdio: 'ignore' })
  const url = `redis://127.0.0.1:${port}`
  const isThere = await Promise.race([missing(server), answers(url)])
  const stop = async () => {
    server.kill('SIGKILL')
    await rm(dir, { recursive: true, force: true })
  }
  if (isThere) return { url, port, stop }
  await stop()
  return undefined
}

const missing = (server: ChildProcess) =>
  new Promise<false>((resolve) => server.once('error', () => resolve(false)))

/** Tries until the server listens. */
async function answers(url: string): Promise<true> {
  for (let attempt = 1; ; attempt += 1) {
    let store: Store | undefined
    try {
      store = await createRedisStore({ url, now: Date.now })
      return true
    } catch (error) {
      if (attempt === 50) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    } finally {
      await store?.close()
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
