import { within } from '../observe/within.ts'
import type { Place } from '../service/budget.ts'
import type { OnBehalf } from '../storage/documents/kinds.ts'
import { placeInLineText } from '../views/failure.ts'
import type { JobDeps } from './deps.ts'

/** Who has to wait longer than this is told the place in line: soon, where that is clear. */
const TOLD_FROM_MS = 10_000
const SOON_MS = 1_000
/** Telegram shows for five seconds that somebody writes. */
const TYPING_MS = 4_500
/** What is being said when the call is made holds up nothing for longer. */
const LAST_WORD_MS = 1_000

/** Whose place it is, the message in which an earlier process has told it, and whether anybody waits still. */
type Waiting = {
  who: 'participant' | 'organizer'
  told?: number | undefined
  isAwaited: () => Promise<boolean>
}

/** Tells a chat its place in line in one message, which is edited when the place has changed much and when it is reached. */
export function placeInLine(
  { sender, texts }: Pick<JobDeps, 'sender' | 'texts'>,
  { chatId, language }: OnBehalf,
  { who, told, isAwaited }: Waiting,
) {
  let messageId = told
  let isTold = told !== undefined
  let stands = isTold
  let timer: NodeJS.Timeout | undefined
  let typing: NodeJS.Timeout | undefined
  let latest: Place | undefined
  let shown = Promise.resolve()

  async function show(place: Place | 'reached'): Promise<void> {
    if (!(await isAwaited())) return
    const t = texts.for(language)
    const text = place === 'reached' ? t('place-reached') : placeInLineText(t, who, place)
    if (messageId === undefined) messageId = await sender.send(chatId, { text })
    else await sender.edit(chatId, messageId, { text })
  }

  function put(place: Place | 'reached'): void {
    stands = place !== 'reached'
    shown = shown.then(() => show(place)).catch(() => undefined)
  }

  function notifyLatest(): void {
    isTold = true
    if (latest) put(latest)
  }

  async function type(): Promise<void> {
    if (await isAwaited()) sender.typing(chatId)
  }

  /** Nobody waits any more in this process; the message that was said, if any. */
  async function end(): Promise<number | undefined> {
    clearTimeout(timer)
    clearInterval(typing)
    await within(LAST_WORD_MS, shown)
    return messageId
  }

  return {
    onQueued(place: Place): void {
      latest = place
      if (isTold) put(place)
      else timer ??= setTimeout(notifyLatest, place.etaMs > TOLD_FROM_MS ? SOON_MS : TOLD_FROM_MS)
    },
    /** The slot has come; it is seen that something happens for as long as the service takes. */
    reached(): void {
      clearTimeout(timer)
      timer = undefined
      if (stands) put('reached')
      typing ??= setInterval(() => void type().catch(() => undefined), TYPING_MS).unref()
    },
    end,
    /** Nobody waits any more: what was said goes. */
    async leave(): Promise<void> {
      const said = await end()
      if (said !== undefined) await sender.remove(chatId, [said])
    },
  }
}
