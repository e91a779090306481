import { membersHere } from '../dialog/access.ts'
import { assigneeOf, knownFile, newShortId } from '../dialog/files.ts'
import { noteAct } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { languageOf } from '../domain/account.ts'
import { accountOf } from '../domain/assignee.ts'
import { titleFor } from '../domain/record/whose.ts'
import { noticeJob } from '../jobs/notices.ts'
import { epochOf } from '../queue/job.ts'
import { accounts } from '../storage/documents/kinds.ts'

/**
 * An organizer takes a result, also of what nothing but the claim is kept of: the list of acts names it, and everybody whose
 * result it is is told, each time, and at the next /start where the bot is blocked.
 */
export async function takeResult(
  ctx: UpdateContext,
  { token, title }: { token: string; title: string },
): Promise<void> {
  const { work, deps } = ctx
  const { texts, config } = deps
  await noteAct(ctx, 'send', token)
  const file = await knownFile(ctx, token)
  const owner = accountOf(await assigneeOf(ctx, token))
  const members = file ? await membersHere(ctx, file) : []
  for (const who of new Set([owner, ...members.map((member) => member.who)])) {
    const account = who === undefined ? undefined : await work.get(accounts, who)
    if (who === undefined || !account || who === ctx.who) continue
    const t = texts.for(languageOf(account, config))
    const called = file ? titleFor(file, who, owner) : title
    const text = t('result-taken', { organizer: config.organizerName, title: called })
    const about = { who, epoch: await epochOf(work, who) }
    noticeJob.post(work, newShortId(), { chatId: account.chatId, text, about })
  }
}
