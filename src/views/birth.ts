import type { BirthAssumption } from '../domain/persian/birth-reading.ts'
import { ageOn, type BirthRange, formatBirth } from '../domain/persian/calendar.ts'
import { type PickerStep, pickerView } from '../domain/persian/picker.ts'
import type { Person } from '../domain/profile.ts'
import { raw, type Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { agesText } from './introduction.ts'
import { button, type View } from './view.ts'
import { whose } from './whose.ts'

/** Asks for the date of birth, typed or picked. */
export function birthView(t: Translate, person: Person): View {
  const ages = agesText(t, person.limits)
  return {
    text: [...whose(t, person), t('birth-ask'), ...(ages ? [t('birth-ages', { ages })] : [])].join('\n\n'),
    keyboard: [[button(t.plain('button-birth-picker'), buttons.birth.data('open'))]],
  }
}

/** Shows a guessed date before it is taken. */
export function birthGuessView(
  t: Translate,
  { iso, assumed }: { iso: string; assumed: readonly BirthAssumption[] },
  today: string,
): View {
  return {
    text: [
      ...assumed.map((guess) => t(`birth-guess-${guess}`)),
      t('birth-understood', { birth: birthText(t, iso, today) }),
      t('birth-is-right'),
    ].join('\n\n'),
    keyboard: [
      [button(t.plain('button-yes-right'), buttons.birth.data('ok'), 'success')],
      [button(t.plain('button-birth-other'), buttons.birth.data('other'))],
    ],
  }
}

/** Asks which of two readings is meant. */
export function birthChoiceView(t: Translate, candidates: readonly string[], today: string): View {
  return {
    text: t('birth-choose'),
    keyboard: [
      ...candidates.map((iso, index) => [button(birthText(t, iso, today), buttons.birthPick.data(index))]),
      [button(t.plain('button-birth-other'), buttons.birth.data('other'))],
    ],
  }
}

/** «۱۲ مرداد ۱۳۷۵ (۱۹۹۶/۰۸/۰۲)، ۳۰ ساله» */
export function birthText(t: Translate, iso: string, today: string): string {
  const { own, other } = formatBirth(iso, t.language)
  return t('birth-text', { own, other, age: ageOn(iso, today) })
}

export const birthLine = (t: Translate, iso: string, today: string): string =>
  t('summary-birth', { birth: raw(birthText(t, iso, today)) })

/** Says that the age is not admitted, with the limits and the age that was understood. */
export function ageRefusedView(
  t: Translate,
  person: Person,
  iso: string,
  today: string,
  contact: string,
): View {
  return {
    text: [
      ...whose(t, person),
      t('birth-age-refused', {
        birth: birthText(t, iso, today),
        ages: agesText(t, person.limits) ?? '',
        age: ageOn(iso, today),
        contact,
      }),
    ].join('\n\n'),
    keyboard: [[button(t.plain('button-birth-picker'), buttons.birth.data('open'))]],
  }
}

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
  return {
    text: [...whose(t, person), asks[step.kind]()].join('\n\n'),
    keyboard: rows.map((row) => row.map(({ text, data }) => button(text, data))),
  }
}
