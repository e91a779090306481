import { ApiError } from './api.js'
import { createBottomBar } from './bottom-bar.js'
import { createChatLinks } from './chat-links.js'
import { createChatMenus } from './chat-menus.js'
import { applyEvent, chatEventTypes } from './chat-state.js'
import { copyText } from './clipboard.js'
import { createCommandList } from './command-list.js'
import { createComposer } from './composer.js'
import { createDialogs } from './dialogs.js'
import { fill, h } from './dom.js'
import { createIntro } from './intro.js'
import { openLightbox } from './lightbox.js'
import { createMessageList } from './message-list.js'
import { createPhoneHeader } from './phone-header.js'
import { createReceived } from './received.js'
import { createReplyKeyboard } from './reply-keyboard.js'
import { openStream } from './stream.js'
import { createTaps } from './taps.js'

/** @import { CallbackAnswer, ChatState, Person, ReplyButton, ReplyKeyboard } from '../api.ts' */

/**
 * What the page gives to each phone.
 *
 * @typedef {{
 *   t: import('./texts.js').Texts,
 *   format: import('./format.js').Format,
 *   api: import('./api.js').Api,
 *   goHome: () => void,
 *   others: (id: number) => Person[],
 *   linkUsed: () => void,
 *   changed: (person: Person) => void,
 * }} PhoneContext
 */

/**
 * One person's phone with the chat on it.
 *
 * @param {Person} owner
 * @param {PhoneContext} context
 */
