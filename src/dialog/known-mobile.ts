import type { Takes, Taking } from '../domain/account.ts'
import { triesOf } from '../domain/assignee.ts'
import { parseMobile } from '../domain/persian/mobile.ts'
import { invitations, isMade, whyClosed } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/keys.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { mobileErrorText } from '../views/input-errors.ts'
import type { Beside } from './aside.ts'
import { callService } from './call.ts'
import type { Aside } from './due.ts'
import { assigneeOf, assigneeOfPart } from './files.ts'
import { sendText } from './notify.ts'
import type { Turn } from './turn.ts'

/** The mobile in the profile, typed or shared by whoever opens what was released for the same person. */
export async function knownMobile(talk: Beside<Extract<Aside, { ask: 'known-mobile' }>>): Promise<void> {
  const { taking } = talk.about
  const { text, contact, messageId } = await talk.ask(async (turn) =>
    turn.t('takeover-ask', { tries: triesOf(await assigneeOfPart(turn, taking)) ?? 0 }),
  )
  const read = parseMobile(text ?? contact?.phone_number ?? '')
  await talk.outside((turn) => turn.deleteMessages([messageId]))
  if (!read.ok) return talk.again(({ t }) => mobileErrorText(t, read.error))
  await talk.outside((turn) => compare(turn, { taking, mobile: read.mobile, typed: [messageId] }))
}

/** Has the number compared with the one in the profile, which only the service knows. */
async function compare(turn: Turn, takes: Takes): Promise<void> {
  const { taking } = takes
  const { s } = taking
  if (!(await isStillInvited(turn, taking))) return sendText(turn, 'invitation-used')
  if (triesOf(await assigneeOfPart(turn, taking)) === 0) return askForMobile(turn, taking)
  await callService(turn, s, { kind: 'open', token: await profiledRecord(turn, taking) })
  const pending = turn.account.pending[s]
  if (pending) pending.takes = takes
}

/** Asks for it; after too many wrong numbers only an organizer's release helps, and what is typed still leaves the chat. */
export async function askForMobile(turn: Turn, taking: Taking, word?: string): Promise<void> {
  const contact = turn.deps.config.organizerContact
  const isOver = triesOf(await assigneeOfPart(turn, taking)) === 0
  const said = isOver ? turn.t('takeover-over', { contact }) : word
  turn.due = {
    show: 'aside',
    aside: { ask: 'known-mobile', taking },
    ...(said !== undefined && { word: said }),
  }
}

/** Whether the invitation that led here still does: one that was made before another release leads nowhere. */
export async function isStillInvited({ work, deps, now }: Turn, { code }: Taking): Promise<boolean> {
  const kept = code === undefined ? undefined : await work.get(invitations, codeKey(deps.vault, code))
  return isMade(kept) && whyClosed(kept, now) === undefined
}

/** Whose profile has the mobile: a roadmap itself names no profiles, and one mobile stands in all of them. */
async function profiledRecord(turn: Turn, { s, token, role }: Taking): Promise<string> {
  const released = await assigneeOf(turn, token)
  const mobileOf = 'mobileOf' in released ? released.mobileOf : undefined
  const { roadmap } = (await turn.work.get(recordFiles, s)) ?? {}
  const [first] = roadmap?.records.filter((record) => role === undefined || record.role === role) ?? []
  return mobileOf ?? first?.token ?? token
}
