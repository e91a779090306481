import { codeVerified } from '../dialog/code.ts'
import { forgetOpened, visibleFile } from '../dialog/files.ts'
import { isBusyElsewhere, keyWorks, sendText } from '../dialog/notify.ts'
import { profileSent } from '../dialog/send-profile.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { unreachable } from '../domain/unreachable.ts'
import { isUnrepeatable, readOutcome } from '../jobs/call-table.ts'
import { takeAnswer } from '../organizer/organizer.ts'
import type { ChatMessage } from '../queue/chat-message.ts'
import { opened, roadmapOpened } from './check-record.ts'
import { questionsLoaded } from './load-questions.ts'
import { questionsRefused, recordOpened } from './nested-record.ts'
import { takeOver } from './take-over.ts'

/** Takes the outcome of a call that the chat waits for; one that nobody waits for any more is dropped. */
export async function takeOutcome(
  ctx: UpdateContext,
  { s, id, kind, outcome }: Extract<ChatMessage, { type: 'outcome' }>,
): Promise<void> {
  const { account } = ctx
  const pending = account.pending[s]
  if (pending?.id !== id) return
  delete account.pending[s]
  const came = readOutcome(kind, outcome)
  if (came.outcome.ok) await keyWorks(ctx)
  if (pending.act) return takeAnswer(ctx, pending.act, came)
  if (pending.takes && came.kind === 'open') return takeOver(ctx, pending.takes, came.outcome)
  const isLook = came.kind === 'open' || came.kind === 'openRoadmap'
  const file = await visibleFile(ctx, s)
  if (file) {
    // Whether it is known what came of it.
    if (isUnrepeatable(came.kind)) file.isSentUnclear = came.outcome.ok ? undefined : came.outcome.isUnclear
    if (!isLook && !(await isBusyElsewhere(ctx, file))) account.focus = s
    return goOn(ctx, file, came)
  }
  // Another account began it while this one read the introduction; a role that was taken back has been told.
  const isOpened = came.kind === 'openRoadmap' || account.items.includes(s)
  if (!isLook || !isOpened) return
  const isUnknown = !came.outcome.ok && came.outcome.code === 'not_found'
  forgetOpened(ctx, s)
  await sendText(ctx, isUnknown ? 'invitation-unknown' : 'invitation-used')
}

async function goOn(ctx: UpdateContext, file: RecordFile, came: ReturnType<typeof readOutcome>) {
  switch (came.kind) {
    case 'listRecords':
    case 'listRoadmaps':
    case 'find':
    case 'findSome':
    case 'search':
      return
    case 'open':
      return (file.parent ? recordOpened : opened)(ctx, file, came.outcome)
    case 'openRoadmap':
      return roadmapOpened(ctx, file, came.outcome)
    case 'auth':
    case 'authRoadmap':
      return profileSent(ctx, file, came.outcome)
    case 'verify':
    case 'verifyRoadmap':
      return codeVerified(ctx, file, came.outcome)
    case 'questions':
      if (!came.outcome.ok && file.parent) return questionsRefused(ctx, file, came.outcome)
      return questionsLoaded(ctx, file, came.outcome)
  }
  unreachable(came)
}
