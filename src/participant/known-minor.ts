import type { Composer } from 'grammy'
import { focusedFile, parentOf } from '../dialog/files.ts'
import { type IncomingContext, isOnAsked } from '../dialog/incoming.ts'
import { stopForGuardian } from '../dialog/notify.ts'
import { leadTo, type UpdateContext } from '../dialog/update-context.ts'
import { guardianAgreed } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { awaitsGuardian, type RoadmapPart, type RoadmapRole, type RoleAssignment } from '../domain/roadmap.ts'
import { buttons } from '../views/buttons.ts'
import { participantGuardianView } from '../views/profile.ts'
import { askGuardian, childOf } from './accept-role.ts'
import { isAwaitingHandOver } from './hand-over.ts'
import { onButton } from './on-button.ts'

/** The guardian's answer where the profile of a minor exists already, so that no dialog has asked. */
export function guardian(composer: Composer<IncomingContext>): void {
  onButton(composer, buttons.guardian, async (incoming, next, answer) => {
    const { ctx } = incoming
    const file = await focusedFile(ctx)
    const agree = file && isOnAsked(incoming) ? await consentOf(ctx, file) : undefined
    if (!file || !agree) return next()
    if (answer === 'no') return stopForGuardian(ctx, file)
    agree()
    await ctx.close(ctx.t('guardian-agreed'))
    leadTo(ctx, file)
  })
}

/** Notes that the guardian agrees; `undefined` where nobody waits for that. */
async function consentOf(ctx: UpdateContext, file: RecordFile) {
  const child = childOf(ctx, file)
  const assignee = child && guardianAgreed(child.assignee)
  if (assignee) return () => Object.assign(child, { assignee } satisfies Partial<RoleAssignment>)
  if (isIn(file, 'loading') && file.guardian === 'needed')
    return () => Object.assign(file, { guardian: 'agreed' } satisfies Partial<RecordFile>)
  if (!isIn(file, 'new', 'waiting', 'loading') || (await isAwaitingHandOver(ctx, file))) return undefined
  const { roadmap } = (await parentOf(ctx, file)) ?? {}
  const role = roadmap && file.parent && awaitsGuardian(roadmap, file.parent.role)
  return role && (() => Object.assign(role, { guardian: true } satisfies Partial<RoadmapRole>))
}

/** Asks for the guardian of a minor before the questions. `false` when nobody has to be asked. */
export async function askOwnGuardian(ctx: UpdateContext, { guardian }: RecordFile): Promise<boolean> {
  if (guardian !== 'needed') return false
  await ctx.ask(participantGuardianView(ctx.t))
  return true
}

/** The same before the first test of a role on this phone. */
export async function askRoleGuardian(ctx: UpdateContext, { s, parent }: RecordFile, roadmap: RoadmapPart) {
  const role = parent && awaitsGuardian(roadmap, parent.role)
  if (!role) return false
  ctx.account.focus = s
  await askGuardian(ctx, role)
  return true
}
