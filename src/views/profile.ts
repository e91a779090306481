import { ageOn } from '../domain/persian/age.ts'
import { formatBirth } from '../domain/persian/calendar.ts'
import type { Draft, Field, Gender, Guess, Limits, Person, ProfileProblem } from '../domain/profile.ts'
import { raw } from '../texts/html.ts'
import type { Translate } from '../texts/texts.ts'
import { agesText } from './introduction.ts'
import { button, inReadingOrder, type View } from './view.ts'

/** Whose details are asked: a line above the question, only where there are several people. */
const whose = (t: Translate, person: Person): string[] =>
  person.role ? [t('profile-role', { role: person.role.title })] : []

export function nameView(t: Translate, person: Person): View {
  return { text: [...whose(t, person), t('name-ask')].join('\n\n') }
}

export function birthView(t: Translate, person: Person): View {
  const ages = agesText(t, person.limits)
  return {
    text: [...whose(t, person), t('birth-ask'), ...(ages ? [t('birth-ages', { ages })] : [])].join('\n\n'),
    keyboard: [[button(t.plain('button-birth-picker'), 'birth:open')]],
  }
}

const guessTexts = {
  century: 'birth-guess-century',
  order: 'birth-guess-order',
  imperial: 'birth-guess-imperial',
} as const satisfies Record<Guess, string>

/** Shows a guessed date before it is taken. */
export function birthGuessView(
  t: Translate,
  { iso, assumed }: { iso: string; assumed: Guess[] },
  today: string,
): View {
  return {
    text: [
      ...assumed.map((guess) => t(guessTexts[guess])),
      t('birth-understood', { birth: birthText(t, iso, today) }),
      t('birth-is-right'),
    ].join('\n\n'),
    keyboard: [
      [button(t.plain('button-yes-right'), 'birth:ok', 'success')],
      [button(t.plain('button-birth-other'), 'birth:other')],
    ],
  }
}

/** Asks which of two readings is meant. */
export function birthChoiceView(t: Translate, candidates: readonly string[], today: string): View {
  return {
    text: t('birth-choose'),
    keyboard: [
      ...candidates.map((iso, index) => [button(birthText(t, iso, today), `birth:pick:${index}`)]),
      [button(t.plain('button-birth-other'), 'birth:other')],
    ],
  }
}

/** «۱۲ مرداد ۱۳۷۵ (۱۹۹۶/۰۸/۰۲)، ۳۰ ساله» */
function birthText(t: Translate, iso: string, today: string): string {
  const { own, other } = formatBirth(iso, t.language)
  return t('birth-text', { own, other, age: ageOn(iso, today) })
}

export const birthLine = (t: Translate, iso: string, today: string): string =>
  t('summary-birth', { birth: raw(birthText(t, iso, today)) })

export const genderText = (t: Translate, gender: Gender | undefined): string =>
  t('summary-gender', { gender: t.plain(gender === 'male' ? 'gender-male' : 'gender-female') })

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
    keyboard: [[button(t.plain('button-birth-picker'), 'birth:open')]],
  }
}

export function guardianView(t: Translate, person: Person): View {
  const who = person.name ?? ''
  return {
    text: [...whose(t, person), t('guardian-ask', { name: who })].join('\n\n'),
    keyboard: [
      [button(t.plain('button-guardian-yes'), 'guardian:yes', 'success')],
      [button(t.plain('button-guardian-no'), 'guardian:no')],
    ],
  }
}

export function genderView(t: Translate, person: Person): View {
  const row = [
    button(t.plain('gender-female'), 'gender:female'),
    button(t.plain('gender-male'), 'gender:male'),
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

export function mobileGuessView(t: Translate, mobile: string): View {
  return {
    text: t('mobile-unusual', { mobile }),
    keyboard: [[button(t.plain('button-mobile-right'), 'mobile:ok', 'success')]],
  }
}

/** Shows all that was understood; the button sends it, each field can be corrected. */
export function summaryView(t: Translate, draft: Draft, today: string, sms: boolean): View {
  const people = draft.people.map((person) =>
    [
      ...whose(t, person),
      t('summary-name', { name: person.name ?? '' }),
      birthLine(t, person.birth ?? today, today),
      genderText(t, person.gender),
    ].join('\n'),
  )
  return {
    text: [
      t('summary-title'),
      ...people,
      t('summary-mobile', { mobile: draft.mobile ?? '' }),
      sms ? t('summary-hint-sms') : t('summary-hint'),
    ].join('\n\n'),
    keyboard: [[button(t.plain('button-profile-ok'), 'profile:ok', 'success')], ...editRows(t, draft.people)],
  }
}

const editLabels = {
  name: 'button-edit-name',
  birth: 'button-edit-birth',
  gender: 'button-edit-gender',
  mobile: 'button-edit-mobile',
} as const satisfies Record<Field, string>

function editRows(t: Translate, people: readonly Person[]) {
  const [only, ...others] = people
  if (only && others.length === 0) {
    const edit = (field: Field) => button(t.plain(editLabels[field]), `profile:edit:${field}`)
    const second = only.limits.gender === 'both' ? [edit('gender'), edit('mobile')] : [edit('mobile')]
    return [inReadingOrder([edit('name'), edit('birth')], t.language), inReadingOrder(second, t.language)]
  }
  const rows = people.map((person) => [
    button(
      t.plain('button-edit-person', { role: person.role?.title ?? '' }),
      `profile:edit:${person.role?.id ?? 0}`,
    ),
  ])
  return [...rows, [button(t.plain(editLabels.mobile), 'profile:edit:mobile')]]
}

/** The second step of a correction where there are several people: which field of this one. */
export function editPersonView(t: Translate, person: Person): View {
  const id = person.role?.id ?? 0
  const fields: Field[] = person.limits.gender === 'both' ? ['name', 'birth', 'gender'] : ['name', 'birth']
  return {
    text: t('edit-person', { role: person.role?.title ?? '' }),
    keyboard: [
      ...fields.map((field) => [button(t.plain(editLabels[field]), `profile:edit:${field}:${id}`)]),
      [button(t.plain('button-edit-back'), 'profile:keep')],
    ],
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
  const keep = button(t.plain('button-keep', { value: known }), 'profile:keep')
  return { ...view, keyboard: [...(view.keyboard ?? []), [keep]] }
}

const problemTexts = {
  missing: 'problem-missing',
  age: 'problem-age',
  gender: 'problem-gender',
  name: 'problem-name',
  mobile: 'problem-mobile',
} as const satisfies Record<ProfileProblem['code'], string>

const fieldTexts = {
  name: 'field-name',
  birth: 'field-birth',
  gender: 'field-gender',
  mobile: 'field-mobile',
} as const satisfies Record<Field, string>

/** Says field by field what the test would refuse, before anything is sent. */
export function problemsView(
  t: Translate,
  problems: readonly ProfileProblem[],
  people: readonly Person[],
): View {
  const lines = problems.map(({ person, field, code }) => {
    const role = people[person]?.role?.title
    const reason = t(problemTexts[code], { ages: limitsText(t, people[person]?.limits) })
    const name = t.plain(fieldTexts[field])
    return t('problem-line', { field: role ? `${name} (${role})` : name, reason: raw(reason) })
  })
  return { text: [t('problem-title'), ...lines].join('\n') }
}

const limitsText = (t: Translate, limits: Limits | undefined): string =>
  limits ? (agesText(t, limits) ?? '') : ''
