import type { Field, Gender, Person } from '../domain/profile.ts'
import type { Translate } from '../texts/texts.ts'
import { birthText } from './birth.ts'
import { buttons } from './buttons.ts'
import { button, inReadingOrder, type View } from './view.ts'
import { whose } from './whose.ts'

/** Asks for the name. */
export function nameView(t: Translate, person: Person): View {
  const { role } = person
  return { text: role ? t('name-ask-role', { role: role.title }) : t('name-ask') }
}

/** Asks whether a parent or guardian is present and agrees. */
export function guardianView(t: Translate, person: Person): View {
  const who = person.name ?? ''
  return guardianQuestion(t, [...whose(t, person), t('guardian-ask', { name: who })].join('\n\n'))
}

/** Asks whether a name of one word is all of it. */
export function nameDoubtView(t: Translate, person: Person, name: string): View {
  return {
    text: [...whose(t, person), t('name-single', { name })].join('\n\n'),
    keyboard: [[button(t.plain('button-name-right', { name }), buttons.name.data('ok'))]],
  }
}

export const nameText = (t: Translate, name: string): string => t('summary-name', { name })

/** The same for somebody whose profile the service has, and whose name is nowhere here. */
export const participantGuardianView = (t: Translate): View =>
  guardianQuestion(t, t('guardian-ask-participant'))

function guardianQuestion(t: Translate, text: string): View {
  return {
    text,
    keyboard: [
      [button(t.plain('button-guardian-yes'), buttons.guardian.data('yes'), 'success')],
      [button(t.plain('button-guardian-no'), buttons.guardian.data('no'))],
    ],
  }
}

export const genderText = (t: Translate, gender: Gender | undefined): string =>
  t('summary-gender', { gender: t.plain(gender === 'male' ? 'gender-male' : 'gender-female') })

/** Asks for the gender. */
export function genderView(t: Translate, person: Person): View {
  const row = [
    button(t.plain('gender-female'), buttons.gender.data('female')),
    button(t.plain('gender-male'), buttons.gender.data('male')),
  ]
  return {
    text: [...whose(t, person), t('gender-ask')].join('\n\n'),
    keyboard: [inReadingOrder(row, t.language)],
  }
}

/** Asks for the mobile; the keyboard under the input shares the own number with one tap. */
export function mobileView(
  t: Translate,
  {
    organizer,
    sms,
    isShared,
    known,
  }: { organizer: string; sms: boolean; isShared: boolean; known?: string | undefined },
): View {
  const ask = sms ? t('mobile-ask-sms', { organizer }) : t('mobile-ask')
  return {
    text: isShared ? `${t('mobile-shared')}\n\n${ask}` : ask,
    contactButton: {
      label: t.plain('button-share-mobile'),
      placeholder: t.plain('mobile-placeholder'),
      ...(known !== undefined && { known }),
    },
  }
}

/** Asks whether an unusual mobile is right. */
export function mobileGuessView(t: Translate, mobile: string): View {
  return {
    text: t('mobile-unusual', { mobile }),
    keyboard: [[button(t.plain('button-mobile-right'), buttons.mobile.data('ok'), 'success')]],
  }
}

/** Adds the way out of a correction: what stands there stays. A mobile is kept with the keyboard under the input. */
export function keepView(t: Translate, view: View, person: Person, field: Field, today: string): View {
  const known = {
    name: person.name,
    birth: person.birth && birthText(t, person.birth, today),
    gender: person.gender && t.plain(person.gender === 'male' ? 'gender-male' : 'gender-female'),
    mobile: undefined,
  }[field]
  if (known === undefined) return view
  const keep = button(t.plain('button-keep', { value: known }), buttons.profile.data('keep'))
  return { ...view, keyboard: [...(view.keyboard ?? []), [keep]] }
}
