import { HOUR_MS } from '../domain/durations.ts'
import type { Store } from '../storage/store.ts'
import type { ServiceErrorCode } from './errors.ts'

const TERM_MS = HOUR_MS
const RENEWED_AFTER_MS = TERM_MS / 6

type KeyMemory = {
  /** Asks the service, unless this process has just begun and another one has seen the key accepted. */
  check(connect: () => Promise<unknown>): Promise<void>
  /** What a call has shown of the key. */
  note(code: ServiceErrorCode | undefined): void
}

/** Remembers for an hour that the service accepts the key, so that a replica that starts is ready at once. */
export function createKeyMemory(
  store: Pick<Store, 'read' | 'put'>,
  { name, now }: { name: string; now: () => number },
): KeyMemory {
  const key = `accepted:${name}`
  let mayRemember = true
  let writtenAt = Number.NEGATIVE_INFINITY

  async function remember(value: Buffer | null): Promise<void> {
    const [entry] = await store.read([key])
    await store.put({ key, value, expiresAt: now() + TERM_MS }, entry?.version ?? null)
  }

  async function isRemembered(): Promise<boolean> {
    if (!mayRemember) return false
    mayRemember = false
    const [entry] = await store.read([key])
    return entry !== undefined
  }

  return {
    async check(connect) {
      if (!(await isRemembered().catch(() => false))) await connect()
    },
    note(code) {
      const isAccepted = code === undefined
      if (isAccepted ? now() - writtenAt < RENEWED_AFTER_MS : code !== 'key_invalid') return
      writtenAt = isAccepted ? now() : Number.NEGATIVE_INFINITY
      // Storage says itself that it fails; then the next process asks the service.
      remember(isAccepted ? Buffer.from('yes') : null).catch(() => undefined)
    },
  }
}
