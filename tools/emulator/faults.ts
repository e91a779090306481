import type { WireUpdate } from './wire.ts'

/** The calls that a fault meets. Without `method` these are all methods except `getUpdates`. */
type Scope = {
  method?: string | RegExp
  when?: (payload: Record<string, unknown>) => boolean
  /** How many calls the fault meets; the default is 1, and `Infinity` lasts until `end()`. */
  times?: number
}

/** `executed`: the call was carried out, and only its answer is lost. */
type MaybeExecuted = { executed?: boolean }

export type CallFault =
  /** 429: the call was not carried out. `retryAfter` is in seconds; the default is 1. */
  | ({ kind: 'flood'; retryAfter?: number } & Scope)
  /** A refusal by the Bot API; the default is 500. */
  | ({ kind: 'error'; status?: number; description?: string } & Scope & MaybeExecuted)
  /** A 502 error page of a proxy, in HTML. */
  | ({ kind: 'html' } & Scope & MaybeExecuted)
  /** The call waits this long before it is carried out. */
  | ({ kind: 'delay'; ms: number } & Scope)
  /** The connection is cut without an answer. */
  | ({ kind: 'cut' } & Scope & MaybeExecuted)

type UpdateFault =
  /** The next updates are delivered twice. */
  | { kind: 'duplicate'; times?: number }
  /** The next batches (polling) or updates (webhook) are delivered newest first. */
  | { kind: 'shuffle'; times?: number }

/** Telegram is unreachable in both directions until `end()`; what people do meanwhile waits. */
type Downtime = { kind: 'down' }

export type Fault = CallFault | UpdateFault | Downtime

export type FaultHandle = { readonly hits: number; end(): void }

type Active<F> = { fault: F; left: number; hits: number }

export type Faults = ReturnType<typeof createFaults>

/** The faults that a test has planted, and the calls that they meet. */
export function createFaults() {
  const active: Active<Fault>[] = []
  const listeners = new Set<() => void>()

  function spend(entry: Active<Fault>): void {
    entry.hits++
    if (--entry.left <= 0) active.splice(active.indexOf(entry), 1)
  }

  function take(kind: UpdateFault['kind']): boolean {
    const entry = active.find(({ fault }) => fault.kind === kind)
    if (entry) spend(entry)
    return entry !== undefined
  }

  const isDown = () => active.some(({ fault }) => fault.kind === 'down')

  return {
    add(fault: Fault): FaultHandle {
      const left = fault.kind === 'down' ? Number.POSITIVE_INFINITY : (fault.times ?? 1)
      const entry = { fault, left, hits: 0 }
      active.push(entry)
      for (const listener of listeners) listener()
      return {
        get hits() {
          return entry.hits
        },
        end() {
          if (active.includes(entry)) active.splice(active.indexOf(entry), 1)
          for (const listener of listeners) listener()
        },
      }
    },
    isDown,
    /** Called when Telegram may have gone down or come back. */
    onSwitch(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** The faults that this call meets; each of them is used up by one. */
    forCall(method: string, payload: Record<string, unknown>): CallFault[] {
      const met = active.filter(({ fault }) => isCallFault(fault) && meets(fault, method, payload))
      for (const entry of met) spend(entry)
      return met.map(({ fault }) => fault as CallFault)
    },
    /** A batch as the bot gets it: possibly reversed, possibly with each update twice. */
    disturb(batch: readonly WireUpdate[]): WireUpdate[] {
      if (batch.length === 0) return []
      const order = take('shuffle') ? batch.toReversed() : [...batch]
      return order.flatMap((update) => (take('duplicate') ? [update, update] : [update]))
    },
    takeDuplicate: () => take('duplicate'),
    takeShuffle: () => take('shuffle'),
  }
}

function isCallFault(fault: Fault): fault is CallFault {
  return fault.kind !== 'down' && fault.kind !== 'duplicate' && fault.kind !== 'shuffle'
}

function meets({ method, when }: CallFault, called: string, payload: Record<string, unknown>): boolean {
  const named =
    method === undefined
      ? called !== 'getUpdates'
      : typeof method === 'string'
        ? method.toLowerCase() === called.toLowerCase()
        : method.test(called)
  return named && (when?.(payload) ?? true)
}
