import type { Middleware } from 'grammy'
import { expectedNow } from '../dialog/expected.ts'
import { type IncomingContext, tappedMessage } from '../dialog/incoming.ts'
import type { Account } from '../domain/account.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { buttons } from '../views/buttons.ts'

/**
 * Buttons that have an effect and stay where they are. All others go when they are pressed, or do what the
 * stage of the record still needs.
 */
const isLasting = (data: string): boolean =>
  buttons.result.read(data) !== undefined || buttons.guardian.read(data)?.[0] === 'no'

/** Buttons that may well be pressed again at once: they only show the same screen again. */
const { go, review, refresh, tests, home, stage, list, relist, filters, card } = buttons
const SHOWING = Object.values({ go, review, refresh, tests, home, stage, list, relist, filters, card })

/** Time in which a lasting button does not act again. */
const LASTING_MS = HOUR_MS
/** Two presses of one button within this time, with nothing in between, count as one. */
const DOUBLED_MS = 5_000
/** The number of presses that are remembered for an account. */
const REMEMBERED = 20

type Press = NonNullable<Account['pressed']>[number]

/** Lets each button of a message act once: a doubled tap is only acknowledged. */
export const pressOnce: Middleware<IncomingContext> = async (incoming, next) => {
  const { ctx } = incoming
  const { data } = incoming.callbackQuery ?? {}
  const message = tappedMessage(incoming)
  if (data === undefined || message === undefined || SHOWING.some((verb) => verb.read(data))) return next()
  const pressed = ctx.account.pressed ?? []
  const isSame = (press: Press) => press.data === data && press.message === message
  const last = pressed.at(-1)
  if (last && isSame(last) && ctx.now - last.at < DOUBLED_MS)
    return buttons.ask.read(data) ? toastAsked(incoming) : undefined
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
  // An alert means that the act was refused, and it may be possible later.
  if (isRefused) return
  // Counted from the end: a tap during a slow one is its double.
  const press = { data, message, at: ctx.deps.now() }
  ctx.account.pressed = [...pressed.filter((each) => !isSame(each)), press].slice(-REMEMBERED)
}

/** A press on the way to a person leaves that button as it is: the second one says what is waited for. */
async function toastAsked({ ctx, toast }: IncomingContext): Promise<void> {
  if ((await expectedNow(ctx)).is === 'question') await toast(ctx.t.plain('ask-words'))
}
