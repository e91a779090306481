import type { Failure } from '../background/actors.ts'
import type { RecordFile } from '../domain/record-file.ts'
import type { SimpleTextKey } from '../texts/texts.ts'
import { failureView } from '../views/failure.ts'
import { notifyOrganizers } from './notify-organizers.ts'
import type { Turn } from './turn.ts'

/** Says a text that needs nothing filled in. */
export async function tell(turn: Turn, key: SimpleTextKey): Promise<void> {
  await turn.say({ text: turn.t(key) })
}

/** What only an organizer can mend, whichever call it stopped. */
const refusals: readonly Failure['code'][] = ['key_invalid', 'forbidden', 'billing', 'bad_request']

/** Says why a call failed, in words for the participant, with the way on; organizers hear of what they can mend. */
export async function failed(turn: Turn, file: RecordFile, failure: Failure): Promise<void> {
  const { organizerContact } = turn.deps.config
  if (refusals.includes(failure.code)) {
    // A record that was never read has no title yet; the organizer knows it by its token.
    await notifyOrganizers(turn, 'notice-refused', { title: file.test.title || file.token })
  }
  await turn.ask(failureView(turn.t, { s: file.s, failure, organizerContact }))
}
