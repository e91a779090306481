import { InputFile } from 'grammy'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { languageOf } from '../domain/account.ts'
import type { NoticeKind } from '../domain/notice.ts'
import { afterQuietHours } from '../domain/reminding.ts'
import { accounts } from '../kept/documents.ts'
import { type NoticeBox, noticeBoxes, noticeSwitches, type WaitingNotice } from '../kept/notices.ts'
import { job } from '../mail/job.ts'
import type { Log } from '../observe/logger.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import { isRefused } from '../telegram/errors.ts'
import type { Message } from '../telegram/message.ts'
import type { Sender } from '../telegram/sender.ts'
import { plain } from '../texts/html.ts'
import type { Texts, Translate } from '../texts/texts.ts'
import { crowdView } from '../views/organizer-notices.ts'
import { comesAlone, isUrgent } from './notice-kinds.ts'
import { noticeJob } from './notices.ts'
import { type Handler, handler } from './task.ts'

/** Time for what waits for an organizer. By the organizer's account. */
export const noticesDueJob = job('notices-due', z.object({ chatId: z.number() }))

/** So many notices in so long come one by one; more of them become one with a count. */
const SINGLY = 3
const CROWD_MS = 60_000
/** Text editors take a file for what it is by its first letter. */
const BOM = '\ufeff'

type Deps = {
  sender: Sender
  config: Pick<Config, 'organizers' | 'quietHours' | 'locale'>
  texts: Texts
  now: () => number
  log: Log
}

/** Tells an organizer something once Telegram takes it: at once, or with the others when its time has come. */
export function createNoticeHandler(deps: Deps): Handler {
  const { config, now } = deps
  return handler(noticeJob, async ({ id: who, body, work, sender = deps.sender }) => {
    const { chatId, kind, text, keyboard, card } = body
    const tell = () => reach(deps, sender.send(chatId, messageOf({ text, keyboard })))
    if (kind === undefined) {
      await tell()
      return undefined
    }
    // Who has been taken off the list learns nothing any more.
    if (!config.organizers.includes(chatId) || !(await isWanted(work, who, kind))) return undefined
    const box = (await work.get(noticeBoxes, who)) ?? work.put(noticeBoxes, who, { sent: [], waiting: [] })
    box.sent = box.sent.filter((at) => now() - at < CROWD_MS)
    const due = isUrgent(kind) ? now() : afterQuietHours(config.quietHours, now())
    const isSingle = box.sent.length < SINGLY || comesAlone(kind)
    if (due <= now() && isSingle) {
      await tell()
      box.sent.push(now())
      return undefined
    }
    box.waiting.push({ kind, text, keyboard, card })
    noticesDueJob.post(work, who, { chatId }, { dueAt: dueOf(deps, box), replace: true })
    return undefined
  })
}

/** Tells an organizer what has waited, several of them in one message. */
export function createNoticesDueHandler(deps: Deps): Handler {
  const { config, now } = deps
  return handler(noticesDueJob, async ({ id: who, body: { chatId }, work, sender = deps.sender }) => {
    const box = await work.get(noticeBoxes, who)
    if (!box || !config.organizers.includes(chatId)) return undefined
    const isQuiet = afterQuietHours(config.quietHours, now()) > now()
    const ready = box.waiting.filter((each) => isUrgent(each.kind) || !isQuiet)
    box.waiting = box.waiting.filter((each) => !ready.includes(each))
    const { off = [] } = (await work.get(noticeSwitches, who)) ?? {}
    const wanted = ready.filter(({ kind }) => !off.includes(kind))
    const crowd = wanted.filter(({ kind }) => !comesAlone(kind))
    const single = crowd.length > 1 ? wanted.filter(({ kind }) => comesAlone(kind)) : wanted
    for (const each of single) await reach(deps, sender.send(chatId, messageOf(each)))
    const t = deps.texts.for(languageOf(await work.get(accounts, who), config))
    if (crowd.length > 1) await reach(deps, tellCrowd(t, sender, chatId, crowd))
    if (wanted.length > 0) box.sent = [now()]
    if (box.waiting.length > 0) noticesDueJob.post(work, who, { chatId }, { dueAt: dueOf(deps, box) })
    return undefined
  })
}

const isWanted = async (work: UnitOfWork, who: string, kind: NoticeKind): Promise<boolean> =>
  !(await work.get(noticeSwitches, who))?.off.includes(kind)

/** When what waits is told: what is urgent after the crowd, the rest not at night. */
function dueOf({ config, now }: Deps, { sent, waiting }: NoticeBox): number {
  const afterCrowd = sent.length < SINGLY ? now() : Math.max(...sent) + CROWD_MS
  return waiting.some((each) => isUrgent(each.kind))
    ? afterCrowd
    : afterQuietHours(config.quietHours, afterCrowd)
}

/** One message; what is longer than a message is a file beside the counts. */
async function tellCrowd(
  t: Translate,
  sender: Sender,
  chatId: number,
  crowd: readonly WaitingNotice[],
): Promise<unknown> {
  const { text, keyboard, whole } = crowdView(t, crowd)
  if (whole === undefined) return sender.send(chatId, messageOf({ text, keyboard }))
  const file = new InputFile(Buffer.from(`${BOM}${plain(whole)}\n`), 'notices.txt')
  return sender.document(chatId, file, text, keyboard)
}

const messageOf = ({ text, keyboard = [] }: Pick<WaitingNotice, 'text' | 'keyboard'>): Message => ({
  text,
  ...(keyboard.length > 0 && { keyboard }),
})

/** An organizer who cannot be reached is not told. */
async function reach({ log }: Deps, sending: Promise<unknown>): Promise<void> {
  try {
    await sending
  } catch (err) {
    if (!isRefused(err)) throw err
    log.warn({ err }, 'notice to an organizer refused')
  }
}
