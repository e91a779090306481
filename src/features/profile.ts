import { Composer } from 'grammy'
import { answerGuardian } from '../dialog/accept-role.ts'
import { askStep, currentStep } from '../dialog/ask-profile.ts'
import { focusedFile, saveFile } from '../dialog/files.ts'
import { notifyOrganizers } from '../dialog/notify-organizers.ts'
import { pickBirth } from '../dialog/pick-birth.ts'
import { showPlace } from '../dialog/place.ts'
import { tell } from '../dialog/say.ts'
import { sendProfile } from '../dialog/send-profile.ts'
import { confirmMobile, goOn, takeBirth, takeGender, takeMobile } from '../dialog/take-profile.ts'
import type { Turn } from '../dialog/turn.ts'
import { changeMobile, sendCodeAgain } from '../dialog/verify-code.ts'
import type { Field } from '../domain/profile.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { birthLine, editPersonView, genderText } from '../views/profile.ts'
import { type BotContext, tappedMessage } from './context.ts'

const DIALOG_BUTTON = /^(?:birth|gender|guardian|mobile|profile|sms):/

/** Buttons of the dialog. They carry no `S`, so they count only on the message that asked last. */
export function profile(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.callbackQuery(DIALOG_BUTTON, async (ctx) => {
    const { turn } = ctx
    const file = await focusedFile(turn)
    const isCurrent = turn.account.asked !== undefined && tappedMessage(ctx) === turn.account.asked
    if (!file || !isCurrent || !(await press(turn, file, ctx.callbackQuery.data))) {
      await ctx.toast(turn.t.plain('button-old'))
      if (file && !isCurrent) await showPlace(turn, file)
    }
  })
  composer.on('message:contact', async (ctx, next) => {
    const { turn } = ctx
    const file = await focusedFile(turn)
    const step = file?.stage === 'profile' ? currentStep(turn, file) : undefined
    if (file?.owner !== turn.who || (step?.ask !== 'mobile' && step?.ask !== 'mobile-confirm')) return next()
    file.typed = [...(file.typed ?? []), ctx.msg.message_id]
    const { contact } = ctx.msg
    if (contact.user_id !== ctx.from.id) {
      saveFile(turn, file)
      await tell(turn, 'contact-of-another')
      return askStep(turn, file)
    }
    // Some apps leave the plus of the international form out; with it a foreign number is known as one.
    await takeMobile(
      turn,
      file,
      contact.phone_number.startsWith('+') ? contact.phone_number : `+${contact.phone_number}`,
    )
  })
  return composer
}

/** Does what a button of the dialog says, if it fits what is asked now. */
async function press(turn: Turn, file: RecordFile, data: string): Promise<boolean> {
  const { draft } = file
  const [verb, argument = '', ...rest] = data.split(':')
  if (verb === 'sms' && file.owner === turn.who && (file.stage === 'code' || file.stage === 'profile')) {
    if (argument === 'again') await sendCodeAgain(turn, file)
    else if (argument === 'mobile') await changeMobile(turn, file)
    else return false
    return true
  }
  if (verb === 'guardian' && file.roadmap && (await answerGuardian(turn, file, argument === 'yes')))
    return true
  if (file.owner !== turn.who) return false
  const step = currentStep(turn, file)
  const person = step && draft?.people[step.person]
  if (file.stage !== 'profile' || !draft || !step || !person) return false
  switch (verb) {
    case 'birth':
      return pressBirth(turn, file, step, person, data)
    case 'gender':
      if (step.ask !== 'gender' || (argument !== 'male' && argument !== 'female')) return false
      await turn.close(genderText(turn.t, argument))
      await takeGender(turn, file, person, argument)
      return true
    case 'guardian':
      if (step.ask !== 'guardian') return false
      if (argument === 'yes') {
        person.guardian = true
        await turn.close(turn.t('guardian-agreed'))
        await goOn(turn, file)
      } else if (argument === 'no') {
        saveFile(turn, file)
        await tell(turn, 'guardian-stop')
        await notifyOrganizers(turn, 'notice-guardian', { title: file.test.title })
      } else return false
      return true
    case 'mobile':
      if (step.ask !== 'mobile-confirm' || argument !== 'ok' || draft.mobileGuess === undefined) return false
      await turn.close(turn.t('summary-mobile', { mobile: draft.mobileGuess }))
      await confirmMobile(turn, file, draft, draft.mobileGuess)
      return true
    case 'profile':
      if (argument === 'keep' && (draft.correcting || step.ask === 'summary')) {
        await goOn(turn, file)
        return true
      }
      if (step.ask !== 'summary') return false
      if (argument === 'ok') await sendProfile(turn, file)
      else if (argument === 'edit') return edit(turn, file, rest)
      else return false
      return true
  }
  return false
}

type StepNow = NonNullable<ReturnType<typeof currentStep>>
type PersonNow = NonNullable<RecordFile['draft']>['people'][number]

async function pressBirth(
  turn: Turn,
  file: RecordFile,
  step: StepNow,
  person: PersonNow,
  data: string,
): Promise<boolean> {
  const guess = person.birthGuess
  if (!step.ask.startsWith('birth')) return false
  if (data === 'birth:ok' && guess && 'iso' in guess) {
    await turn.close(birthLine(turn.t, guess.iso, turn.today))
    await takeBirth(turn, file, person, guess.iso)
    return true
  }
  const picked = /^birth:pick:(\d)$/.exec(data)
  if (picked) {
    const iso = guess && 'candidates' in guess ? guess.candidates[Number(picked[1])] : undefined
    if (iso === undefined) return false
    await turn.close(birthLine(turn.t, iso, turn.today))
    await takeBirth(turn, file, person, iso)
    return true
  }
  if (data === 'birth:other') {
    delete person.birthGuess
    saveFile(turn, file)
    await askStep(turn, file)
    return true
  }
  return pickBirth(turn, file, person, data)
}

const fields: readonly string[] = ['name', 'birth', 'gender', 'mobile'] satisfies Field[]

async function edit(turn: Turn, file: RecordFile, [field = '', role]: string[]): Promise<boolean> {
  const { draft } = file
  const chosen = draft?.people.find((each) => String(each.role?.id) === field)
  if (chosen) {
    await turn.ask(editPersonView(turn.t, chosen))
    return true
  }
  const index =
    role === undefined ? 0 : (draft?.people.findIndex((person) => String(person.role?.id) === role) ?? -1)
  const person = draft?.people[index]
  if (!draft || !person || !fields.includes(field)) return false
  if (field === 'gender' && person.limits.gender !== 'both') return false
  draft.correcting = { field: field as Field, person: index }
  saveFile(turn, file)
  await askStep(turn, file)
  return true
}
