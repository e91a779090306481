import { createApi } from './api.js'
import { copyText } from './clipboard.js'
import { createDesk } from './desk.js'
import { h } from './dom.js'
import { createFormat } from './format.js'
import { createInvitationsPanel } from './invitations-panel.js'
import { validPayload } from './links.js'
import { newestButton } from './message-list.js'
import { createPageHead } from './page-head.js'
import { createSide } from './side.js'
import { createSmsBanner, createSmsPanel } from './sms-panel.js'
import { openStream } from './stream.js'
import { textsOf } from './texts.js'
import { createTheme } from './theme.js'

/** @import { Sms } from '../api.ts' */

const retryMs = 1500
const hintMs = 1200

const address = new URL(location.href)
const language = address.searchParams.get('lang') === 'en' ? 'en' : 'fa'
const t = textsOf(language)
const format = createFormat(language, t)
const api = createApi()
const narrow = matchMedia('(max-width: 799px)')
document.documentElement.lang = language
document.documentElement.dir = language === 'fa' ? 'rtl' : 'ltr'
document.title = t.pageTitle

/** @type {Sms[]} */
let received = []
/** @type {import('./stream.js').Stream | undefined} */
let stream
/** Whether people and invitations may be outdated, because the server was unreachable for a while. */
let isStale = false

const firstPerson = Number(address.searchParams.get('person'))
const desk = createDesk({ t, format, api, language, narrow, goHome, linkUsed: forgetLink, firstPerson })
const smsContext = { t, format, copy, insert: insertCode }
const smsPanel = createSmsPanel(smsContext)
const smsBanner = createSmsBanner(smsContext)
const invitations = createInvitationsPanel({ t, format, language, follow: openInvitation, copy, makeReady })
const panels = [invitations.element, desk.panel, smsPanel.element]
const side = createSide({ t, language, theme: createTheme(), close: () => goHome(false), panels })
const head = createPageHead(t, enterChat)
const room = h('div', { class: 'desk' }, desk.strip, desk.stage)
document.body.append(head, side, room, smsBanner.element)

/** Opens the side column over the chat on a narrow screen; a wide screen shows it always. @param {boolean} isHome */
function goHome(isHome) {
  const isOver = isHome && narrow.matches
  document.body.classList.toggle('home', isOver)
  room.inert = isOver
  // On a narrow screen the column is the main content.
  side.setAttribute('role', isOver ? 'main' : 'complementary')
  if (!isHome) return
  invitations.element.classList.add('hinted')
  setTimeout(() => invitations.element.classList.remove('hinted'), hintMs)
  invitations.focus()
}

/** Moves the focus to the newest button of the chat, or to the input if there is none. */
function enterChat() {
  const phone = desk.active()
  const newest = phone && newestButton(phone.element)
  if (newest) newest.focus()
  else phone?.enter()
}

/** @param {string} payload */
function openInvitation(payload) {
  goHome(false)
  desk.active()?.followDeepLink(payload)
}

/** Opens a waiting invitation as the organizer would. @param {string} payload */
async function makeReady(payload) {
  const isReady = await desk.active()?.attempt(api.openInvitation(payload))
  if (isReady) await loadInvitations()
  return isReady === true
}

/** @param {string} text */
async function copy(text) {
  desk.active()?.toast(await copyText(text, t))
}

/** @param {string} code */
function insertCode(code) {
  goHome(false)
  desk.active()?.write(code)
}

/** Removes a used deep link from the address, so that a reload does not offer START; reloads the list. */
function forgetLink() {
  loadInvitations().catch(() => {
    isStale = true
  })
  const clean = new URL(location.href)
  clean.searchParams.delete('start')
  history.replaceState(null, '', clean)
}

/** @param {string} type @param {any} data as in `PageEvents` for this type */
function onEvent(type, data) {
  if (type === 'newest') return desk.heard(data, 'news')
  if (type === 'all') desk.heard(data.newest, 'all')
  received = type === 'all' ? data.sms : [data, ...received]
  smsPanel.update(received)
  if (type === 'sms' && narrow.matches) smsBanner.show(data)
}

/** @param {boolean} connected @param {number} attempts */
function onConnection(connected, attempts) {
  if (attempts > 0) isStale = true
  else if (connected && isStale) refresh()
}

function onVisibility() {
  desk.arrange()
  stream?.close()
  stream = undefined
  if (document.hidden) isStale = true
  else stream = openStream('/api/events', ['all', 'sms', 'newest'], onEvent, onConnection)
}

async function loadInvitations() {
  invitations.update(await api.invitations())
}

async function load() {
  await desk.load()
  await loadInvitations()
}

async function refresh() {
  isStale = false
  try {
    await load()
  } catch {
    isStale = true
    setTimeout(refresh, retryMs)
  }
}

async function begin() {
  try {
    await load()
  } catch {
    setTimeout(begin, retryMs)
    return
  }
  const payload = validPayload(address.searchParams.get('start'))
  if (payload) desk.active()?.followDeepLink(payload)
  onVisibility()
}

addEventListener('resize', desk.arrange)
narrow.addEventListener('change', () => goHome(false))
document.addEventListener('visibilitychange', onVisibility)
begin()
