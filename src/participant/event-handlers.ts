import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { EventKind, EventOf } from '../queue/events.ts'

/** What a chat does about an event of a record that it sees. */
export type EventHandlers<K extends EventKind> = {
  [Kind in K]: (ctx: UpdateContext, file: RecordFile, event: EventOf<Kind>) => Promise<unknown>
}
