import { Composer } from 'grammy'
import { askService } from '../dialog/ask-service.ts'
import type { IncomingContext } from '../dialog/incoming.ts'
import { noteAct } from '../dialog/note-act.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
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
export function inviting(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  onButton(composer, buttons.invite, ({ ctx }, _, { kind, token }, role?: number) =>
    askService(
      ctx,
      { act: 'invite', token, kind, ...(role !== undefined && { role }) },
      { kind: 'find', token, first: kind },
    ),
  )
  composer.command('invite', ({ ctx, match, msg }) => {
    const text = match.trim()
    const given = { text, messageId: msg.message_id }
    ctx.due = { show: 'aside', aside: { ask: 'lines', ...(text !== '' && { given }) } }
  })
  composer.on('message:document', async ({ ctx, msg }, next) => {
    if (!/^\/invite(?:@\w+)?(?:\s|$)/.test(msg.caption ?? '')) return next()
    const given = { document: msg.document, messageId: msg.message_id }
    ctx.due = { show: 'aside', aside: { ask: 'lines', given } }
  })
  return composer
}

/** Takes what the service has under the token of a wished invitation, and makes it. */
export async function takeInvitable(
  ctx: UpdateContext,
  { kind, externalId, externalIds, role }: Extract<OrganizerAct, { act: 'invite' }>,
  found: Found,
): Promise<void> {
  if (found.found === 'nothing') return void (await ctx.send({ text: ctx.t('organizer-unknown') }))
  const seen = found.found === 'record' ? seenRecord(found.record) : seenRoadmap(found.roadmap)
  if (kind !== undefined && kind !== seen.kind)
    return void (await ctx.send({ text: ctx.t(`invite-is-${seen.kind}`) }))
  const roleIds = seen.kind === 'roadmap' ? wantedIds({ externalId, externalIds }, seen.roles) : []
  if (!roleIds) {
    const roles = seen.kind === 'roadmap' ? seen.roles.map(({ title }) => title).join('، ') : ''
    return void (await ctx.send({ text: ctx.t('invite-id-roadmap', { roles }) }))
  }
  if (role !== undefined && found.found === 'roadmap') return inviteRole(ctx, found.roadmap, role)
  const refusal = await whyNotInvitable(ctx.work, ctx.deps.vault, seen)
  if (refusal) return refuse(ctx, refusal, seen)
  const made = await invite(
    { work: ctx.work, vault: ctx.deps.vault, now: ctx.now },
    {
      ...target(seen),
      by: ctx.account.chatId,
      ...(seen.kind === 'record' && externalId !== undefined && { externalId }),
      ...(roleIds.length > 0 && { roleIds }),
    },
  )
  await noteAct(ctx, 'invite', seen.token)
  await showInvitation(ctx, made)
}

const target = ({ kind, token, title }: SeenTarget) => ({ kind, token, title })
