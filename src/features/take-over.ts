import { Composer } from 'grammy'
import { callService, isPending } from '../chat/call.ts'
import type { BotContext } from '../chat/context.ts'
import { assigneeOf, assigneeOfPart, assignPart } from '../chat/files.ts'
import { tell } from '../chat/say.ts'
import type { Turn } from '../chat/turn.ts'
import type { Account } from '../domain/account.ts'
import { isIn, isOthers, missed, triesOf } from '../domain/assignee.ts'
import { parseMobile } from '../domain/persian/mobile.ts'
import type { OutcomeOf } from '../jobs/call-table.ts'
import { recordFiles } from '../kept/documents.ts'
import { invitations, isMade, whyClosed } from '../kept/invitations.ts'
import { codeKey } from '../kept/keys.ts'
import { mobileErrorText } from '../views/input-errors.ts'
import { takeOverIsOver } from './ask-mobile.ts'
import { take } from './take.ts'

type Taking = NonNullable<Account['takesOver']>

/** The mobile that was asked for, typed or shared. */
export function typedMobile(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.on(['message:text', 'message:contact'], async ({ turn, msg }, next) => {
    const { takesOver } = turn.account
    if (!takesOver) return next()
    await turn.deleteMessages([msg.message_id])
    await compare(turn, takesOver, msg.text ?? msg.contact?.phone_number ?? '')
  })
  return composer
}

/** Has the number compared with the one in the profile, which only the service knows. */
async function compare(turn: Turn, taking: Taking, text: string): Promise<void> {
  if (isPending(turn, taking.s)) return tell(turn, 'one-moment')
  const read = parseMobile(text)
  if (!read.ok) return void (await turn.say({ text: mobileErrorText(turn.t, read.error) }))
  const released = await assigneeOfPart(turn, taking)
  if (!(await isStillInvited(turn, taking))) return notInvited(turn)
  if (triesOf(released) === 0) return takeOverIsOver(turn)
  taking.mobile = read.mobile
  await callService(turn, taking.s, { kind: 'open', token: await profiledRecord(turn, taking) })
}

/** Whether the invitation that led here still does: one that was made before another release leads nowhere. */
async function isStillInvited({ work, deps, now }: Turn, { code }: Taking): Promise<boolean> {
  const kept = code === undefined ? undefined : await work.get(invitations, codeKey(deps.vault, code))
  return isMade(kept) && whyClosed(kept, now) === undefined
}

function notInvited(turn: Turn): Promise<void> {
  delete turn.account.takesOver
  return tell(turn, 'invitation-used')
}

/** Whose profile has the mobile: a roadmap itself names no profiles, and one mobile stands in all of them. */
async function profiledRecord(turn: Turn, { s, token, role }: Taking): Promise<string> {
  const released = await assigneeOf(turn, token)
  const mobileOf = 'mobileOf' in released ? released.mobileOf : undefined
  const { roadmap } = (await turn.work.get(recordFiles, s)) ?? {}
  const [first] = roadmap?.records.filter((record) => role === undefined || record.role === role) ?? []
  return mobileOf ?? first?.token ?? token
}

/** Takes what the service says of the profile: the right number brings everything to this account. */
export async function takeOver(turn: Turn, taking: Taking, outcome: OutcomeOf<'open'>): Promise<void> {
  const { t, account } = turn
  const { mobile } = taking
  delete taking.mobile
  const released = await assigneeOfPart(turn, taking)
  if (!isIn(released, 'released') || isOthers(released, turn.who)) return notInvited(turn)
  if (!(await isStillInvited(turn, taking))) return notInvited(turn)
  if (!outcome.ok) return tell(turn, 'takeover-later')
  if (released.tries <= 0) return takeOverIsOver(turn)
  const known = parseMobile(outcome.value.profile?.mobile ?? '')
  if (!known.ok) {
    const contact = turn.deps.config.organizerContact
    return void (await turn.say({ text: t('takeover-unknown', { contact }) }))
  }
  if (known.mobile !== mobile) {
    const tries = triesOf(await assignPart(turn, taking, missed)) ?? 0
    if (tries === 0) return takeOverIsOver(turn)
    return void (await turn.say({ text: t('takeover-wrong', { tries }) }))
  }
  delete account.takesOver
  await take(turn, taking)
}
