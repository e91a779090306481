import { z } from 'zod'
import { onBehalf } from '../kept/owed-result.ts'
import { job } from '../mail/job.ts'

/** A result on its way. By `S`. */
export const resultJob = job(
  'result',
  z.object({
    s: z.string(),
    onBehalf,
    tries: z.number().optional(),
    /** Only this chat, which has asked for it once more. */
    again: z.number().optional(),
    /** Also of a result that its participant has: it was asked for again, or somebody who had blocked the bot is owed it. */
    isRepeat: z.literal(true).optional(),
    /** Chats that have blocked the bot: what they are owed waits for their next /start. */
    blocked: z.array(z.number()).optional(),
  }),
)
