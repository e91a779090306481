import { Composer } from 'grammy'
import { askService } from '../dialog/ask-service.ts'
import type { TurnContext } from '../dialog/context.ts'
import { noteAct } from '../dialog/note-act.ts'
import type { Turn } from '../dialog/turn.ts'
import type { OrganizerAct } from '../domain/organizer-act.ts'
import { wantedIds } from '../jobs/batch-rows.ts'
import { invite, whyNotInvitable } from '../jobs/invite.ts'
import type { Found } from '../jobs/organizer-calls.ts'
import { onButton } from '../participant/on-button.ts'
import { buttons } from '../views/buttons.ts'
import { inviteRole } from './invite-role.ts'
import { type SeenTarget, seenRecord, seenRoadmap } from './seen.ts'
import { refuse, showInvitation } from './show-invitation.ts'

/** `/invite` with its lines, and the button that makes an invitation. */
export function inviting(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  onButton(composer, buttons.invite, ({ turn }, _, { kind, token }, role?: number) =>
    askService(
      turn,
      { act: 'invite', token, kind, ...(role !== undefined && { role }) },
      { kind: 'find', token, first: kind },
    ),
  )
  composer.command('invite', ({ turn, match, msg }) => {
    const text = match.trim()
    const given = { text, messageId: msg.message_id }
    turn.due = { show: 'aside', aside: { ask: 'lines', ...(text !== '' && { given }) } }
  })
  composer.on('message:document', async ({ turn, msg }, next) => {
    if (!/^\/invite(?:@\w+)?(?:\s|$)/.test(msg.caption ?? '')) return next()
    const given = { document: msg.document, messageId: msg.message_id }
    turn.due = { show: 'aside', aside: { ask: 'lines', given } }
  })
  return composer
}

/** Takes what the service has under the token of a wished invitation, and makes it. */
export async function takeInvitable(
  turn: Turn,
  { kind, externalId, externalIds, role }: Extract<OrganizerAct, { act: 'invite' }>,
  found: Found,
): Promise<void> {
  if (found.found === 'nothing') return void (await turn.send({ text: turn.t('organizer-unknown') }))
  const seen = found.found === 'record' ? seenRecord(found.record) : seenRoadmap(found.roadmap)
  if (kind !== undefined && kind !== seen.kind)
    return void (await turn.send({ text: turn.t(`invite-is-${seen.kind}`) }))
  const roleIds = seen.kind === 'roadmap' ? wantedIds({ externalId, externalIds }, seen.roles) : []
  if (!roleIds) {
    const roles = seen.kind === 'roadmap' ? seen.roles.map(({ title }) => title).join('، ') : ''
    return void (await turn.send({ text: turn.t('invite-id-roadmap', { roles }) }))
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
