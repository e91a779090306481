import { z } from 'zod'
import { onBehalf } from '../kept/owed-result.ts'
import { job } from '../mail/job.ts'

/** Finished answers on their way to the service. By `S`. */
export const submitJob = job(
  'submit',
  z.object({
    s: z.string(),
    onBehalf,
    /** An attempt of ours may have reached the service: look before the next one. */
    unclear: z.boolean().optional(),
    /** The first form of the answers was refused as malformed: the other one is tried. */
    otherForm: z.boolean().optional(),
    /** The participant has been told that it takes longer. */
    told: z.boolean().optional(),
    tries: z.number().optional(),
  }),
)
