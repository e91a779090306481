import type { Draft, Field, Limits, Person, ProfileProblem } from '../domain/profile.ts'
import { raw, type Translate } from '../texts/texts.ts'
import { birthLine } from './birth.ts'
import { buttons } from './buttons.ts'
import { agesText } from './introduction.ts'
import { genderText } from './profile.ts'
import { button, inReadingOrder, type View } from './view.ts'
import { whose } from './whose.ts'

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
    keyboard: [
      [button(t.plain('button-profile-ok'), buttons.profile.data('ok'), 'success')],
      ...editRows(t, draft.people),
    ],
  }
}

function editRows(t: Translate, people: readonly Person[]) {
  const [only, ...others] = people
  if (only && others.length === 0) {
    const edit = (field: Field) => button(t.plain(`button-edit-${field}`), buttons.profileEdit.data(field))
    const second = only.limits.gender === 'both' ? [edit('gender'), edit('mobile')] : [edit('mobile')]
    return [inReadingOrder([edit('name'), edit('birth')], t.language), inReadingOrder(second, t.language)]
  }
  const rows = people.map((person) => [
    button(
      t.plain('button-edit-person', { role: person.role?.title ?? '' }),
      buttons.profileEditPerson.data(person.role?.id ?? 0),
    ),
  ])
  return [...rows, [button(t.plain('button-edit-mobile'), buttons.profileEdit.data('mobile'))]]
}

/** The second step of a correction where there are several people: which field of this one. */
export function editPersonView(t: Translate, person: Person): View {
  const fields: Field[] = person.limits.gender === 'both' ? ['name', 'birth', 'gender'] : ['name', 'birth']
  return {
    text: t('edit-person', { role: person.role?.title ?? '' }),
    keyboard: [
      ...fields.map((field) => [
        button(t.plain(`button-edit-${field}`), buttons.profileEdit.data(field, person.role?.id)),
      ]),
      [button(t.plain('button-edit-back'), buttons.profile.data('keep'))],
    ],
  }
}

/** Says field by field what the test would refuse, before anything is sent. */
export function problemsView(
  t: Translate,
  problems: readonly ProfileProblem[],
  people: readonly Person[],
): View {
  const lines = problems.map(({ person, field, code }) => {
    const role = people[person]?.role?.title
    const reason = t(`problem-${code}`, { ages: limitsText(t, people[person]?.limits) })
    const name = t.plain(`field-${field}`)
    return t('problem-line', { field: role ? `${name} (${role})` : name, reason: raw(reason) })
  })
  return { text: [t('problem-title'), ...lines].join('\n') }
}

const limitsText = (t: Translate, limits: Limits | undefined): string =>
  limits ? (agesText(t, limits) ?? '') : ''
