import type { Failure } from '../background/actors.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { SimpleTextKey } from '../texts/texts.ts'
import { failureView } from '../views/failure.ts'
import type { Turn } from './turn.ts'

/** Says a text that needs nothing filled in. */
export async function tell(turn: Turn, key: SimpleTextKey): Promise<void> {
  await turn.say({ text: turn.t(key) })
}

/** Says why a call failed, in words for the participant, with the way on. */
export async function failed(turn: Turn, file: RecordFile, failure: Failure): Promise<void> {
  const { organizerContact } = turn.deps.config
  await turn.ask(failureView(turn.t, { s: file.s, failure, organizerContact }))
}
