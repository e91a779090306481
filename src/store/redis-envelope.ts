import type { Entry } from './store.ts'

/** How Redis keeps a value: version (8) | expiry in ms as a double, infinite when it stays (8) | value. */
export const envelopeBytes = 16

const versionBytes = 8

/** Reads a value as Redis keeps it; `undefined` when there is none, or it has expired by `now`. */
export function openEnvelope(stored: Buffer | null, now: number): Entry | undefined {
  if (!stored || stored.readDoubleBE(versionBytes) <= now) return undefined
  const version = stored.toString('base64url', 0, versionBytes)
  return { version, value: stored.subarray(envelopeBytes) }
}

/** The version as the scripts compare it; absent is empty. */
export const versionArgument = (version: string | null): Buffer => Buffer.from(version ?? '', 'base64url')
