import { InputFile } from 'grammy'
import { z } from 'zod'
import { languageOf } from '../domain/account.ts'
import { DAY_MS } from '../domain/durations.ts'
import type { NoticeKind } from '../domain/notice.ts'
import { afterQuietHours } from '../domain/watch.ts'
import { guardCurrent, type Handler, handler, job, type Task } from '../queue/job.ts'
import { accounts } from '../storage/documents/kinds.ts'
import {
  type NoticeBox,
  noticeBoxes,
  noticeSwitches,
  type WaitingNotice,
} from '../storage/documents/notices.ts'
import { NOTICE_DAYS } from '../storage/documents/retention.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Message } from '../telegram/message.ts'
import type { Sender } from '../telegram/sender.ts'
import { plain, type Translate } from '../texts/texts.ts'
import { crowdView } from '../views/organizer-notices.ts'
import type { JobDeps, With } from './deps.ts'
import { comesAlone, isUrgent, noticeJob } from './notices.ts'
import { sendPart } from './outbox.ts'

/** Time for what waits for an organizer. By the organizer's account. */
const noticesDueJob = job('notices-due', z.object({ chatId: z.number() }))

/** So many notices in so long come one by one; more of them become one with a count. */
const SINGLY = 3
const CROWD_MS = 60_000
/** For an organizer who cannot be reached the newest are kept, and those no longer than this. */
const MOST_KEPT = 100
const LONGEST_MS = NOTICE_DAYS * DAY_MS
/** Text editors take a file for what it is by its first letter. */
const BOM = '\ufeff'

type Deps = Pick<JobDeps, 'sender' | 'texts' | 'log' | 'now'> & With<'organizers' | 'quietHours' | 'locale'>

/** Has an organizer told something: an answer at once, a notice with the others that wait, by the one who tells them all. */
export function createNoticeHandler(deps: Deps): Handler {
  return handler(noticeJob, async (task) => {
    const { id: who, body, work, sender = deps.sender } = task
    const { chatId, kind, ...words } = body
    if (kind === undefined) {
      if (words.about && !(await guardCurrent(work, words.about))) return undefined
      await sendPart(deps, task, chatId, () => sender.send(chatId, messageOf(words)))
      return undefined
    }
    const none = { sent: [], urgent: [], waiting: [] }
    const box = (await work.get(noticeBoxes, who)) ?? work.put(noticeBoxes, who, none)
    box.waiting.push({ ...words, kind, at: deps.now() })
    return comeDue(deps, { work, id: who, body: { chatId } }, box)
  })
}

/** Tells an organizer what has waited, several of them in one message. */
export function createNoticesDueHandler(deps: Deps): Handler {
  return handler(noticesDueJob, async (task) => {
    const box = await task.work.get(noticeBoxes, task.id)
    return box && notifyNext(deps, task, box)
  })
}

/**
 * Sends the next message of what waits for an organizer, and has the rest follow in its time. What stands in it was kept
 * before: others add to what waits while it is on its way, and it is the same message when it is handled again.
 */
async function notifyNext(deps: Deps, task: Task<{ chatId: number }>, box: NoticeBox): Promise<undefined> {
  const { config, now } = deps
  const { id: who, body, work, sender = deps.sender } = task
  const { chatId } = body
  // Who has been taken off the list learns nothing any more.
  if (!config.organizers.includes(chatId)) {
    work.remove(noticeBoxes, who)
    return undefined
  }
  const isLately = (at: number) => now() - at < CROWD_MS
  box.sent = box.sent.filter(isLately)
  box.urgent = box.urgent.filter(isLately)
  box.waiting = await stillTold(deps, work, who, box.waiting)
  const next = box.waiting.filter(({ isNext }) => isNext)
  if (next[0]) {
    const t = deps.texts.for(languageOf(await work.get(accounts, who), config))
    const became = await sendPart(deps, task, chatId, () => send(t, sender, chatId, next))
    if (became === 'blocked') {
      box.waiting = box.waiting.slice(-MOST_KEPT).map(({ isNext: _, ...each }) => each)
      return undefined
    }
    sentOf(box, next[0].kind).push(now())
    box.waiting = box.waiting.filter((each) => !next.includes(each))
  } else for (const each of nextOf(deps, box)) each.isNext = true
  return box.waiting.length > 0 ? comeDue(deps, task, box) : undefined
}

type Whose = Pick<Task<{ chatId: number }>, 'work' | 'id' | 'body'>

/** Has what waits told when the first of it is due. */
function comeDue(deps: Deps, { work, id: who, body }: Whose, box: NoticeBox): undefined {
  const dueAt = Math.min(...box.waiting.map(({ kind }) => dueOf(deps, box, kind)))
  noticesDueJob.post(work, who, body, { dueAt, replace: true })
}

/** What the organizer wants to hear of, which is not too old and tells of nobody who was forgotten since. */
async function stillTold(
  { now }: Deps,
  work: UnitOfWork,
  who: string,
  waiting: readonly WaitingNotice[],
): Promise<WaitingNotice[]> {
  const { off = [] } = (await work.get(noticeSwitches, who)) ?? {}
  const left: WaitingNotice[] = []
  for (const each of waiting) {
    const { kind, at = now(), about } = each
    const isCurrent = !about || (await guardCurrent(work, about))
    if (isCurrent && !off.includes(kind) && now() - at < LONGEST_MS) left.push(each)
  }
  return left
}

/** What is told next: what comes by itself, then all that is urgent as one, then all the others. */
function nextOf(deps: Deps, box: NoticeBox): readonly WaitingNotice[] {
  const due = box.waiting.filter(({ kind }) => dueOf(deps, box, kind) <= deps.now())
  const alone = due.find(({ kind }) => comesAlone(kind))
  const urgent = due.filter(({ kind }) => isUrgent(kind))
  return alone ? [alone] : urgent.length > 0 ? urgent : due
}

/** When those of the same urgency were told: what is urgent neither waits for the others nor holds them up. */
const sentOf = (box: NoticeBox, kind: NoticeKind): number[] => (isUrgent(kind) ? box.urgent : box.sent)

/** When a notice is told: after the crowd of its urgency, and what is not urgent not at night. */
function dueOf({ config, now }: Deps, box: NoticeBox, kind: NoticeKind): number {
  const sent = sentOf(box, kind)
  const isSingle = sent.length < SINGLY || comesAlone(kind)
  const afterCrowd = isSingle ? now() : Math.max(...sent) + CROWD_MS
  return isUrgent(kind) ? afterCrowd : afterQuietHours(config.quietHours, afterCrowd)
}

/** One message for all of them; what is longer than a message is a file beside the counts. */
async function send(t: Translate, sender: Sender, chatId: number, notices: readonly WaitingNotice[]) {
  const [only] = notices
  if (only && notices.length === 1) return sender.send(chatId, messageOf(only))
  const { text, keyboard, whole } = crowdView(t, notices)
  if (whole === undefined) return sender.send(chatId, messageOf({ text, keyboard }))
  const file = new InputFile(Buffer.from(`${BOM}${plain(whole)}\n`), 'notices.txt')
  return sender.document(chatId, file, text, keyboard)
}

const messageOf = ({ text, keyboard = [] }: Pick<WaitingNotice, 'text' | 'keyboard'>): Message => ({
  text,
  ...(keyboard.length > 0 && { keyboard }),
})
