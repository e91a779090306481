import { isSingleName } from '../domain/persian/first-name.ts'
import { parseName } from '../domain/persian/name.ts'
import { introducedName, parseSaying } from '../domain/persian/saying.ts'
import { profileProblems } from '../domain/profile.ts'
import { buttons } from '../views/buttons.ts'
import { nameDoubtView, nameErrorText, nameText, nameView } from '../views/profile.ts'
import type { Scene, Talk } from './talk.ts'

/** A name of one word, perhaps behind a title, that waits for a yes. */
type Doubt = { name: string }

/** The name, in Persian letters; kept as the service takes it. One of a single word is asked for its family name once. */
export async function name(talk: Talk<Doubt>): Promise<void> {
  const { doubt } = talk
  const { text, data = '' } = await talk.ask((scene) =>
    doubt
      ? nameDoubtView(scene.t, scene.person, doubt.name)
      : nameView(scene.t, scene.person, { lastTime: lastTime(scene)?.name, s: givenAway(scene) }),
  )
  const mobile = () =>
    talk.know(({ ctx, draft }) =>
      draft.people.length === 1 && draft.mobile === undefined ? ctx.account.details?.mobile : undefined,
    )
  if (text === undefined) {
    const same = buttons.profile.read(data)?.[0] === 'same' ? await talk.know(lastTime) : undefined
    if (same) return talk.keep(same, ({ t }) => nameText(t, same.name))
    if (!doubt || !buttons.name.read(data)) return talk.refuse()
    return talk.keep({ ...doubt, mobile: await mobile() }, ({ t }) => nameText(t, doubt.name))
  }
  const { nameHamza: hamza } = talk.config
  // A yes is no name.
  const typed = parseName(parseSaying(text) ? '' : introducedName(text), { hamza })
  if (!typed.ok) return talk.again(({ t }) => nameErrorText(t, typed))
  const isSame = typed.name === doubt?.name
  // One word after the question for the family name is the family name; the same again is all of it.
  const isFamilyName = doubt && !isSame && !`${doubt.name}${typed.name}`.includes(' ')
  if (isSingleName(typed.name) && !isSame && !isFamilyName) return talk.anew({ doubt: { name: typed.name } })
  const read = isFamilyName ? parseName(`${doubt.name} ${typed.name}`, { hamza }) : typed
  if (!read.ok) return talk.again(({ t }) => nameErrorText(t, read))
  await talk.keep({ name: read.name, mobile: await mobile() })
}

/** Of several people each who has a test may give their own details on a phone of their own, but for the last one left. */
function givenAway({ file, draft, person, isCorrection }: Scene): string | undefined {
  const hasTest = file.roadmap?.records.some(({ role }) => role === person.role?.id)
  return hasTest && draft.people.length > 1 && !isCorrection ? file.s : undefined
}

/** What the same account typed last time, where this test admits it: offered below the first question. */
function lastTime({ ctx, draft, person, today, isCorrection }: Scene) {
  const { details } = ctx.account
  if (!details || isCorrection || draft.people.length > 1) return undefined
  const { mobile, ...own } = details
  const problems = profileProblems({ people: [{ ...person, ...own }], mobile }, today)
  return problems.length === 0 ? details : undefined
}
