import { setTimeout as sleep } from 'node:timers/promises'
import type { PendingFault } from './faults.ts'
import { type Answer, CutConnection } from './http.ts'
import { failure, json } from './refusal.ts'

/** The answer of a fault, before the request takes effect or instead of its answer; none for a mere delay. */
export async function spoil(fault: PendingFault, closing: AbortSignal): Promise<Answer | undefined> {
  switch (fault.kind) {
    case 'slow':
      await pause(fault.ms, AbortSignal.any([fault.ended, closing]))
      return undefined
    case 'rate-limit': {
      const after = fault.retryAfter
      return json(
        429,
        failure(['Rate limit exceeded.']),
        after === undefined ? {} : { 'retry-after': String(after) },
      )
    }
    case 'status':
      return json(fault.status, failure([fault.message]))
    case 'garbage':
      return { status: fault.status, headers: { 'content-type': 'text/html' }, body: GARBAGE }
    case 'cut':
      throw new CutConnection()
    case 'generation-failure':
      return undefined
  }
}

const GARBAGE = '<html><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>'

/** Waits, but not beyond the end of the fault or of the sandbox. */
async function pause(ms: number, end: AbortSignal) {
  await sleep(ms, undefined, { signal: end }).catch(() => undefined)
}
