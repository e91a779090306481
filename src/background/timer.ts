import type { ChatEvent, OnBehalf } from './actors.ts'
import { guardCurrent } from './on-behalf.ts'
import { postEvent } from './post-event.ts'
import type { JobHandler } from './worker.ts'

export type TimerJob = { s: string; onBehalf: OnBehalf; event: ChatEvent }

/** Puts an event into its chat's queue when its time has come. */
export function createTimerHandler(): JobHandler {
  return async ({ body, work }) => {
    const { s, onBehalf, event } = body as TimerJob
    if (!onBehalf || !(await guardCurrent(work, onBehalf))) return undefined
    postEvent(work, onBehalf, s, event)
    return undefined
  }
}
