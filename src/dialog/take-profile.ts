import { ageOn } from '../domain/persian/age.ts'
import { parseBirth } from '../domain/persian/birth.ts'
import { parseGender } from '../domain/persian/gender.ts'
import { parseMobile } from '../domain/persian/mobile.ts'
import { parseName } from '../domain/persian/name.ts'
import { ageProblem, type Draft, type Gender, type Person } from '../domain/profile.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { birthErrorText, mobileErrorText, nameErrorText } from '../views/input-errors.ts'
import { ageRefusedView } from '../views/profile.ts'
import { askPersonal } from './ask-personal.ts'
import { askAgain, askStep, currentStep } from './ask-profile.ts'
import { saveFile } from './files.ts'
import type { Turn } from './turn.ts'

/** Takes a typed message as the answer to what is asked now. */
export async function takeText(turn: Turn, file: RecordFile, text: string, messageId: number): Promise<void> {
  const step = currentStep(turn, file)
  const person = step && file.draft?.people[step.person]
  if (!step || !person) return
  file.typed = [...(file.typed ?? []), messageId]
  switch (step.ask) {
    case 'name':
      return takeName(turn, file, person, text)
    case 'birth':
    case 'birth-confirm':
    case 'birth-choose':
      return takeBirthText(turn, file, person, text)
    case 'gender':
      return takeGenderText(turn, file, person, text)
    case 'mobile':
    case 'mobile-confirm':
      return takeMobile(turn, file, text)
    case 'guardian':
    case 'summary':
      saveFile(turn, file)
      return askAgain(turn, file, turn.t('use-buttons'))
  }
}

async function takeName(turn: Turn, file: RecordFile, person: Person, text: string): Promise<void> {
  const name = parseName(text, { hamza: turn.deps.config.nameHamza })
  if (!name.ok) {
    saveFile(turn, file)
    return askAgain(turn, file, nameErrorText(turn.t, name))
  }
  person.name = name.name
  await goOn(turn, file)
}

async function takeBirthText(turn: Turn, file: RecordFile, person: Person, text: string): Promise<void> {
  const birth = parseBirth(text, { today: turn.today })
  if (birth.ok) {
    delete person.birthGuess
    if (birth.assumed.length === 0) return takeBirth(turn, file, person, birth.iso)
    if (await refuseAge(turn, file, person, birth.iso)) return
    person.birthGuess = { iso: birth.iso, assumed: birth.assumed }
  } else if (birth.candidates) person.birthGuess = { candidates: birth.candidates }
  else {
    saveFile(turn, file)
    return askAgain(turn, file, birthErrorText(turn.t, birth.error))
  }
  saveFile(turn, file)
  await askStep(turn, file)
}

/** Takes a birth date that needs no more asking, unless the test does not admit the age. */
export async function takeBirth(turn: Turn, file: RecordFile, person: Person, iso: string): Promise<void> {
  if (await refuseAge(turn, file, person, iso)) return
  person.birth = iso
  delete person.birthGuess
  await goOn(turn, file)
}

async function refuseAge(turn: Turn, file: RecordFile, person: Person, iso: string): Promise<boolean> {
  const { t, today, deps } = turn
  if (!ageProblem(person.limits, ageOn(iso, today))) return false
  delete person.birthGuess
  saveFile(turn, file)
  await askPersonal(turn, file, ageRefusedView(t, person, iso, today, deps.config.organizerContact))
  return true
}

async function takeGenderText(turn: Turn, file: RecordFile, person: Person, text: string): Promise<void> {
  const gender = parseGender(text)
  if (gender) return takeGender(turn, file, person, gender)
  saveFile(turn, file)
  await askAgain(turn, file, turn.t('use-buttons'))
}

export async function takeGender(
  turn: Turn,
  file: RecordFile,
  person: Person,
  gender: Gender,
): Promise<void> {
  person.gender = gender
  await goOn(turn, file)
}

/** Takes a typed or shared number; one of an unknown range is asked about once more. */
export async function takeMobile(turn: Turn, file: RecordFile, text: string): Promise<void> {
  const { draft } = file
  if (!draft) return
  const mobile = parseMobile(text)
  if (!mobile.ok) {
    delete draft.mobileGuess
    saveFile(turn, file)
    return askAgain(turn, file, mobileErrorText(turn.t, mobile.error))
  }
  if (mobile.unusual) {
    draft.mobileGuess = mobile.mobile
    saveFile(turn, file)
    return askStep(turn, file)
  }
  await confirmMobile(turn, file, draft, mobile.mobile)
}

export async function confirmMobile(
  turn: Turn,
  file: RecordFile,
  draft: Draft,
  mobile: string,
): Promise<void> {
  draft.mobile = mobile
  delete draft.mobileGuess
  await goOn(turn, file)
}

/** Keeps what was just given and asks for what is missing next. */
export async function goOn(turn: Turn, file: RecordFile): Promise<void> {
  if (file.draft) delete file.draft.correcting
  saveFile(turn, file)
  await askStep(turn, file)
}
