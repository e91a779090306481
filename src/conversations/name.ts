import { parseName } from '../domain/persian/name.ts'
import { nameErrorText } from '../views/input-errors.ts'
import { nameView } from '../views/profile.ts'
import type { Talk } from './talk.ts'

/** The name, in Persian letters; kept as the service takes it. */
export async function name(talk: Talk): Promise<void> {
  const { text } = await talk.ask(({ t, person }) => nameView(t, person))
  if (text === undefined) return talk.refuse()
  const read = parseName(text, { hamza: talk.config.nameHamza })
  if (!read.ok) return talk.again(({ t }) => nameErrorText(t, read))
  await talk.keep(({ person }) => {
    person.name = read.name
  })
}
