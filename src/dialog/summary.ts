import { accountOf } from '../domain/assignee.ts'
import { parseSaidMobile } from '../domain/persian/mobile.ts'
import { parseWrongField } from '../domain/persian/saying.ts'
import type { Field } from '../domain/profile.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { assignmentOf, missingRoles } from '../domain/roadmap.ts'
import { buttons } from '../views/buttons.ts'
import { editPersonView, type Others, summaryView } from '../views/profile.ts'
import { international } from './mobile.ts'
import { pressSms, sendProfile } from './send-profile.ts'
import type { Talk } from './talk.ts'

/** The summary of all details: they are sent, or a field is corrected. */
export async function summary(talk: Talk): Promise<void> {
  const {
    text,
    data = '',
    contact,
  } = await talk.ask(({ t, draft, today, file }) =>
    summaryView(t, draft, { today, sms: file.testsAuthRequired, others: othersIn(file) }),
  )
  const { isOfRole, isOne } = await talk.know(({ file, draft }) => {
    return { isOfRole: file.parent !== undefined, isOne: draft.people.length === 1 }
  })
  // A mobile here can only be a correction, also if last time's mobile was kept.
  const number = parseSaidMobile(contact?.isOwn ? international(contact.phone_number) : (text ?? ''))
  if (number.ok && !number.unusual && !isOfRole) return talk.keep({ mobile: number.mobile })
  const wrong = parseWrongField(text ?? '')
  if (wrong && (wrong === 'mobile' ? !isOfRole : isOne)) return correct(talk, wrong, undefined)
  if (text !== undefined || contact) return talk.again(({ t }) => t('use-buttons'))
  const [wish] = buttons.profile.read(data) ?? []
  if (wish === 'ok') return talk.end(({ ctx, file, toast }) => sendProfile(ctx, file, toast))
  if (wish === 'keep') return talk.again()
  const [field, role] = buttons.profileEdit.read(data) ?? []
  if (field !== undefined) return correct(talk, field, role)
  const [person] = buttons.profileEditPerson.read(data) ?? []
  if (person !== undefined) return choose(talk, person)
  return pressSms(talk, data)
}

/** The roles whose people give their details on another phone, and whether they have done so. */
const othersIn = ({ s, roadmap }: RecordFile): Others | undefined =>
  roadmap && {
    s,
    roles: missingRoles(roadmap).flatMap((role) => {
      const hand = assignmentOf(roadmap, role.id)
      const isIn = hand !== undefined && accountOf(hand.assignee) !== undefined
      return hand ? [{ role, hasGiven: hand.hasGiven === true, isIn }] : []
    }),
  }

async function correct(talk: Talk, field: Field, role: number | undefined): Promise<void> {
  const index = await talk.know(({ draft }) => {
    const found = role === undefined ? 0 : draft.people.findIndex((person) => person.role?.id === role)
    const isFixed = field === 'gender' && draft.people[found]?.limits.gender !== 'both'
    return isFixed ? -1 : found
  })
  return index < 0 ? talk.refuse() : talk.correct(field, index)
}

/** If there are several people, the field is chosen in a second step. */
async function choose(talk: Talk, role: number): Promise<void> {
  return talk.stay(({ ctx, t, draft, toast }) => {
    const person = draft.people.find((each) => each.role?.id === role)
    return person ? ctx.ask(editPersonView(t, person)) : toast(t.plain('button-old'))
  })
}
