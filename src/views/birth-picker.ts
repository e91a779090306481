import type { BirthRange } from '../domain/persian/calendar.ts'
import { type PickerStep, pickerView } from '../domain/persian/picker.ts'
import type { Person } from '../domain/profile.ts'
import type { Translate } from '../texts/texts.ts'
import { button, type View } from './view.ts'

/** One step of the calendar picker; everything it knows travels in its buttons. */
export function birthPickerView(t: Translate, step: PickerStep, range: BirthRange, person: Person): View {
  const { chosen, rows } = pickerView(step, range, t.language, { back: t.plain('button-picker-back') })
  const { year = '', month = '' } = chosen
  const asks = {
    decades: () => t('birth-pick-decade'),
    years: () => t('birth-pick-year'),
    months: () => t('birth-pick-month', { year }),
    days: () => t('birth-pick-day', { month, year }),
  }
  const role = person.role ? [t('profile-role', { role: person.role.title })] : []
  return {
    text: [...role, asks[step.kind]()].join('\n\n'),
    keyboard: rows.map((row) => row.map(({ text, data }) => button(text, data))),
  }
}
