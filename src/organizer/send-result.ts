import { Composer } from 'grammy'
import { membersHere } from '../dialog/access.ts'
import { onBehalfOf } from '../dialog/call.ts'
import type { TurnContext } from '../dialog/context.ts'
import { noteAct } from '../dialog/note-act.ts'
import { sendText } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { resultJob } from '../jobs/deliver-result.ts'
import { onButton } from '../participant/on-button.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'

/** Has a result brought to the organizer who asks for it. */
export function sendingResults(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  onButton(composer, buttons.send, async ({ turn }, next, s) => {
    const { work, account } = turn
    const file = await work.get(recordFiles, s)
    if (!file || file.parent) return next()
    // Whose result it is: what is still owed to it goes on beside.
    const [holder] = (await isSendable(turn, file)) ? await membersHere(turn, file) : []
    if (!holder) return sendText(turn, 'send-not-yet')
    file.askedBy = [...new Set(file.askedBy).add(account.chatId)]
    resultJob.post(work, s, { s, onBehalf: await onBehalfOf(turn, holder) })
    await noteAct(turn, 'send', file.token)
    await sendText(turn, 'send-coming')
  })
  return composer
}

/** Whether there is a result that can be sent: not of what was released and waits for its person. */
export const isSendable = async (turn: Turn, file: RecordFile): Promise<boolean> =>
  !file.parent && isIn(file, 'scored', 'done') && (await membersHere(turn, file)).length > 0
