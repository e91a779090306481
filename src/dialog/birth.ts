import { birthRange } from '../domain/persian/age.ts'
import { parseBirth } from '../domain/persian/birth.ts'
import type { BirthAssumption } from '../domain/persian/birth-reading.ts'
import { parseTypedOption } from '../domain/persian/option-number.ts'
import { PICKER_NOTHING, parsePicker } from '../domain/persian/picker.ts'
import { isAgeAdmitted } from '../domain/profile.ts'
import { withAsk } from '../views/ask.ts'
import {
  ageRefusedView,
  birthChoiceView,
  birthErrorText,
  birthGuessView,
  birthLine,
  birthPickerView,
  birthView,
} from '../views/birth.ts'
import { buttons } from '../views/buttons.ts'
import type { Scene, Talk } from './talk.ts'
import { closeDetail } from './typed-messages.ts'

/** A guessed date that waits for a yes, or several readings to choose from. All dates are ISO dates. */
type Doubt = { iso: string; assumed: BirthAssumption[] } | { candidates: string[] }

/** The birth date, typed in any usual way or picked in the calendar. A guess is shown before it is taken. */
export async function birth(talk: Talk<Doubt>): Promise<void> {
  const { text, data = '' } = await talk.ask((scene) => question(scene, talk.doubt))
  if (text !== undefined) return typed(talk, text)
  const { doubt } = talk
  const [pressed] = buttons.birth.read(data) ?? []
  if (doubt && 'iso' in doubt && pressed === 'ok') return tapped(talk, doubt.iso)
  const [index = -1] = buttons.birthPick.read(data) ?? []
  const chosen = doubt && 'candidates' in doubt ? doubt.candidates[index] : undefined
  if (chosen !== undefined) return tapped(talk, chosen)
  if (pressed === 'other') return talk.reenter()
  return picked(talk, data)
}

function question({ t, person, today }: Scene, doubt: Doubt | undefined) {
  if (!doubt) return birthView(t, person)
  return 'iso' in doubt ? birthGuessView(t, doubt, today) : birthChoiceView(t, doubt.candidates, today)
}

async function typed(talk: Talk<Doubt>, text: string): Promise<void> {
  const today = await talk.know((scene) => scene.today)
  const doubt = talk.doubt && 'candidates' in talk.doubt ? talk.doubt : undefined
  const chosen = doubt?.candidates[parseTypedOption(text, doubt.candidates) ?? -1]
  if (chosen !== undefined) return take(talk, chosen)
  const reading = parseBirth(text, { today })
  if (!reading.ok) {
    if (reading.candidates) return talk.reenter({ doubt: { candidates: reading.candidates } })
    // A guessed date is dropped: its button would take a date that the participant no longer means.
    const stays = reading.error === 'unreadable' && doubt && { doubt }
    return talk.reenter({ ...stays, word: ({ t }) => birthErrorText(t, reading.error) })
  }
  const { iso, assumed } = reading
  if (assumed.length === 0 || !(await isAdmitted(talk, iso))) return take(talk, iso)
  return talk.reenter({ doubt: { iso, assumed } })
}

/** Moves through the calendar in the message of the question, or takes the picked day. */
async function picked(talk: Talk<Doubt>, data: string): Promise<void> {
  const step = parsePicker(data)
  if (!step) return data === PICKER_NOTHING ? talk.stay() : talk.refuse()
  const range = await talk.know(({ person: { limits }, today }) =>
    birthRange(limits.minAge, limits.maxAge, today),
  )
  if (step.kind === 'date') {
    return step.iso < range.first || step.iso > range.last ? talk.refuse() : tapped(talk, step.iso)
  }
  return talk.stay(async ({ ctx, t, file, person }) => {
    const view = withAsk(t, file.s, birthPickerView(t, step, range, person))
    const shown = await ctx.show(ctx.account.asked, view)
    if (shown !== undefined) ctx.account.asked = shown
  })
}

/** Takes a date that was chosen with a button, and shows it in place of the question. */
async function tapped(talk: Talk<Doubt>, iso: string): Promise<void> {
  await talk.end(({ ctx, file, t, today }) => closeDetail(ctx, file, birthLine(t, iso, today)))
  return take(talk, iso)
}

/** Takes a date that needs no confirmation, unless the test does not admit the age. */
async function take(talk: Talk<Doubt>, iso: string): Promise<void> {
  if (await isAdmitted(talk, iso)) return talk.keep({ birth: iso })
  return talk.reenter({ view: ({ t, person, today }) => ageRefusedView(t, person, iso, today) })
}

const isAdmitted = (talk: Talk<Doubt>, iso: string): Promise<boolean> =>
  talk.know(({ person, today }) => isAgeAdmitted(person.limits, iso, today))
