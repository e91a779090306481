export type AttemptsOrder = { apiRoot: string; redisUrl?: string; dir: string; attempts: number }
/** In bytes: the growth of the heap, and the resident memory of the process. */
export type AttemptsSeen = { heap: number; rss: number }

/** Attempts before the first measurement, so that what a process allocates once is not counted. */
export const FIRST = 250
