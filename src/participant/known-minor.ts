import { Composer } from 'grammy'
import { isOnAsked, type TurnContext } from '../dialog/context.ts'
import { focusedFile, parentOf } from '../dialog/files.ts'
import { stopForGuardian } from '../dialog/notify.ts'
import { leadTo, type Turn } from '../dialog/turn.ts'
import { guardianAgreed } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { roleLabel } from '../domain/record/whose.ts'
import { awaitsGuardian, type RoadmapPart } from '../domain/roadmap.ts'
import { buttons } from '../views/buttons.ts'
import { guardianView, participantGuardianView } from '../views/profile.ts'
import { childOf } from './accept-role.ts'
import { isBehindCurtain } from './curtain.ts'
import { onButton } from './on-button.ts'

/** The guardian's answer where the profile of a minor exists already, so that no dialog has asked. */
export function guardian(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  onButton(composer, buttons.guardian, async (ctx, next, answer) => {
    const { turn } = ctx
    const file = await focusedFile(turn)
    const agree = file && isOnAsked(ctx) ? await consentOf(turn, file) : undefined
    if (!file || !agree) return next()
    if (answer === 'no') return stopForGuardian(turn, file)
    agree()
    await turn.close(turn.t('guardian-agreed'))
    leadTo(turn, file)
  })
  return composer
}

/** Notes that the guardian agrees; `undefined` where nobody waits for that. */
async function consentOf(turn: Turn, file: RecordFile): Promise<(() => void) | undefined> {
  const child = childOf(turn, file)
  if (child)
    return () => {
      child.assignee = guardianAgreed(child.assignee) ?? child.assignee
    }
  if (isIn(file, 'loading') && file.guardian === 'needed')
    return () => {
      file.guardian = 'agreed'
    }
  if (!isIn(file, 'new', 'waiting', 'loading') || (await isBehindCurtain(turn, file))) return undefined
  const { roadmap } = (await parentOf(turn, file)) ?? {}
  const role = roadmap && file.parent && awaitsGuardian(roadmap, file.parent.role)
  return (
    role &&
    (() => {
      role.guardian = true
    })
  )
}

/** Asks for the guardian of a minor before the questions. `false` when nobody has to be asked. */
export async function askOwnGuardian(turn: Turn, { guardian }: RecordFile): Promise<boolean> {
  if (guardian !== 'needed') return false
  await turn.ask(participantGuardianView(turn.t))
  return true
}

/** The same before the first test of a role on this phone. */
export async function askRoleGuardian(
  turn: Turn,
  { s, parent }: RecordFile,
  roadmap: RoadmapPart,
): Promise<boolean> {
  const role = parent && awaitsGuardian(roadmap, parent.role)
  if (!role) return false
  turn.account.focus = s
  await turn.ask(guardianView(turn.t, { name: roleLabel(role), limits: role.limits }))
  return true
}
