import type { Document } from 'grammy/types'
import { z } from 'zod'
import type { Taking } from '../domain/account.ts'
import type { RecordFile, Refusal } from '../domain/record/record.ts'
import type { View } from '../views/view.ts'

/**
 * A step as it is entered: the person (an index into the people of the draft), whether it corrects a field,
 * and the reading of an answer that waits for a yes.
 */
export const entrySchema = z.object({
  ask: z.string(),
  person: z.number(),
  isCorrection: z.literal(true).optional(),
  doubt: z.unknown().optional(),
})
export type Entry = z.infer<typeof entrySchema>

/** A text or a document to read lines from. */
export type Lines = { text?: string | undefined; document?: Document | undefined; messageId: number }

/** A question beside the dialog; lines may come together with the command that asks for them. */
export type Aside =
  | { ask: 'lines'; given?: Lines | undefined }
  | { ask: 'external-id'; s: string }
  | { ask: 'group'; id: string }
  | { ask: 'known-mobile'; taking: Taking }
  /** `revision`, `at`: of the attempt and the clock at the start. An answer, or an hour, ends the wait. */
  | { ask: 'question'; s: string; revision: number | undefined; at: number }

/** A notice before a question; `words`: the text that was no answer; `refusal`: what changed the question. */
type Said = { word?: string | undefined; words?: string | undefined; refusal?: Refusal | undefined }

/**
 * What an update shows at its end: the place of a record, the question of its dialog, or one beside it
 * (without an `aside`, the waiting one learns that no more parts come). A question can have a notice before
 * it, take another form, and belong to a step that is entered again.
 */
export type Due =
  | { show: 'place'; file: RecordFile }
  | ({ show: 'question'; file: RecordFile; view?: View | undefined; entry?: Entry } & Said)
  | { show: 'aside'; aside?: Aside; word?: string | undefined }
