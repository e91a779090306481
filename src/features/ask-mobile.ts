import type { Turn } from '../chat/turn.ts'
import { isRoadmap, type RecordFile } from '../domain/record/record.ts'

/** Asks whoever opens what was released for the same person for the mobile in the profile. */
export async function askForMobile(
  turn: Turn,
  file: RecordFile,
  { tries, role, code }: { tries: number; role?: number; code: string | undefined },
): Promise<void> {
  if (tries <= 0) return takeOverIsOver(turn)
  const { s, token } = file
  turn.account.takesOver = { s, token, kind: isRoadmap(file) ? 'roadmap' : 'record', role, code }
  await turn.say({ text: turn.t('takeover-ask', { tries }) })
}

/** Something else is opened: what is typed from here on is no mobile. One that is being compared still counts. */
export function leaveMobile({ account }: Turn): void {
  if (account.takesOver?.mobile === undefined) delete account.takesOver
}

/** Too many wrong numbers: the organizer has to release it again. */
export async function takeOverIsOver(turn: Turn): Promise<void> {
  delete turn.account.takesOver
  await turn.say({ text: turn.t('takeover-over', { contact: turn.deps.config.organizerContact }) })
}
