import { parseName } from '../domain/persian/name.ts'
import { buttons } from '../views/buttons.ts'
import { nameErrorText } from '../views/input-errors.ts'
import { nameDoubtView, nameText, nameView } from '../views/profile.ts'
import type { Talk } from './talk.ts'

/** A name of one word that waits for a yes. */
type Doubt = { name: string }

/** The name, in Persian letters; kept as the service takes it. One of a single word is asked about once. */
export async function name(talk: Talk<Doubt>): Promise<void> {
  const { doubt } = talk
  const { text, data = '' } = await talk.ask(({ t, person }) =>
    doubt ? nameDoubtView(t, person, doubt.name) : nameView(t, person),
  )
  if (text === undefined) {
    if (!doubt || !buttons.name.read(data)) return talk.refuse()
    return talk.keep(
      ({ person }) => {
        person.name = doubt.name
      },
      ({ t }) => nameText(t, doubt.name),
    )
  }
  const read = parseName(text, { hamza: talk.config.nameHamza })
  if (!read.ok) return talk.again(({ t }) => nameErrorText(t, read))
  if (!read.name.includes(' ') && doubt?.name !== read.name) return talk.anew({ doubt: { name: read.name } })
  await talk.keep(({ person }) => {
    person.name = read.name
  })
}
