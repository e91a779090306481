import { button, h } from './dom.js'
import { icon } from './icons.js'

/**
 * Shows a picture over the whole page. A press switches between the whole picture and its details; Escape, the
 * cross or a press beside it closes.
 *
 * @param {string} source
 * @param {boolean} isProtected
 * @param {import('./texts.js').Texts} t
 */
export function openLightbox(source, isProtected, t) {
  const picture = h('img', { src: source, alt: '', draggable: 'false' })
  const zoom = button(
    { class: 'lightbox-photo', label: t.zoom, onclick: () => dialog.classList.toggle('zoomed') },
    picture,
  )
  const dialog = h(
    'dialog',
    { class: 'lightbox', 'aria-label': t.openPhoto },
    zoom,
    button(
      { class: 'icon-button lightbox-close', label: t.close, onclick: () => dialog.close() },
      icon('close'),
    ),
  )
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  dialog.addEventListener('close', () => dialog.remove())
  if (isProtected) dialog.addEventListener('contextmenu', (event) => event.preventDefault())
  document.body.append(dialog)
  dialog.showModal()
}
