import { createActing } from './acting.js'
import { createChatActions } from './chat-actions.js'
import { createChatLinks } from './chat-links.js'
import { createChatMenus } from './chat-menus.js'
import { createChatModel } from './chat-model.js'
import { copyText } from './clipboard.js'
import { createDialogs } from './dialogs.js'
import { createPhoneFrame } from './phone-frame.js'
import { createPhoneHeader } from './phone-header.js'
import { createPhoneMiddle } from './phone-middle.js'
import { createTaps } from './taps.js'

/** @import { CallbackAnswer, Person } from '../api.ts' */
/** @import { PhoneContext } from './phone-context.js' */

/**
 * One person's phone with the chat.
 *
 * @param {Person} owner
 * @param {PhoneContext} context
 */
export function createPhone(owner, context) {
  const { t, api, goHome, others, linkUsed, changed } = context
  const chat = api.chat(owner.id)
  const frame = createPhoneFrame(owner, t)
  /** The payload of a followed link until START is pressed. @type {string | undefined} */
  let payload

  const { state, isConnected, resume, suspend } = createChatModel(chat, {
    answered,
    keyboardChanged: (id) => taps.forget(id),
    personChanged: changed,
    changed: draw,
    wantsReply: () => acting.focus(),
    connected: () => header.update(state(), isConnected()),
  })
  const dialogs = createDialogs(frame.screen, () => [header.element, middle.element, acting.element], t)
  const actions = createChatActions({ t, chat, dialogs, phone: owner.phone, state })
  const { attempt } = actions
  const taps = createTaps(chat.tap, (id) => middle.redrawKeyboard(id), actions.sayWhy)
  const links = createChatLinks({
    t,
    dialogs,
    username: () => state()?.bot.username ?? '',
    openChat: followDeepLink,
    share: (text) => menus.share(text),
  })
  const acting = createActing({
    t,
    ...actions,
    start,
    unblock: () => attempt(chat.unblock()),
    openAttach: (at) => menus.attach(at),
  })
  const copy = async (/** @type {string} */ text) => dialogs.toast(await copyText(text, t))
  const menus = createChatMenus({
    t,
    host: frame.screen,
    chat,
    dialogs,
    attempt,
    state,
    setAside: acting.setAside,
    copy,
    others: () => others(owner.id),
  })
  const { toasts } = dialogs
  const { say } = acting
  const own = { context, chat, state, toasts, actions, taps, links, say, copy, menu: menus.message }
  const middle = createPhoneMiddle(owner, own)
  const header = createPhoneHeader(t, goHome, menus.bot)
  frame.screen.prepend(header.element, middle.element, acting.element)

  function draw() {
    frame.update(state()?.person ?? owner)
    header.update(state(), isConnected())
    middle.update(payload)
    acting.update(state(), payload)
  }

  /** @param {CallbackAnswer} answer */
  function answered({ callbackId, text, showAlert, url }) {
    taps.answered(callbackId)
    if (text && showAlert) dialogs.alert(text, state()?.bot.name)
    else if (text) dialogs.toast(text)
    if (url) links.open(url, true)
  }

  /** @param {string | undefined} given */
  async function start(given) {
    if (!(await attempt(chat.start(given)))) return
    payload = undefined
    linkUsed()
    acting.started()
    draw()
  }

  /** Shows START for the payload of a deep link; an empty one only opens the chat. @param {string} given */
  function followDeepLink(given) {
    payload = given || undefined
    draw()
    if (payload !== undefined) acting.focusStart()
  }

  return {
    element: frame.element,
    followDeepLink,
    enter: acting.enter,
    write: acting.write,
    toast: dialogs.toast,
    attempt,
    /** Whether this person, who has the owner's id, is still the owner. @param {Person} person */
    belongsTo: ({ firstName, phone }) => firstName === owner.firstName && phone === owner.phone,
    resume,
    suspend,
  }
}

/** @typedef {ReturnType<typeof createPhone>} Phone */