export function createPhone(owner, { t, format, api, goHome, others, linkUsed, changed }) {
  const chat = api.chat(owner.id)
  /** @type {ChatState | undefined} */
  let state
  let connected = false
  /** The payload of a deep link that waits for START. @type {string | undefined} */
  let payload
  /** @type {import('./stream.js').Stream | undefined} */
  let stream
  let wantedReplyTo = 0
  /** START was pressed; the line to write in comes with the event that tells of it, before or after its response. */
  let focusOnceWritable = false

  const screen = h('div', { class: 'screen' })
  const dialogs = createDialogs(screen, () => [header.element, middle, bottom], t)
  const taps = createTaps(chat.tap, (id) => list.redrawKeyboard(id), sayWhy)
  const links = createChatLinks({
    t,
    dialogs,
    username: () => state?.bot.username ?? '',
    openChat: followDeepLink,
    share: (text) => menus.share(text),
  })
  const copy = async (/** @type {string} */ text) => dialogs.toast(await copyText(text, t))
  const header = createPhoneHeader(t, goHome, (at) => menus.bot(at))
  /** @type {import('./chat-context.js').ChatContext} */
  const chatContext = {
    t,
    format,
    fileUrl: chat.fileUrl,
    say,
    copy,
    follow: links.follow,
    tap: taps.tap,
    spins: taps.spins,
    open: (url) => links.open(url),
    zoom: (source, isProtected) => openLightbox(source, isProtected, t),
    senderOf: ({ from }) => (from === 'person' ? t.you : (state?.bot.name ?? t.bot)),
    find: (id) => state?.messages.find((message) => message.id === id),
    show: (id) => list.show(id),
    menu: (message, event) => menus.message(message, event),
  }
  const list = createMessageList(chatContext, t.chatWith(owner.firstName))
  const received = createReceived(chatContext, {
    isOfBot: links.isOfBot,
    dismiss: (id) => attempt(chat.dismiss(id)),
  })
  const intro = createIntro(t, goHome)
  const middle = h('div', { class: 'middle' }, list.element, intro.element, received.element, dialogs.toasts)
  const replyKeyboard = createReplyKeyboard(pressReplyButton, drawComposer)
  const commands = createCommandList(say)
  const composer = createComposer({
    t,
    send,
    openAttach: (at) => menus.attach(at),
    openCommands: commands.toggle,
    typed: commands.type,
    toggleKeyboard: replyKeyboard.toggle,
  })
  const bar = createBottomBar(t, start, () => attempt(chat.unblock()))
  const writing = h('div', { class: 'writing' }, commands.element, composer.element, replyKeyboard.element)
  const bottom = h('div', { class: 'bottom' }, bar.element, writing)
  const setAside = composer.setAside
  const menus = createChatMenus({
    t,
    host: screen,
    chat,
    dialogs,
    attempt,
    state: () => state,
    setAside,
    copy,
    others: () => others(owner.id),
  })
  screen.prepend(header.element, middle, bottom)
  const caption = h('h2', { class: 'caption' })
  const element = h(
    'section',
    { class: 'phone', 'data-person': owner.id, 'aria-label': t.phoneOf(owner.firstName) },
    caption,
    screen,
  )

  function draw() {
    const person = state?.person ?? owner
    header.update(state, connected)
    fill(
      caption,
      h('bdi', {}, person.firstName),
      ' ',
      h('bdi', { class: 'caption-phone', dir: 'ltr' }, person.phone),
    )
    list.update(state?.messages ?? [])
    intro.update(state, payload)
    received.update(state?.received ?? [])
    commands.update(state?.commands ?? [])
    replyKeyboard.update(state?.replyKeyboard)
    writing.hidden = !bar.update(state?.person, payload)
    if (focusOnceWritable && !writing.hidden) {
      focusOnceWritable = false
      composer.focus()
    }
    drawComposer()
  }

  function drawComposer() {
    composer.update({
      placeholder: state?.forceReply?.placeholder ?? replyKeyboard.placeholder,
      keyboard: replyKeyboard.exists,
      keyboardOpen: replyKeyboard.isOpen,
      commands: (state?.commands.length ?? 0) > 0,
    })
  }

  /** @param {string} type @param {any} data */
  function onEvent(type, data) {
    if (type === 'answer') return answered(data)
    if (type === 'edited') {
      const old = state?.messages.find(({ id }) => id === data.id)
      if (JSON.stringify(old?.inlineKeyboard) !== JSON.stringify(data.inlineKeyboard)) taps.forget(data.id)
    }
    state = applyEvent(state, /** @type {keyof import('../api.ts').ChatEvents} */ (type), data)
    if (state && (type === 'person' || type === 'chat')) changed(state.person)
    draw()
    const { forceReply } = state ?? {}
    if (forceReply && forceReply.messageId !== wantedReplyTo) {
      wantedReplyTo = forceReply.messageId
      composer.focus()
    }
  }

  /** @param {CallbackAnswer} answer */
  function answered({ callbackId, text, showAlert, url }) {
    taps.answered(callbackId)
    if (text && showAlert) dialogs.alert(text, state?.bot.name)
    else if (text) dialogs.toast(text)
    if (url) links.open(url, true)
  }

  /** Says so when the server did not do what was asked. @param {Promise<unknown>} doing */
  async function attempt(doing) {
    try {
      await doing
      return true
    } catch (error) {
      sayWhy(error)
      return false
    }
  }

  /** @param {unknown} error */
  function sayWhy(error) {
    dialogs.toast(error instanceof ApiError && error.status === 0 ? t.offline : t.failed)
  }

  /** @param {string} text @param {import('./composer.js').Aside | undefined} aside */
  async function send(text, aside) {
    const doing =
      aside?.kind === 'edit'
        ? chat.edit(aside.messageId, text)
        : chat.say(text, aside?.messageId ?? state?.forceReply?.messageId)
    if (!(await attempt(doing))) throw new Error('not sent')
  }

  /** @param {string} text */
  function say(text) {
    attempt(chat.say(text))
    commands.close()
  }

  /** @param {string | undefined} given */
  async function start(given) {
    if (!(await attempt(chat.start(given)))) return
    payload = undefined
    linkUsed()
    // on a phone the focus would open a keyboard over what the bot says first
    focusOnceWritable = matchMedia('(hover: hover)').matches
    draw()
  }

  /** @param {ReplyButton} pressed @param {ReplyKeyboard} keyboard */
  async function pressReplyButton(pressed, { messageId }) {
    if (!pressed.requestContact) return say(pressed.text)
    const text = t.shareText(state?.bot.name ?? '', `\u2066${owner.phone}\u2069`)
    if (await dialogs.confirm(t.shareTitle, text, t.share)) attempt(chat.contact({ messageId }))
  }

  /** Shows START for a deep link's payload; an empty one only opens the chat. @param {string} given */
  function followDeepLink(given) {
    payload = given || undefined
    draw()
    if (payload !== undefined) bar.element.querySelector('button')?.focus({ preventScroll: true })
  }

  /** Where one acts in this chat: START, or the line to write in. */
  function enter() {
    const press = bar.element.querySelector('button')
    if (press && !bar.element.hidden) press.focus()
    else composer.focus()
  }

  return {
    element,
    followDeepLink,
    enter,
    /** Writes into the input without sending. @param {string} text */
    write(text) {
      composer.setText(text)
      composer.focus()
    },
    toast: dialogs.toast,
    attempt,
    /** Whether this is still the phone of the person with its owner's id. @param {Person} person */
    belongsTo: ({ firstName, phone }) => firstName === owner.firstName && phone === owner.phone,
    /** Connects while the phone is looked at: a browser keeps only six connections to one server. */
    resume() {
      stream ??= openStream(chat.eventsUrl, chatEventTypes, onEvent, (now) => {
        connected = now
        header.update(state, connected)
      })
    },
    suspend() {
      stream?.close()
      stream = undefined
    },
  }
}

/** @typedef {ReturnType<typeof createPhone>} Phone */
