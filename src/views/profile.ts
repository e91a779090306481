import { ageOn } from '../domain/persian/age.ts'
import type { MobileError } from '../domain/persian/mobile.ts'
import type { NameError } from '../domain/persian/name.ts'
import {
  ADULT_AGE,
  type Draft,
  type Field,
  type Gender,
  type Person,
  type ProfileProblem,
} from '../domain/profile.ts'
import { nameAmong } from '../domain/record/names.ts'
import type { RoadmapRole } from '../domain/roadmap.ts'
import { raw, type Translate } from '../texts/texts.ts'
import { birthLine, birthText } from './birth.ts'
import { buttons } from './buttons.ts'
import { agesText } from './introduction.ts'
import { type Button, button, inReadingOrder, lines, paragraphs, type View, whose } from './view.ts'

/** Asks for the name. */
export function nameView(
  t: Translate,
  { role }: Person,
  { lastTime, s }: { lastTime?: string | undefined; s?: string | undefined } = {},
): View {
  const same = t.plain('button-profile-same', { name: lastTime ?? '' })
  const rows = [
    ...(lastTime === undefined ? [] : [[button(same, buttons.profile.data('same'), 'primary')]]),
    ...(role && s !== undefined
      ? [[button(t.plain('button-hand-details', { role: role.title }), buttons.hand.data(s, role.id))]]
      : []),
  ]
  const text = role ? t('name-ask-role', { role: role.title }) : t('name-ask')
  return rows.length > 0 ? { text, keyboard: rows } : { text }
}

/** Asks whether a name of one word is complete. If it has a title, the whole name is asked for. */
export const nameDoubtView = (t: Translate, person: Person, name: string): View => ({
  text: name.includes(' ')
    ? nameView(t, person).text
    : paragraphs(whose(t, person), t('name-single', { name })),
  keyboard: [[button(t.plain('button-name-right', { name }), buttons.name.data('ok'))]],
})

export const nameText = (t: Translate, name: string): string => t('summary-name', { name })

/** More foreign letters than this are no slip but another alphabet, so a list of them does not help. */
const MOST_LETTERS_LISTED = 3

/** Why a name was not taken. */
export function nameErrorText(t: Translate, { error, bad }: { error: NameError; bad: string }): string {
  const isAlphabet = error === 'latin' || error === 'foreign_letter'
  const many = isAlphabet && new Set(bad.replace(/\s/g, '')).size > MOST_LETTERS_LISTED
  return lines(many ? t(`name-error.${error}_many`) : t(`name-error.${error}`, { bad }), t('name-example'))
}

/** Asks whether a parent or guardian is present and agrees. */
export const guardianView = (t: Translate, person: Person): View =>
  guardianQuestion(
    t,
    paragraphs(whose(t, person), t('guardian-ask', { name: person.name ?? '' })),
    // A birth date that was typed here may be mistyped.
    person.birth === undefined ? [] : [[editButton(t, 'birth', person.role?.id)]],
  )

/** The same question for a participant whose profile the service has and whose name is unknown here. */
export const participantGuardianView = (t: Translate): View =>
  guardianQuestion(t, t('guardian-ask-participant'))

const guardianQuestion = (t: Translate, text: string, rows: Button[][] = []): View => ({
  text,
  keyboard: [
    [button(t.plain('button-guardian-yes'), buttons.guardian.data('yes'), 'success')],
    [button(t.plain('button-guardian-link'), buttons.guardian.data('link'))],
    [button(t.plain('button-guardian-no'), buttons.guardian.data('no'))],
    ...rows,
  ],
})

const YOUNG = { female: 'gender-girl', male: 'gender-boy' } as const

type Born = Pick<Person, 'birth'>

/** The word for a gender: for people under eighteen, girl or boy. */
export function genderWord(t: Translate, gender: Gender, { birth }: Born, today: string): string {
  const isYoung = birth !== undefined && ageOn(birth, today) < ADULT_AGE
  return t.plain(isYoung ? YOUNG[gender] : `gender-${gender}`)
}

export const genderText = (t: Translate, person: Person, today: string, gender = person.gender): string =>
  t('summary-gender', { gender: genderWord(t, gender ?? 'female', person, today) })

/** Asks for the gender. */
export function genderView(t: Translate, person: Person, today: string): View {
  const row = (['female', 'male'] as const).map((gender) =>
    button(genderWord(t, gender, person, today), buttons.gender.data(gender)),
  )
  return {
    text: paragraphs(whose(t, person), t('gender-ask')),
    keyboard: [inReadingOrder(row, t.language)],
  }
}

type MobileAsked = { sms: boolean; isShared: boolean; known?: string | undefined }

/** Asks for the mobile. The contact keyboard shares the participant's own number with one tap. */
export const mobileView = (t: Translate, { sms, isShared, known }: MobileAsked): View => ({
  text: paragraphs(isShared && t('mobile-shared'), sms ? t('mobile-ask-sms') : t('mobile-ask')),
  contactButton: {
    label: t.plain('button-share-mobile'),
    placeholder: t.plain('mobile-placeholder'),
    ...(known !== undefined && { known }),
  },
})

/** Asks whether an unusual mobile is right. */
export const mobileGuessView = (t: Translate, mobile: string): View => ({
  text: t('mobile-unusual', { mobile }),
  keyboard: [[button(t.plain('button-mobile-right'), buttons.mobile.data('ok'), 'success')]],
})

