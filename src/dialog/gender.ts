import { parseGender } from '../domain/persian/gender.ts'
import { buttons } from '../views/buttons.ts'
import { genderText, genderView } from '../views/profile.ts'
import type { Talk } from './talk.ts'

/** The gender: two buttons, or the word typed. */
export async function gender(talk: Talk): Promise<void> {
  const { text, data = '' } = await talk.ask(({ t, person, today }) => genderView(t, person, today))
  const [tapped] = buttons.gender.read(data) ?? []
  const chosen = text === undefined ? tapped : parseGender(text)
  if (!chosen) return text === undefined ? talk.refuse() : talk.again(({ t }) => t('use-buttons'))
  await talk.keep(
    { gender: chosen },
    tapped && (({ t, person, today }) => genderText(t, person, today, chosen)),
  )
}
