import { type Handler, handler, job } from '../queue/job.ts'
import { type Act, act, actDay, actDays } from '../storage/documents/acts.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'

/** An act to be added to a list. Keyed by day, so that those who act do not wait for each other. */
const actJob = job('act', act)

/** Posts what was done, to which record or roadmap, and when. */
export const postAct = (work: UnitOfWork, done: Act): void => actJob.post(work, actDay(done.at), done)

/** Adds each act to the list of its day. */
export function createActHandler(): Handler {
  return handler(actJob, async ({ id, body, work }) => {
    const { acts } = (await work.get(actDays, id)) ?? work.put(actDays, id, { acts: [] })
    acts.push(body)
    return undefined
  })
}
