import { z } from 'zod'

const matching = {
  /** HTTP method; any if absent. */
  method: z.string().optional(),
  /** Regular expression for the path below `/v2`, without the query; any if absent. */
  path: z.string().refine(isRegExp, 'not a regular expression').optional(),
  /** How many matching calls the fault hits; 1 if absent. */
  times: z.int().positive().default(1),
}

/** Whether the request takes effect before the fault shows. */
const executed = z.boolean().default(false)

export const faultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('slow'), ms: z.int().nonnegative(), executed, ...matching }),
  z.object({ kind: z.literal('cut'), executed, ...matching }),
  z.object({ kind: z.literal('rate-limit'), retryAfter: z.int().nonnegative().optional(), ...matching }),
  z.object({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    message: z.string().default('Something went wrong.'),
    executed,
    ...matching,
  }),
  z.object({
    kind: z.literal('garbage'),
    status: z.int().min(200).max(599).default(200),
    executed,
    ...matching,
  }),
  z.object({
    kind: z.literal('generation-failure'),
    errors: z.array(z.string()).default(['The analysis could not be produced.']),
    ...matching,
  }),
])

/** A fault of the next matching calls. */
export type Fault = z.input<typeof faultSchema>
export type PendingFault = z.output<typeof faultSchema> & {
  /** Aborts when the fault is ended early. */
  ended: AbortSignal
}

/** Ends a fault early; an answer that it holds back is sent. */
export type FaultHandle = { end(): void }

export interface FaultQueue {
  add(fault: Fault): FaultHandle
  /** The oldest fault that hits this call; uses it up by one. */
  take(method: string, path: string): PendingFault | undefined
  /** The reasons for which the generation that starts now will fail, if a fault asks for that. */
  takeGenerationFailure(path: string): string[] | undefined
  clear(): void
}

/** The faults that have not happened yet, oldest first. */
export function createFaultQueue(): FaultQueue {
  let pending: PendingFault[] = []

  function use(wanted: (fault: PendingFault) => boolean): PendingFault | undefined {
    const fault = pending.find(wanted)
    if (fault) {
      fault.times -= 1
      if (fault.times === 0) pending = pending.filter((other) => other !== fault)
    }
    return fault
  }

  return {
    add(fault) {
      const ending = new AbortController()
      const added = { ...faultSchema.parse(fault), ended: ending.signal }
      pending.push(added)
      return {
        end() {
          pending = pending.filter((other) => other !== added)
          ending.abort()
        },
      }
    },
    take: (method, path) => use((fault) => fault.kind !== 'generation-failure' && hits(fault, method, path)),
    takeGenerationFailure: (path) => {
      const fault = use((other) => other.kind === 'generation-failure' && hits(other, 'POST', path))
      return fault?.kind === 'generation-failure' ? fault.errors : undefined
    },
    clear: () => {
      pending = []
    },
  }
}

function hits(fault: PendingFault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false
  return fault.path === undefined || new RegExp(fault.path).test(path)
}

function isRegExp(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}
