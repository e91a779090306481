import { setTimeout as sleep } from 'node:timers/promises'
import { type RawRequest, readArguments } from './arguments.ts'
import type { CallFault, Faults } from './faults.ts'
import type { MethodTable } from './parts.ts'
import { CutConnection, notFound, Refusal, tooManyRequests } from './refusal.ts'
import type { World } from './world.ts'

/** One call of the Bot API, in order of arrival, without `getUpdates`. */
export type Call = {
  method: string
  payload: Record<string, unknown>
  /** The time of arrival, in milliseconds of the world's clock. */
  at: number
  /** Whether the call was carried out and its answer sent; `false` also while it runs. */
  ok: boolean
  /** The description of the refusal. */
  error?: string
}

/** The answer to the caller; `'bad gateway'` stands for a proxy's error page. */
type CallOutcome = { result: unknown } | 'bad gateway'

export type Dispatch = ReturnType<typeof createDispatch>

type Deps = { world: World; methods: MethodTable; faults: Faults }

/** Upper limit of the remembered calls; above it the older half is dropped. */
const MEMORY = 50_000

/** Finds and carries out methods, under the faults that meet them. */
export function createDispatch({ world, methods, faults }: Deps) {
  const byLowerCase = new Map(Object.keys(methods).map((name) => [name.toLowerCase(), name]))
  const calls: Call[] = []
  let running = 0

  async function execute(given: string, raw: RawRequest, signal: AbortSignal): Promise<CallOutcome> {
    const args = readArguments(raw)
    const wished = given || args.text('method')
    const name = byLowerCase.get(wished.toLowerCase())
    const { payload } = args
    const call: Call = { method: name ?? wished, payload, at: world.now(), ok: false }
    if (name !== 'getUpdates') remember(call)
    try {
      const run = methods[name ?? '']
      if (!run) throw notFound('Not Found: method not found')
      const outcome = await suffer(faults.forCall(call.method, payload), async () => run(args, signal))
      call.ok = outcome !== 'bad gateway'
      return outcome
    } catch (error) {
      call.error = error instanceof Error ? error.message : 'unknown'
      throw error
    }
  }

  function remember(call: Call): void {
    calls.push(call)
    if (calls.length > MEMORY) calls.splice(0, MEMORY / 2)
  }

  return {
    calls: calls as readonly Call[],
    /** Calls that are being carried out; a waiting `getUpdates` does not count. */
    get running() {
      return running
    },
    async call(request: { method: string; raw: RawRequest; signal: AbortSignal }): Promise<CallOutcome> {
      const counts = request.method.toLowerCase() !== 'getupdates'
      if (counts) running++
      world.stir()
      try {
        return await execute(request.method, request.raw, request.signal)
      } finally {
        if (counts) running--
        world.stir()
      }
    },
  }
}

/** Carries out the call under its faults: first the delays, then the one that spoils the answer. */
async function suffer(faults: CallFault[], run: () => Promise<unknown>): Promise<CallOutcome> {
  for (const fault of faults) if (fault.kind === 'delay') await sleep(fault.ms)
  const spoiling = faults.find(({ kind }) => kind !== 'delay')
  if (!spoiling || spoiling.kind === 'delay') return { result: (await run()) ?? true }
  if (spoiling.kind === 'flood') throw tooManyRequests(spoiling.retryAfter ?? 1)
  if (spoiling.executed) await run()
  if (spoiling.kind === 'html') return 'bad gateway'
  if (spoiling.kind === 'cut') throw new CutConnection('connection cut')
  const { status = 500, description = 'Internal Server Error' } = spoiling
  throw new Refusal(status, description)
}
