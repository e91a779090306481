import { parseName } from '../domain/persian/name.ts'
import { buttons } from '../views/buttons.ts'
import { nameErrorText } from '../views/input-errors.ts'
import { nameDoubtView, nameText, nameView } from '../views/profile.ts'
import type { Talk } from './talk.ts'

/** A name of one word that waits for a yes. */
type Doubt = { name: string }

/** The name, in Persian letters; kept as the service takes it. One of a single word is asked for its family name once. */
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
  const { nameHamza: hamza } = talk.config
  const typed = parseName(text, { hamza })
  if (!typed.ok) return talk.again(({ t }) => nameErrorText(t, typed))
  const isSingle = !typed.name.includes(' ')
  if (isSingle && !doubt) return talk.anew({ doubt: { name: typed.name } })
  // One word after the question for the family name is the family name; the same again is all of it.
  const isFamilyName = isSingle && doubt && doubt.name !== typed.name
  const read = isFamilyName ? parseName(`${doubt.name} ${typed.name}`, { hamza }) : typed
  if (!read.ok) return talk.again(({ t }) => nameErrorText(t, read))
  await talk.keep(({ person }) => {
    person.name = read.name
  })
}
