import type { Entry } from './store.ts'

/** How Redis keeps a value: version (8) | expiry in ms as a double, infinite when it stays (8) | value. */
export const ENVELOPE_BYTES = 16

const VERSION_BYTES = 8

/** Reads a value as Redis keeps it; `undefined` when there is none, or it has expired by `now`. */
export function openEnvelope(stored: Buffer | null, now: number): Entry | undefined {
  if (!stored || stored.readDoubleBE(VERSION_BYTES) <= now) return undefined
  const version = stored.toString('base64url', 0, VERSION_BYTES)
  return { version, value: stored.subarray(ENVELOPE_BYTES) }
}

/** The version as the scripts compare it; absent is empty. */
export const versionArgument = (version: string | null): Buffer => Buffer.from(version ?? '', 'base64url')
