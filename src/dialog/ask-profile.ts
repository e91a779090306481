import { nextStep, type Step } from '../domain/profile.ts'
import type { RecordFile } from '../domain/record-file.ts'
import {
  birthChoiceView,
  birthGuessView,
  birthView,
  genderView,
  guardianView,
  keepView,
  mobileGuessView,
  mobileView,
  nameView,
  summaryView,
} from '../views/profile.ts'
import type { View } from '../views/view.ts'
import { askPersonal } from './ask-personal.ts'
import type { Turn } from './turn.ts'

/** Asks for the first thing that is missing. */
export async function askStep(turn: Turn, file: RecordFile): Promise<void> {
  const view = stepView(turn, file)
  if (view) await askPersonal(turn, file, view)
}

/** Asks again, with a word about what came instead. */
export async function askAgain(turn: Turn, file: RecordFile, word: string): Promise<void> {
  const view = stepView(turn, file)
  if (view) await askPersonal(turn, file, { ...view, text: `${word}\n\n${view.text}` })
}

export function currentStep(turn: Turn, file: RecordFile): Step | undefined {
  return file.draft && nextStep(file.draft, turn.today)
}

function stepView(turn: Turn, file: RecordFile): View | undefined {
  const view = questionView(turn, file)
  const { correcting, people = [] } = file.draft ?? {}
  const person = correcting && people[correcting.person]
  if (!view || !person || currentStep(turn, file)?.ask !== correcting.field) return view
  return keepView(turn.t, view, person, correcting.field, turn.today)
}

function questionView(turn: Turn, file: RecordFile): View | undefined {
  const { t, today } = turn
  const { draft, testsAuthRequired: sms } = file
  const step = currentStep(turn, file)
  const person = step && draft?.people[step.person]
  if (!draft || !person) return undefined
  const guess = person.birthGuess
  switch (step.ask) {
    case 'name':
      return nameView(t, person)
    case 'birth':
      return birthView(t, person)
    case 'birth-confirm':
      return guess && 'iso' in guess ? birthGuessView(t, guess, today) : birthView(t, person)
    case 'birth-choose':
      return guess && 'candidates' in guess
        ? birthChoiceView(t, guess.candidates, today)
        : birthView(t, person)
    case 'guardian':
      return guardianView(t, person)
    case 'gender':
      return genderView(t, person)
    case 'mobile':
      return mobileView(t, {
        organizer: turn.deps.config.organizerName,
        sms,
        isShared: draft.people.length > 1,
        known: draft.mobile,
      })
    case 'mobile-confirm':
      return mobileGuessView(t, draft.mobileGuess ?? '')
    case 'summary':
      return summaryView(t, draft, today, sms)
  }
}
