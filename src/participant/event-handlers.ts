import type { Turn } from '../dialog/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { EventKind, EventOf } from '../queue/events.ts'

/** What a chat does about an event of a record that it sees. */
export type EventHandlers<K extends EventKind> = {
  [Kind in K]: (turn: Turn, file: RecordFile, event: EventOf<Kind>) => Promise<unknown>
}
