import { birthRange } from '../domain/persian/calendar.ts'
import { parsePicker } from '../domain/persian/picker.ts'
import type { Person } from '../domain/profile.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { birthPickerView } from '../views/birth-picker.ts'
import { birthLine } from '../views/profile.ts'
import { takeBirth } from './take-profile.ts'
import type { Turn } from './turn.ts'

/** Moves through the calendar in the message that asked, or takes the day that was picked. */
export async function pickBirth(
  turn: Turn,
  file: RecordFile,
  person: Person,
  data: string,
): Promise<boolean> {
  const { minAge, maxAge } = person.limits
  const step = parsePicker(data)
  if (!step) return data === 'birth:nop'
  const range = birthRange(minAge, maxAge, turn.today)
  if (step.kind === 'date') {
    if (step.iso < range.first || step.iso > range.last) return false
    await turn.close(birthLine(turn.t, step.iso, turn.today))
    await takeBirth(turn, file, person, step.iso)
    return true
  }
  const shown = await turn.show(turn.account.asked, birthPickerView(turn.t, step, range, person))
  if (shown !== undefined) turn.account.asked = shown
  return true
}
