import { Composer } from 'grammy'
import type { BotContext } from '../../chat/context.ts'
import { tell } from '../../chat/say.ts'
import type { Turn } from '../../chat/turn.ts'
import { languageOf } from '../../domain/account.ts'
import { isIn, type RecordFile } from '../../domain/record/record.ts'
import { membersOf } from '../../domain/roadmap.ts'
import { resultJob } from '../../jobs/deliver-result.ts'
import { accounts, epochs, recordFiles } from '../../kept/documents.ts'
import type { OnBehalf } from '../../kept/owed-result.ts'
import { buttons } from '../../views/buttons.ts'
import { onButton } from '../on-button.ts'
import { noteAct } from './audit.ts'

/** Has a result brought to the organizer who asks for it. */
export function sendingResults(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  onButton(composer, buttons.send, async ({ turn }, next, s) => {
    const { work, account } = turn
    const file = await work.get(recordFiles, s)
    if (!file || file.parent) return next()
    const holder = await onBehalfOfHolder(turn, file)
    if (!holder) return tell(turn, 'send-not-yet')
    file.askedBy = [...new Set(file.askedBy).add(account.chatId)]
    resultJob.post(work, s, { s, onBehalf: holder, isRepeat: true })
    await noteAct(turn, 'send', file.token)
    await tell(turn, 'send-coming')
  })
  return composer
}

/** Whether there is a result that can be sent: not of what was released and waits for its person. */
export const isSendable = (file: RecordFile): boolean =>
  !file.parent && isIn(file, 'scored', 'done') && holderOf(file) !== undefined

/** The account whose result it is: what is still owed to it goes on beside. */
function holderOf({ owner, chatId, roadmap }: RecordFile): { who: string; chatId: number } | undefined {
  const [member] = roadmap ? membersOf(roadmap, { who: owner, chatId }) : []
  const who = owner ?? member?.who
  const at = chatId ?? member?.chatId
  return who === undefined || at === undefined ? undefined : { who, chatId: at }
}

async function onBehalfOfHolder({ work, deps }: Turn, file: RecordFile): Promise<OnBehalf | undefined> {
  const holder = isSendable(file) ? holderOf(file) : undefined
  if (!holder) return undefined
  const { who } = holder
  const epoch = (await work.get(epochs, who))?.epoch ?? 0
  const language = languageOf(await work.get(accounts, who), deps.config)
  return { ...holder, epoch, language }
}
