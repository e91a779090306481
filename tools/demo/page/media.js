import { button, h } from './dom.js'
import { icon } from './icons.js'

/** @import { ChatMessage } from '../api.ts' */

const opensInTab = /^(text\/html|application\/pdf|text\/plain|image\/)/

/**
 * What files need from their chat.
 *
 * @typedef {{
 *   t: import('./texts.js').Texts,
 *   format: import('./format.js').Format,
 *   fileUrl: (fileId: string) => string,
 *   zoom: (source: string, isProtected: boolean) => void,
 * }} MediaContext
 */

/**
 * The content of a message beside its text: a photo, a document, a contact and the like.
 *
 * @param {ChatMessage} message
 * @param {MediaContext} context
 */
export function mediaOf(message, context) {
  const { contact, sticker, location, voice } = message
  const { t, format } = context
  if (message.photo) return photoOf(message, message.photo, context)
  if (message.document) return documentOf(message, message.document, context)
  if (sticker) return h('div', { class: 'sticker' }, sticker.emoji)
  if (contact)
    return card(
      'person',
      h('bdi', { class: 'file-name' }, contact.firstName),
      h('bdi', { class: 'file-size', dir: 'ltr' }, contact.phone),
    )
  if (voice)
    return card(
      'voice',
      h('span', { class: 'file-name' }, t.voiceMessage),
      h('span', { class: 'file-size' }, `${format.number(voice.seconds)}″`),
    )
  if (!location) return undefined
  const place = `${location.latitude.toFixed(4)}, ${location.longitude.toFixed(4)}`
  return h(
    'div',
    { class: 'file' },
    h('span', { class: 'file-icon' }, icon('location')),
    h('bdi', { class: 'file-text', dir: 'ltr' }, place),
  )
}

/** @param {'person' | 'voice'} kind @param {...HTMLElement} lines */
function card(kind, ...lines) {
  return h(
    'div',
    { class: 'file' },
    h('span', { class: 'file-icon' }, icon(kind)),
    h('span', { class: 'file-text' }, ...lines),
  )
}

/** @param {ChatMessage} message @param {NonNullable<ChatMessage['photo']>} photo @param {MediaContext} context */
function photoOf(message, photo, { t, format, fileUrl, zoom }) {
  const source = fileUrl(photo.fileId)
  const picture = h('img', {
    src: source,
    alt: message.caption ?? '',
    width: photo.width,
    height: photo.height,
    draggable: message.protected ? 'false' : undefined,
    loading: 'lazy',
  })
  return button(
    {
      class: 'photo',
      label: `${t.openPhoto} ${format.number(message.id)}`,
      onclick: () => zoom(source, message.protected === true),
    },
    picture,
  )
}

/** @param {ChatMessage} message @param {NonNullable<ChatMessage['document']>} file @param {MediaContext} context */
function documentOf(message, file, { t, format, fileUrl }) {
  const url = fileUrl(file.fileId)
  const view = opensInTab.test(file.mimeType)
  const details = h(
    'span',
    { class: 'file-text' },
    h('bdi', { class: 'file-name' }, file.fileName),
    h('span', { class: 'file-size', dir: 'auto' }, format.size(file.size)),
  )
  const target = view ? { href: url, target: '_blank', rel: 'noopener' } : { href: `${url}?download` }
  const download = {
    class: 'icon-button',
    href: `${url}?download`,
    download: file.fileName,
    'aria-label': t.download,
    title: t.download,
  }
  return h(
    'div',
    { class: 'file' },
    h('a', { class: 'file-open', ...target }, h('span', { class: 'file-icon' }, icon('document')), details),
    view && !message.protected && h('a', download, icon('download')),
  )
}

/**
 * One line that represents a message: in the quote of a reply and for screen readers.
 *
 * @param {ChatMessage} message
 * @param {import('./texts.js').Texts} t
 */
export function summaryOf(message, t) {
  return (
    message.text ??
    message.caption ??
    message.document?.fileName ??
    message.sticker?.emoji ??
    message.contact?.firstName ??
    (message.photo ? t.attachPhoto : message.location ? t.attachLocation : t.voiceMessage)
  )
}
