import { type ActKind, actDay, actDays } from '../storage/documents/audit.ts'
import type { UpdateContext } from './update-context.ts'

/** Notes what an organizer did, about which record or roadmap, and when; kept for 180 days. */
export async function noteAct(
  { work, account, now }: UpdateContext,
  what: ActKind,
  token?: string,
): Promise<void> {
  const day = actDay(now)
  const { acts } = (await work.get(actDays, day)) ?? work.put(actDays, day, { acts: [] })
  acts.push({ by: account.chatId, what, ...(token !== undefined && { token }), at: now })
}
