import { z } from 'zod'
import { DAY_MS } from '../../domain/durations.ts'
import { document } from '../documents.ts'

/** How long a participant's question is kept. */
export const ASKED_DAYS = 30
const ASKED_MS = ASKED_DAYS * DAY_MS

const askedQuestion = z.object({
  /** The record or roadmap that it is about. */
  s: z.string(),
  who: z.string(),
  chatId: z.number(),
  text: z.string(),
  at: z.number(),
  /** The messages that showed it to organizers, the newest last. */
  told: z.array(z.object({ chatId: z.number(), messageId: z.number() })),
  /** The organizer who answered last. */
  answeredBy: z.number().optional(),
  /** The newest message that brought the participant an answer. */
  reply: z.number().optional(),
})
export type AskedQuestion = z.infer<typeof askedQuestion>

/** Questions that participants asked the organizers. By a random id. */
export const askedQuestions = document('aq', {
  schema: askedQuestion,
  expiresAt: ({ at }) => at + ASKED_MS,
})

/** The question that a message in an organizer's chat showed. By the keyed hash of chat and message. */
export const questionMessages = document('am', {
  schema: z.object({ question: z.string(), at: z.number() }),
  expiresAt: ({ at }) => at + ASKED_MS,
})

/** The questions without an answer by their ids, and when they were asked: one document for all. */
export const unansweredQuestions = document('ao', {
  schema: z.object({ asked: z.record(z.string(), z.number()) }),
  expiresAt: ({ asked }) => Math.max(0, ...Object.values(asked)) + ASKED_MS,
  isReplaceable: true,
})

export const isKept = (at: number, now: number): boolean => now - at < ASKED_MS
