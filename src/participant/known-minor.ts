import { Composer } from 'grammy'
import { focusedFile, parentOf } from '../dialog/files.ts'
import { type IncomingContext, isOnAsked } from '../dialog/incoming.ts'
import { stopForGuardian } from '../dialog/notify.ts'
import { leadTo, type UpdateContext } from '../dialog/update-context.ts'
import { guardianAgreed } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { roleLabel } from '../domain/record/whose.ts'
import { awaitsGuardian, type RoadmapPart } from '../domain/roadmap.ts'
import { buttons } from '../views/buttons.ts'
import { guardianView, participantGuardianView } from '../views/profile.ts'
import { childOf } from './accept-role.ts'
import { isAwaitingHandOver } from './hand-over.ts'
import { onButton } from './on-button.ts'

/** The guardian's answer where the profile of a minor exists already, so that no dialog has asked. */
export function guardian(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
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
  return composer
}

/** Notes that the guardian agrees; `undefined` where nobody waits for that. */
async function consentOf(ctx: UpdateContext, file: RecordFile): Promise<(() => void) | undefined> {
  const child = childOf(ctx, file)
  if (child)
    return () => {
      child.assignee = guardianAgreed(child.assignee) ?? child.assignee
    }
  if (isIn(file, 'loading') && file.guardian === 'needed')
    return () => {
      file.guardian = 'agreed'
    }
  if (!isIn(file, 'new', 'waiting', 'loading') || (await isAwaitingHandOver(ctx, file))) return undefined
  const { roadmap } = (await parentOf(ctx, file)) ?? {}
  const role = roadmap && file.parent && awaitsGuardian(roadmap, file.parent.role)
  return (
    role &&
    (() => {
      role.guardian = true
    })
  )
}

/** Asks for the guardian of a minor before the questions. `false` when nobody has to be asked. */
export async function askOwnGuardian(ctx: UpdateContext, { guardian }: RecordFile): Promise<boolean> {
  if (guardian !== 'needed') return false
  await ctx.ask(participantGuardianView(ctx.t))
  return true
}

/** The same before the first test of a role on this phone. */
export async function askRoleGuardian(
  ctx: UpdateContext,
  { s, parent }: RecordFile,
  roadmap: RoadmapPart,
): Promise<boolean> {
  const role = parent && awaitsGuardian(roadmap, parent.role)
  if (!role) return false
  ctx.account.focus = s
  await ctx.ask(guardianView(ctx.t, { name: roleLabel(role), limits: role.limits }))
  return true
}
