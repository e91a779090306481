import { z } from 'zod'
import { onBehalf } from '../kept/owed-result.ts'
import { postEvent } from '../mail/chat-message.ts'
import { guardCurrent } from '../mail/current.ts'
import { chatEvent } from '../mail/events.ts'
import { job } from '../mail/job.ts'
import { type Handler, handler } from './task.ts'

/** An event that is due at a time. By `S`. */
export const timerJob = job('timer', z.object({ s: z.string(), onBehalf, event: chatEvent }))

/** Puts an event into its chat's queue when its time has come. */
export function createTimerHandler(): Handler {
  return handler(timerJob, async ({ body: { s, onBehalf, event }, work }) => {
    if (await guardCurrent(work, onBehalf)) postEvent(work, onBehalf, s, event)
    return undefined
  })
}
