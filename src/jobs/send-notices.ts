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
import { manyNoticesView } from '../views/organizer-notices.ts'
import type { JobDeps, With } from './deps.ts'
import { comesAlone, isUrgent, noticeJob } from './notices.ts'
import { sendPart } from './outbox.ts'

/** Sends the notices that wait for an organizer. Keyed by the account of the organizer. */
const noticesDueJob = job('notices-due', z.object({ chatId: z.number() }))

/** So many notices within `CROWD_MS` are sent one by one; more of them become one message with counts. */
const MOST_SINGLE = 3
const CROWD_MS = 60_000
/** For an organizer who cannot be reached only the newest are kept, and at most for `LONGEST_MS`. */
const MOST_KEPT = 100
const LONGEST_MS = NOTICE_DAYS * DAY_MS
/** By this first character text editors recognise the encoding of a file. */
const BOM = '\ufeff'

type Deps = Pick<JobDeps, 'sender' | 'texts' | 'log' | 'now'> & With<'organizers' | 'quietHours' | 'locale'>

/** Sends an organizer an answer at once; lets a notice wait with the others, which are sent together. */
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
    return schedule(deps, { work, id: who, body: { chatId } }, box)
  })
}

/** Sends an organizer what has waited, several notices in one message. */
export function createNoticesDueHandler(deps: Deps): Handler {
  return handler(noticesDueJob, async (task) => {
    const box = await task.work.get(noticeBoxes, task.id)
    return box && sendNext(deps, task, box)
  })
}

/**
 * Sends the next waiting message and schedules the rest. Its notices were marked in an earlier step: more may
 * arrive while it is being sent, and a retry must send the same message.
 */
async function sendNext(deps: Deps, task: Task<{ chatId: number }>, box: NoticeBox): Promise<undefined> {
  const { config, now } = deps
  const { id: who, body, work, sender = deps.sender } = task
  const { chatId } = body
  // A former organizer gets no notices.
  if (!config.organizers.includes(chatId)) {
    work.remove(noticeBoxes, who)
    return undefined
  }
  const isLately = (at: number) => now() - at < CROWD_MS
  box.sent = box.sent.filter(isLately)
  box.urgent = box.urgent.filter(isLately)
  box.waiting = await stillWanted(deps, work, who, box.waiting)
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
  return box.waiting.length > 0 ? schedule(deps, task, box) : undefined
}

type Whose = Pick<Task<{ chatId: number }>, 'work' | 'id' | 'body'>

/** Schedules the waiting notices for when the first of them is due. */
function schedule(deps: Deps, { work, id: who, body }: Whose, box: NoticeBox): undefined {
  const dueAt = Math.min(...box.waiting.map(({ kind }) => dueOf(deps, box, kind)))
  noticesDueJob.post(work, who, body, { dueAt, replace: true })
}

/** The notices that the organizer wants, that are not too old, and that concern no forgotten account. */
async function stillWanted(
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

/** What is sent next: a notice that is sent alone, then all urgent ones as one, then all others. */
function nextOf(deps: Deps, box: NoticeBox): readonly WaitingNotice[] {
  const due = box.waiting.filter(({ kind }) => dueOf(deps, box, kind) <= deps.now())
  const alone = due.find(({ kind }) => comesAlone(kind))
  const urgent = due.filter(({ kind }) => isUrgent(kind))
  return alone ? [alone] : urgent.length > 0 ? urgent : due
}

/** When notices of the same urgency were sent: urgent ones neither wait for the others nor delay them. */
const sentOf = (box: NoticeBox, kind: NoticeKind): number[] => (isUrgent(kind) ? box.urgent : box.sent)

/** When a notice is due: after the crowd of its urgency and, unless it is urgent, not at night. */
function dueOf({ config, now }: Deps, box: NoticeBox, kind: NoticeKind): number {
  const sent = sentOf(box, kind)
  const isSingle = sent.length < MOST_SINGLE || comesAlone(kind)
  const afterCrowd = isSingle ? now() : Math.max(...sent) + CROWD_MS
  return isUrgent(kind) ? afterCrowd : afterQuietHours(config.quietHours, afterCrowd)
}

/** One message for all notices; if it is too long, a file beside the counts. */
async function send(t: Translate, sender: Sender, chatId: number, notices: readonly WaitingNotice[]) {
  const [only] = notices
  if (only && notices.length === 1) return sender.send(chatId, messageOf(only))
  const { text, keyboard, whole } = manyNoticesView(t, notices)
  if (whole === undefined) return sender.send(chatId, messageOf({ text, keyboard }))
  const file = new InputFile(Buffer.from(`${BOM}${plain(whole)}\n`), 'notices.txt')
  return sender.document(chatId, file, text, keyboard)
}

const messageOf = ({ text, keyboard = [] }: Pick<WaitingNotice, 'text' | 'keyboard'>): Message => ({
  text,
  ...(keyboard.length > 0 && { keyboard }),
})
