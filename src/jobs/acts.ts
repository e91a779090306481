import { type Handler, handler, job } from '../queue/job.ts'
import { type Act, act, actDay, actDays } from '../storage/documents/acts.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'

/** An act on its way to the list. By the day, so that nobody who acts waits for another. */
const actJob = job('act', act)

/** Has noted what was done, about which record or roadmap, and when. */
export const postAct = (work: UnitOfWork, done: Act): void => actJob.post(work, actDay(done.at), done)

/** Keeps the list of acts. */
export function createActHandler(): Handler {
  return handler(actJob, async ({ id, body, work }) => {
    const { acts } = (await work.get(actDays, id)) ?? work.put(actDays, id, { acts: [] })
    acts.push(body)
    return undefined
  })
}
