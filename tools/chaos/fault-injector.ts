import { setTimeout as sleep } from 'node:timers/promises'
import type { Emulator } from '../emulator/emulator.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Bot } from './bots.ts'
import { type Deed, isDeadly, type Plan } from './plan.ts'
import type { ChaosStore } from './stores.ts'

/** The longest time a fault waits for the calls that come before it. */
const STILL_MS = 2_500
const LOOK_MS = 10

type FaultInjectorDeps = {
  plan: Plan
  bots: readonly Bot[]
  store: ChaosStore
  emulator: Emulator
  sandbox: Sandbox
  note: (what: string) => void
  /** From now on this version is started. */
  upgrade: () => void
  /** Called with the number of faults so far. */
  onStep: (step: number) => void
}

/** The number of kills (and of those of the store), of freezes and of orderly stops. */
export type Done = { killed: number; ofStore: number; stoodStill: number; stopped: number }

/** Carries out a plan, fault by fault, and ends the lasting ones; returns how many of each could be made. */
export async function carryOut(deps: FaultInjectorDeps): Promise<Done> {
  const { plan, bots, store, emulator, sandbox, note, upgrade, onStep } = deps
  const done: Done = { killed: 0, ofStore: 0, stoodStill: 0, stopped: 0 }
  const lasting: { end(): void }[] = []
  const bot = (number: number) => bots[number] as Bot

  async function calls(more: number): Promise<void> {
    const [from, until] = [emulator.calls.length, Date.now() + STILL_MS]
    while (emulator.calls.length < from + more && Date.now() < until) await sleep(LOOK_MS)
  }

  async function act(deed: Deed): Promise<boolean> {
    switch (deed.kind) {
      case 'kill':
        return bot(deed.replica).kill()
      case 'restart':
        done.stopped += 1
        return bot(deed.replica).stop()
      case 'rolling restart':
        done.stopped += bots.length
        for (const each of bots) await each.stop()
        return true
      case 'upgrade':
        // As docs/operate.md says of the last release: all replicas stop before this version starts.
        await Promise.all(bots.map((each) => each.down()))
        upgrade()
        for (const each of bots) each.start()
        done.stopped += bots.length
        return true
      case 'freeze':
        return bot(deed.replica).freeze(deed.ms)
      case 'store frozen':
        await store.freeze(deed.ms)
        return true
      case 'store killed':
        await store.kill(deed.ms)
        return true
      case 'store put back':
        await store.putBack(deed.ms)
        return true
      case 'failover':
        await store.failOver(deed.ms)
        return true
      case 'telegram down': {
        const down = emulator.fault({ kind: 'down' })
        await sleep(deed.ms)
        down.end()
        return true
      }
      case 'telegram':
        lasting.push(emulator.fault(deed.fault))
        return true
      case 'service':
        lasting.push(sandbox.fault(deed.fault))
        return true
    }
  }

  for (const [step, { after, pauseMs, deed }] of plan.faults.entries()) {
    onStep(step)
    await calls(after)
    await sleep(pauseMs)
    note(JSON.stringify(deed))
    const isDone = await act(deed)
    if (!isDone) note('… which could not be done')
    else if (isDeadly(deed)) {
      done.killed += 1
      if (deed.kind !== 'kill') done.ofStore += 1
    } else if (deed.kind.endsWith('frozen') || deed.kind === 'freeze') done.stoodStill += 1
  }
  for (const fault of lasting) fault.end()
  for (const each of bots) each.thaw()
  return done
}
