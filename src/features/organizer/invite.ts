import { Composer } from 'grammy'
import type { BotContext } from '../../chat/context.ts'
import type { Turn } from '../../chat/turn.ts'
import type { OrganizerAct } from '../../domain/organizer-act.ts'
import { wantedIds } from '../../jobs/batch-rows.ts'
import { invite, whyNotInvitable } from '../../jobs/invite.ts'
import type { Found } from '../../jobs/organizer-calls.ts'
import { buttons } from '../../views/buttons.ts'
import { onButton } from '../on-button.ts'
import { askService } from './ask.ts'
import { noteAct } from './audit.ts'
import { inviteRole } from './invite-role.ts'
import { type SeenTarget, seenRecord, seenRoadmap } from './seen.ts'
import { refuse, showInvitation } from './show-invitation.ts'

/** The button that makes an invitation. */
export function inviting(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  onButton(composer, buttons.invite, ({ turn }, _, { kind, token }, role?: number) =>
    askService(
      turn,
      { act: 'invite', token, kind, ...(role !== undefined && { role }) },
      { kind: 'find', token, first: kind },
    ),
  )
  return composer
}

/** Takes what the service has under the token of a wished invitation, and makes it. */
export async function takeInvitable(
  turn: Turn,
  { kind, externalId, externalIds, role }: Extract<OrganizerAct, { act: 'invite' }>,
  found: Found,
): Promise<void> {
  if (found.found === 'nothing') return void (await turn.say({ text: turn.t('organizer-unknown') }))
  const seen = found.found === 'record' ? seenRecord(found.record) : seenRoadmap(found.roadmap)
  if (kind !== undefined && kind !== seen.kind)
    return void (await turn.say({ text: turn.t(`invite-is-${seen.kind}`) }))
  const roleIds = seen.kind === 'roadmap' ? wantedIds({ externalId, externalIds }, seen.roles) : []
  if (!roleIds) {
    const roles = seen.kind === 'roadmap' ? seen.roles.map(({ title }) => title).join('، ') : ''
    return void (await turn.say({ text: turn.t('invite-id-roadmap', { roles }) }))
  }
  if (role !== undefined && found.found === 'roadmap') return inviteRole(turn, found.roadmap, role)
  const refusal = await whyNotInvitable(turn.work, turn.deps.vault, seen)
  if (refusal) return refuse(turn, refusal, seen)
  const made = await invite(
    { work: turn.work, vault: turn.deps.vault, now: turn.now },
    {
      ...target(seen),
      by: turn.account.chatId,
      ...(seen.kind === 'record' && externalId !== undefined && { externalId }),
      ...(roleIds.length > 0 && { roleIds }),
    },
  )
  await noteAct(turn, 'invite', seen.token)
  await showInvitation(turn, made)
}

const target = ({ kind, token, title }: SeenTarget) => ({ kind, token, title })
