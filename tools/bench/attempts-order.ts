export type AttemptsOrder = { apiRoot: string; redisUrl?: string; dir: string; attempts: number }
/** Bytes: what the heap has more than before, and the whole process. */
export type AttemptsSeen = { heap: number; rss: number }

/** So many come before anything is measured, so that what a process needs once is there. */
export const FIRST = 250
