import { button, h } from './dom.js'
import { icon } from './icons.js'

/** @import { ChatMessage } from '../api.ts' */

const opensInTab = /^(text\/html|application\/pdf|text\/plain|image\/)/

/**
 * What files need from the chat they stand in.
 *
 * @typedef {{
 *   t: import('./texts.js').Texts,
 *   format: import('./format.js').Format,
 *   fileUrl: (fileId: string) => string,
 *   zoom: (source: string, isProtected: boolean) => void,
 * }} MediaContext
 */

/**
 * What a message carries beside its text: a photo, a document, a contact and the like.
 *
 * @param {ChatMessage} message
 * @param {MediaContext} context
 */
export function mediaOf(message, { t, format, fileUrl, zoom }) {
  const { photo, document: file, contact, sticker, location, voice } = message
  if (photo) {
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
      { class: 'photo', label: t.openPhoto, onclick: () => zoom(source, message.protected === true) },
      picture,
    )
  }
  if (file) {
    const url = fileUrl(file.fileId)
    const view = opensInTab.test(file.mimeType)
    const details = h(
      'span',
      { class: 'file-text' },
      h('bdi', { class: 'file-name' }, file.fileName),
      h('span', { class: 'file-size', dir: 'auto' }, format.size(file.size)),
    )
    const target = view ? { href: url, target: '_blank', rel: 'noopener' } : { href: `${url}?download` }
    return h(
      'div',
      { class: 'file' },
      h('a', { class: 'file-open', ...target }, h('span', { class: 'file-icon' }, icon('document')), details),
      view &&
        !message.protected &&
        h(
          'a',
          {
            class: 'icon-button',
            href: `${url}?download`,
            download: file.fileName,
            'aria-label': t.download,
            title: t.download,
          },
          icon('download'),
        ),
    )
  }
  if (contact) {
    return h(
      'div',
      { class: 'file' },
      h('span', { class: 'file-icon' }, icon('person')),
      h(
        'span',
        { class: 'file-text' },
        h('bdi', { class: 'file-name' }, contact.firstName),
        h('bdi', { class: 'file-size', dir: 'ltr' }, contact.phone),
      ),
    )
  }
  if (sticker) return h('div', { class: 'sticker' }, sticker.emoji)
  if (location) {
    const place = `${location.latitude.toFixed(4)}, ${location.longitude.toFixed(4)}`
    return h(
      'div',
      { class: 'file' },
      h('span', { class: 'file-icon' }, icon('location')),
      h('bdi', { class: 'file-text', dir: 'ltr' }, place),
    )
  }
  if (voice) {
    return h(
      'div',
      { class: 'file' },
      h('span', { class: 'file-icon' }, icon('voice')),
      h(
        'span',
        { class: 'file-text' },
        h('span', { class: 'file-name' }, t.voiceMessage),
        h('span', { class: 'file-size' }, `${format.number(voice.seconds)}″`),
      ),
    )
  }
  return undefined
}

/**
 * One line that stands for a message: in a reply's quote, in what a screen reader is told.
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
