import { within } from '../queue/within.ts'
import type { Place } from '../service/budget.ts'

/** Who has to wait longer than this is told the place in line: soon, where that is clear. */
const TOLD_FROM_MS = 10_000
const SOON_MS = 3_000
/** What is being said when the call is made holds up nothing for longer. */
const LAST_WORD_MS = 1_000

/**
 * Shows somebody the place in line in one message, edited when the place has changed much and when it is reached.
 * `show` puts it there, or into `messageId`, and says where it stands now.
 */
export function notifyPlace(
  show: (place: Place | 'reached', messageId: number | undefined) => Promise<number | undefined>,
  before: number | undefined,
) {
  let messageId = before
  let isTold = before !== undefined
  let timer: NodeJS.Timeout | undefined
  let latest: Place | undefined
  let shown = Promise.resolve()

  function put(place: Place | 'reached'): void {
    shown = shown
      .then(async () => {
        messageId = await show(place, messageId)
      })
      .catch(() => undefined)
  }

  function notifyLatest(): void {
    isTold = true
    if (latest) put(latest)
  }

  return {
    onQueued(place: Place): void {
      latest = place
      if (isTold) put(place)
      else timer ??= setTimeout(notifyLatest, place.etaMs > TOLD_FROM_MS ? SOON_MS : TOLD_FROM_MS)
    },
    /** The slot has come. */
    reached(): void {
      clearTimeout(timer)
      timer = undefined
      if (isTold) put('reached')
    },
    /** Nobody waits any more in this process; the message that was said, if any. */
    async end(): Promise<number | undefined> {
      clearTimeout(timer)
      await within(LAST_WORD_MS, shown)
      return messageId
    },
  }
}
