import { within } from '../observe/within.ts'
import type { PlaceInLine } from '../service/budget.ts'
import type { OnBehalf } from '../storage/documents/kinds.ts'
import { placeInLineText } from '../views/failure.ts'
import type { JobDeps } from './deps.ts'

/** A longer wait is shown as a place in line: after `SOON_MS` if it is expected, else after this time. */
const SHOWN_AFTER_MS = 10_000
const SOON_MS = 1_000
/** Telegram shows "typing" for five seconds. */
const TYPING_MS = 4_500
/** How long the end of a call waits for a message that is still being sent. */
const LAST_SEND_MS = 1_000

/** Who waits, the message in which an earlier process showed the place, and whether the chat still waits. */
type Waiting = {
  who: 'participant' | 'organizer'
  told?: number | undefined
  isAwaited: () => Promise<boolean>
}

/** Shows a chat its place in line in one message, edited when the place changes much or is reached. */
export function placeInLine(
  { sender, texts }: Pick<JobDeps, 'sender' | 'texts'>,
  { chatId, language }: OnBehalf,
  { who, told, isAwaited }: Waiting,
) {
  let messageId = told
  let isShown = told !== undefined
  let showsPlace = isShown
  let timer: NodeJS.Timeout | undefined
  let typing: NodeJS.Timeout | undefined
  let latest: PlaceInLine | undefined
  let shown = Promise.resolve()

  async function show(place: PlaceInLine | 'reached'): Promise<void> {
    if (!(await isAwaited())) return
    const t = texts.for(language)
    const text = place === 'reached' ? t('place-reached') : placeInLineText(t, who, place)
    if (messageId === undefined) messageId = await sender.send(chatId, { text })
    else await sender.edit(chatId, messageId, { text })
  }

  function put(place: PlaceInLine | 'reached'): void {
    showsPlace = place !== 'reached'
    shown = shown.then(() => show(place)).catch(() => undefined)
  }

  function showLatest(): void {
    isShown = true
    if (latest) put(latest)
  }

  async function type(): Promise<void> {
    if (await isAwaited()) sender.typing(chatId)
  }

  /** Ends the waiting in this process; returns the id of the message, if one was sent. */
  async function end(): Promise<number | undefined> {
    clearTimeout(timer)
    clearInterval(typing)
    await within(LAST_SEND_MS, shown)
    return messageId
  }

  return {
    onQueued(place: PlaceInLine): void {
      latest = place
      if (isShown) put(place)
      else timer ??= setTimeout(showLatest, place.etaMs > SHOWN_AFTER_MS ? SOON_MS : SHOWN_AFTER_MS)
    },
    /** The slot has come: the chat shows "typing" while the service works. */
    reached(): void {
      clearTimeout(timer)
      timer = undefined
      if (showsPlace) put('reached')
      typing ??= setInterval(() => void type().catch(() => undefined), TYPING_MS).unref()
    },
    end,
    /** Ends the waiting and deletes the message. */
    async leave(): Promise<void> {
      const said = await end()
      if (said !== undefined) await sender.remove(chatId, [said])
    },
  }
}
