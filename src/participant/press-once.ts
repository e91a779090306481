import type { Middleware } from 'grammy'
import { type IncomingContext, tappedMessage } from '../dialog/incoming.ts'
import type { Account } from '../domain/account.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { buttons } from '../views/buttons.ts'

/**
 * Buttons that do more than lead somewhere, and stay where they are. Every other one either goes when it is pressed or
 * does by the record's state what is still to be done.
 */
const isLasting = (data: string): boolean =>
  buttons.result.read(data) !== undefined || buttons.guardian.read(data)?.[0] === 'no'

/** These may well be pressed again at once: they only show anew what stands where they stand. */
const { go, review, refresh, tests, home, stage, list, relist, filters, card } = buttons
const SHOWING = Object.values({ go, review, refresh, tests, home, stage, list, relist, filters, card })

/** What a lasting button has done it does not do again for so long. */
const LASTING_MS = HOUR_MS
/** The same button pressed twice within so long, with nothing else in between, was pressed once with a heavy finger. */
const DOUBLED_MS = 5_000
/** So many presses of an account are remembered. */
const REMEMBERED = 20

type Press = NonNullable<Account['pressed']>[number]

/** Has each button of a message act once: a doubled tap is only answered. */
export const pressOnce: Middleware<IncomingContext> = async (incoming, next) => {
  const { ctx } = incoming
  const { data } = incoming.callbackQuery ?? {}
  const message = tappedMessage(incoming)
  if (data === undefined || message === undefined || SHOWING.some((verb) => verb.read(data))) return next()
  const pressed = ctx.account.pressed ?? []
  const isSame = (press: Press) => press.data === data && press.message === message
  const last = pressed.at(-1)
  if (last && isSame(last) && ctx.now - last.at < DOUBLED_MS) return
  if (isLasting(data) && pressed.some((press) => isSame(press) && ctx.now - press.at < LASTING_MS)) {
    return incoming.toast(ctx.t.plain('button-done'))
  }
  let isRefused = false
  const { toast } = incoming
  incoming.toast = (text, alert) => {
    isRefused ||= alert === true
    return toast(text, alert)
  }
  await next()
  // What an alert refused has not been done: pressed again, it may be possible.
  if (isRefused) return
  // Counted from the end: a tap that came while this one was slow is its double.
  const press = { data, message, at: ctx.deps.now() }
  ctx.account.pressed = [...pressed.filter((each) => !isSame(each)), press].slice(-REMEMBERED)
}