/** Why a mobile was not taken. */
export const mobileErrorText = (t: Translate, error: MobileError): string =>
  lines(t(`mobile-error.${error}`), t('mobile-example'))

/** Adds the button that keeps the current value. The contact keyboard has such a key for the mobile. */
export function keepView(t: Translate, view: View, person: Person, field: Field, today: string): View {
  const known = {
    name: person.name,
    birth: person.birth && birthText(t, person.birth, today),
    gender: person.gender && genderWord(t, person.gender, person, today),
    mobile: undefined,
  }[field]
  if (known === undefined) return view
  const keep = button(t.plain('button-keep', { value: known }), buttons.profile.data('keep'))
  return { ...view, keyboard: [...(view.keyboard ?? []), [keep]] }
}

/** The roles of a roadmap whose people give their own details on their own phone. */
export type Others = {
  s: string
  /** `isIn`: an account has accepted the invitation. */
  roles: readonly { role: RoadmapRole; hasGiven: boolean; isIn: boolean }[]
}

type Summary = { today: string; sms: boolean; others?: Others | undefined }

/** Shows all details as they were understood, with buttons to send and to correct them. */
export function summaryView(t: Translate, { people, mobile }: Draft, { today, sms, others }: Summary): View {
  const texts = people.map((person) =>
    lines(
      whose(t, person),
      nameText(t, person.name ?? ''),
      birthLine(t, person.birth ?? today, today),
      genderText(t, person, today),
    ),
  )
  const { lines: known, left, rows } = aboutOthers(t, others)
  const own = mobile === undefined ? t('summary-hint-role') : t(sms ? 'summary-hint-sms' : 'summary-hint')
  const ok = button(t.plain('button-profile-ok'), buttons.profile.data('ok'), 'success')
  return {
    text: paragraphs(
      t('summary-title'),
      texts,
      lines(known),
      mobile !== undefined && t('summary-mobile', { mobile }),
      left || own,
    ),
    keyboard: [...(left ? [] : [[ok]]), ...rows, ...editRows(t, people, mobile !== undefined)],
  }
}

/** The others, by first name, and whether their details are there; buttons to remind, invite, take back. */
function aboutOthers(t: Translate, { s, roles }: Others = { s: '', roles: [] }) {
  const all = roles.map(({ role }) => role)
  const missing = roles.filter(({ hasGiven }) => !hasGiven)
  const namesOf = (some: Others['roles']) =>
    some.map(({ role }) => nameAmong(role, all)).join(t.plain('intro-joint'))
  const reminded = namesOf(missing.filter(({ isIn }) => isIn))
  return {
    lines: roles.map(({ role, hasGiven }) =>
      t(hasGiven ? 'summary-given' : 'summary-awaited', { name: nameAmong(role, all) }),
    ),
    left:
      missing.length > 0 &&
      t(missing.length === 1 ? 'summary-only-left' : 'summary-left', { name: namesOf(missing) }),
    rows: [
      ...(reminded ? [[button(t.plain('button-recall', { name: reminded }), buttons.recall.data(s))]] : []),
      ...roles.flatMap(({ role: { id, title: role }, isIn }) => [
        ...(isIn ? [] : [[button(t.plain('button-hand-again', { role }), buttons.hand.data(s, id))]]),
        [button(t.plain('button-unhand-details', { role }), buttons.unhand.data(s, id))],
      ]),
    ],
  }
}

const fieldsOf = ({ limits }: Person): Field[] =>
  limits.gender === 'both' ? ['name', 'birth', 'gender'] : ['name', 'birth']

const editButton = (t: Translate, field: Field, role?: number): Button =>
  button(t.plain(`button-edit-${field}`), buttons.profileEdit.data(field, role))

function editRows(t: Translate, people: readonly Person[], hasMobile: boolean): Button[][] {
  const [only, ...others] = people
  if (only && others.length === 0) {
    const fields: Field[] = [...fieldsOf(only), ...(hasMobile ? (['mobile'] as const) : [])]
    const all = fields.map((field) => editButton(t, field))
    return [all.slice(0, 2), all.slice(2)].map((row) => inReadingOrder(row, t.language))
  }
  const rows = people.map(({ role }) => [
    button(
      t.plain('button-edit-person', { role: role?.title ?? '' }),
      buttons.profileEditPerson.data(role?.id ?? 0),
    ),
  ])
  return [...rows, [editButton(t, 'mobile')]]
}

/** The second step of a correction where there are several people: the fields of this person. */
export const editPersonView = (t: Translate, person: Person): View => ({
  text: t('edit-person', { role: person.role?.title ?? '' }),
  keyboard: [
    ...fieldsOf(person).map((field) => [editButton(t, field, person.role?.id)]),
    [button(t.plain('button-edit-back'), buttons.profile.data('keep'))],
  ],
})

/** Says field by field what the test would refuse, before anything is sent. */
export function problemsView(t: Translate, problems: readonly ProfileProblem[], people: readonly Person[]) {
  const texts = problems.map(({ person: index, field, code }) => {
    const person = people[index]
    const reason = t(`problem-${code}`, { ages: (person && agesText(t, person.limits)) ?? '' })
    const name = t.plain(`field-${field}`)
    return t('problem-line', {
      field: person?.role ? `${name} (${person.role.title})` : name,
      reason: raw(reason),
    })
  })
  return { text: lines(t('problem-title'), texts) }
}
