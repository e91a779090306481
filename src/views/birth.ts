import { ageOn, type BirthRange } from '../domain/persian/age.ts'
import type { BirthAssumption, BirthError } from '../domain/persian/birth-reading.ts'
import { formatBirth } from '../domain/persian/calendar.ts'
import { type PickerStep, pickerView } from '../domain/persian/picker.ts'
import type { Person } from '../domain/profile.ts'
import { raw, type Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { agesText } from './introduction.ts'
import { type Button, button, paragraphs, type View, whose } from './view.ts'

const pickerRow = (t: Translate): Button[] => [
  button(t.plain('button-birth-picker'), buttons.birth.data('open')),
]
const otherRow = (t: Translate): Button[] => [
  button(t.plain('button-birth-other'), buttons.birth.data('other')),
]

/** Asks for the date of birth, typed or picked. */
export function birthView(t: Translate, person: Person): View {
  const ages = agesText(t, person.limits)
  return {
    text: paragraphs(whose(t, person), t('birth-ask'), ages && t('birth-ages', { ages })),
    keyboard: [pickerRow(t)],
  }
}

/** Why a date of birth was not taken. */
export const birthErrorText = (t: Translate, error: BirthError): string => t(`birth-error.${error}`)

type Guess = { iso: string; assumed: readonly BirthAssumption[] }

/** Shows a guessed date before it is taken. */
export const birthGuessView = (t: Translate, { iso, assumed }: Guess, today: string): View => ({
  text: paragraphs(
    assumed.map((guess) => t(`birth-guess-${guess}`)),
    t('birth-understood', { birth: birthText(t, iso, today) }),
    t('birth-is-right'),
  ),
  keyboard: [[button(t.plain('button-yes-right'), buttons.birth.data('ok'), 'success')], otherRow(t)],
})

/** Asks which of two readings is meant. */
export const birthChoiceView = (t: Translate, candidates: readonly string[], today: string): View => ({
  text: t('birth-choose'),
  keyboard: [
    ...candidates.map((iso, index) => [button(birthText(t, iso, today), buttons.birthPick.data(index))]),
    otherRow(t),
  ],
})

/** «۱۲ مرداد ۱۳۷۵ (۱۹۹۶/۰۸/۰۲)، ۳۰ ساله» */
export function birthText(t: Translate, iso: string, today: string): string {
  const { own, other } = formatBirth(iso, t.language)
  return t('birth-text', { own, other, age: ageOn(iso, today) })
}

export const birthLine = (t: Translate, iso: string, today: string): string =>
  t('summary-birth', { birth: raw(birthText(t, iso, today)) })

/** Says that the age is not admitted, with the limits and the age that was understood. */
export function ageRefusedView(t: Translate, person: Person, iso: string, today: string) {
  const [birth, ages, age] = [birthText(t, iso, today), agesText(t, person.limits) ?? '', ageOn(iso, today)]
  return {
    text: paragraphs(whose(t, person), t('birth-age-refused', { birth, ages, age })),
    keyboard: [pickerRow(t)],
  }
}

/** One step of the calendar picker. Its whole state is in its buttons. */
export function birthPickerView(t: Translate, step: PickerStep, range: BirthRange, person: Person): View {
  const { chosen, rows } = pickerView(step, range, t.language, { back: t.plain('button-picker-back') })
  const { year = '', month = '' } = chosen
  const asks = {
    decades: () => t('birth-pick-decade'),
    years: () => t('birth-pick-year'),
    months: () => t('birth-pick-month', { year }),
    days: () => t('birth-pick-day', { month, year }),
  }
  return {
    text: paragraphs(whose(t, person), asks[step.kind]()),
    keyboard: rows.map((row) => row.map(({ text, data }) => button(text, data))),
  }
}
