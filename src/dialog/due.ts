import type { Document } from 'grammy/types'
import { z } from 'zod'
import type { Taking } from '../domain/account.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { View } from '../views/view.ts'

/**
 * A step of the dialog as it is entered: whose field (an index into the people of the draft), whether it is being
 * corrected, and what was understood of the answer so far and waits for a yes.
 */
export const entry = z.object({
  ask: z.string(),
  person: z.number(),
  isCorrection: z.literal(true).optional(),
  doubt: z.unknown().optional(),
})
export type Entry = z.infer<typeof entry>

/** A text or a document that lines are read from. */
export type Lines = { text?: string | undefined; document?: Document | undefined; messageId: number }

/** A question beside the dialog; lines may come together with the command that would ask for them. */
export type Aside =
  | { ask: 'lines'; given?: Lines | undefined }
  | { ask: 'external-id'; s: string }
  | { ask: 'group'; id: string }
  | { ask: 'known-mobile'; taking: Taking }
  /** `revision`: of the attempt when it was asked for, `at`: then; an answer since, or an hour, ends the wait. */
  | { ask: 'question'; s: string; revision: number | undefined; at: number }

/** A word before a question; `words`: those that were no answer to it. */
type Said = { word?: string | undefined; words?: string | undefined }

/**
 * What an update has left to be shown at its end: the place where a record stands, the question of its dialog, or one
 * beside it (without an `aside`, the one that waits hears that nothing more comes). A question can have a word before
 * it, be asked in another form, and belong to a step that is entered anew.
 */
export type Due =
  | { show: 'place'; file: RecordFile }
  | ({ show: 'question'; file: RecordFile; view?: View | undefined; entry?: Entry } & Said)
  | { show: 'aside'; aside?: Aside; word?: string | undefined }
