import { z } from 'zod'
import type { Config } from '../config.ts'
import { afterQuietHours } from '../domain/reminding.ts'
import { noticeBoxes, noticeSwitches, type WaitingNotice } from '../kept/notices.ts'
import { job } from '../mail/job.ts'
import type { Log } from '../observe/logger.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import { isRefused } from '../telegram/errors.ts'
import type { Button } from '../telegram/message.ts'
import type { Sender } from '../telegram/sender.ts'
import type { Texts } from '../texts/texts.ts'
import type { NoticeKind } from '../views/organizer-buttons.ts'
import { crowdView } from '../views/organizer-notices.ts'
import { isUrgent } from './notice-kinds.ts'
import { noticeJob } from './notices.ts'
import { type Handler, handler } from './task.ts'

/** Time for what waits for an organizer. By the organizer's account. */
export const noticesDueJob = job('notices-due', z.object({ chatId: z.number() }))

/** So many notices in so long come one by one; more of them become one with a count. */
const SINGLY = 5
const CROWD_MS = 60_000

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
  return handler(
    noticeJob,
    async ({ id: who, body: { chatId, kind, text, keyboard }, work, sender = deps.sender }) => {
      if (kind === undefined) {
        await send({ ...deps, sender }, chatId, { text, keyboard })
        return undefined
      }
      // Who has been taken off the list learns nothing any more.
      if (!config.organizers.includes(chatId)) return undefined
      const { off = [] } = (await work.get(noticeSwitches, who)) ?? {}
      if (off.includes(kind)) return undefined
      const box = (await work.get(noticeBoxes, who)) ?? work.put(noticeBoxes, who, { sent: [], waiting: [] })
      box.sent = box.sent.filter((at) => now() - at < CROWD_MS)
      const due = isUrgent(kind) ? now() : afterQuietHours(config.quietHours, now())
      if (due <= now() && box.sent.length < SINGLY) {
        await send({ ...deps, sender }, chatId, { text, keyboard })
        box.sent.push(now())
        return undefined
      }
      box.waiting.push({ kind, text, keyboard: keyboard ?? [], isUrgent: isUrgent(kind) })
      noticesDueJob.post(work, who, { chatId }, { dueAt: dueOf(deps, box), replace: true })
      return undefined
    },
  )
}

/** Tells an organizer what has waited, several of them in one message. */
export function createNoticesDueHandler(deps: Deps): Handler {
  const { config, texts, now } = deps
  return handler(noticesDueJob, async ({ id: who, body: { chatId }, work, sender = deps.sender }) => {
    const box = await work.get(noticeBoxes, who)
    if (!box || !config.organizers.includes(chatId)) return undefined
    const isQuiet = afterQuietHours(config.quietHours, now()) > now()
    const ready = box.waiting.filter((each) => each.isUrgent || !isQuiet)
    box.waiting = box.waiting.filter((each) => !ready.includes(each))
    const [only] = ready
    if (only && ready.length === 1) await send({ ...deps, sender }, chatId, messageOf(only))
    else if (only)
      await send({ ...deps, sender }, chatId, crowdView(texts.for(config.locale), ready.map(known)))
    if (only) box.sent = [now()]
    postRest(deps, work, who, chatId, box)
    return undefined
  })
}

function postRest(deps: Deps, work: UnitOfWork, who: string, chatId: number, box: Box): void {
  if (box.waiting.length > 0) noticesDueJob.post(work, who, { chatId }, { dueAt: dueOf(deps, box) })
}

type Box = { sent: number[]; waiting: WaitingNotice[] }

/** When what waits is told: what is urgent after the crowd, the rest not at night. */
function dueOf({ config, now }: Deps, { sent, waiting }: Box): number {
  const afterCrowd = sent.length < SINGLY ? now() : Math.max(...sent) + CROWD_MS
  return waiting.some((each) => each.isUrgent) ? afterCrowd : afterQuietHours(config.quietHours, afterCrowd)
}

// What was kept was a notice's own.
const known = ({ kind, text }: WaitingNotice) => ({ kind: kind as NoticeKind, text })
const messageOf = ({ text, keyboard }: WaitingNotice) => ({ text, keyboard: keyboard as Button[][] })

async function send({ sender, log }: Deps, chatId: number, { text, keyboard }: Message): Promise<void> {
  try {
    await sender.send(chatId, { text, ...(keyboard && keyboard.length > 0 && { keyboard }) })
  } catch (err) {
    if (!isRefused(err)) throw err
    log.warn({ err }, 'notice to an organizer refused')
  }
}

type Message = { text: string; keyboard?: Button[][] | undefined }
