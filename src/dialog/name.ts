import { isSingleName } from '../domain/persian/first-name.ts'
import { parseName } from '../domain/persian/name.ts'
import { introducedName, parseSaying } from '../domain/persian/saying.ts'
import { profileProblems } from '../domain/profile.ts'
import { buttons } from '../views/buttons.ts'
import { nameDoubtView, nameErrorText, nameText, nameView } from '../views/profile.ts'
import type { Scene, Talk } from './talk.ts'

/** A name of one word, perhaps with a title, that waits for a yes. */
type Doubt = { name: string }

/** The name, in Persian letters, in the service's form. After a single word the family name is asked for. */
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
  // One word after that question is the family name; the same word again is the whole name.
  const isFamilyName = doubt && !isSame && !`${doubt.name}${typed.name}`.includes(' ')
  if (isSingleName(typed.name) && !isSame && !isFamilyName)
    return talk.reenter({ doubt: { name: typed.name } })
  const read = isFamilyName ? parseName(`${doubt.name} ${typed.name}`, { hamza }) : typed
  if (!read.ok) return talk.again(({ t }) => nameErrorText(t, read))
  await talk.keep({ name: read.name, mobile: await mobile() })
}

/** The record id for the button «on another phone»: for each of several people with a test but the last. */
function givenAway({ file, draft, person, isCorrection }: Scene): string | undefined {
  const hasTest = file.roadmap?.records.some(({ role }) => role === person.role?.id)
  return hasTest && draft.people.length > 1 && !isCorrection ? file.s : undefined
}

/** The details that this account typed last time, if this test admits them; offered with the name. */
function lastTime({ ctx, draft, person, today, isCorrection }: Scene) {
  const { details } = ctx.account
  if (!details || isCorrection || draft.people.length > 1) return undefined
  const { mobile, ...own } = details
  const problems = profileProblems({ people: [{ ...person, ...own }], mobile }, today)
  return problems.length === 0 ? details : undefined
}
