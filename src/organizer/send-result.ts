import { Composer } from 'grammy'
import { membersHere } from '../dialog/access.ts'
import { onBehalfOf } from '../dialog/call.ts'
import { type IncomingContext, onButton } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { resultJob } from '../jobs/deliver-result.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { takeResult } from './take-result.ts'

/** Has a result brought to the organizer who asks for it. */
export function sendingResults(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  onButton(composer, buttons.send, async ({ ctx }, next, s) => {
    const { work, account } = ctx
    const file = await work.get(recordFiles, s)
    if (!file || file.parent) return next()
    // Whose result it is: what is still owed to it goes on beside.
    const [holder] = (await isSendable(ctx, file)) ? await membersHere(ctx, file) : []
    if (!holder) return sendText(ctx, 'send-not-yet')
    const isUnderWay = file.askedBy?.includes(account.chatId)
    file.askedBy = [...new Set(file.askedBy).add(account.chatId)]
    resultJob.post(work, s, { s, onBehalf: await onBehalfOf(ctx, holder) })
    if (!isUnderWay) await takeResult(ctx, { token: file.token, title: file.test.title })
    await sendText(ctx, 'send-coming')
  })
  return composer
}

/** Whether there is a result that can be sent: not of what was released and waits for its person. */
export const isSendable = async (ctx: UpdateContext, file: RecordFile): Promise<boolean> =>
  !file.parent && isIn(file, 'scored', 'done') && (await membersHere(ctx, file)).length > 0
