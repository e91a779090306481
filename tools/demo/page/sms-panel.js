import { oneStop } from './arrows.js'
import { button, fill, h } from './dom.js'
import { icon } from './icons.js'

/** @import { Sms } from '../api.ts' */

/**
 * @typedef {{
 *   t: import('./texts.js').Texts,
 *   format: import('./format.js').Format,
 *   copy: (text: string) => void,
 *   insert: (code: string) => void,
 * }} SmsContext
 */

/**
 * The small second phone: the codes that the testing service has sent, newest first.
 *
 * @param {SmsContext} context
 */
export function createSmsPanel(context) {
  const { t } = context
  const list = h('ol', { class: 'sms-list' })
  const log = h('div', { class: 'sms-log', role: 'log', 'aria-live': 'polite', 'aria-label': t.sms }, list)
  const refresh = oneStop(list)
  const element = h(
    'section',
    { class: 'panel sms-phone', 'aria-label': t.sms },
    h('h2', {}, icon('mail'), t.sms),
    log,
  )
  return {
    element,
    /** @param {Sms[]} all newest first */
    update(all) {
      const items = all.map((sms) => h('li', { class: 'sms' }, ...smsContent(sms, context)))
      fill(list, ...(items.length > 0 ? items : [h('li', { class: 'hint' }, t.noSms)]))
      refresh()
    },
  }
}

const bannerMs = 15_000

/**
 * A new SMS as a notification at the top of a narrow screen, which does not show the small phone.
 *
 * @param {SmsContext} context
 */
export function createSmsBanner(context) {
  const element = h('div', { class: 'sms sms-banner', role: 'status', hidden: true })
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  /** Moves the chat below the banner, so that it covers nothing. */
  const makeRoom = () => document.body.style.setProperty('--banner', `${element.offsetHeight}px`)
  function hide() {
    element.hidden = true
    fill(element)
    makeRoom()
  }
  return {
    element,
    /** @param {Sms} sms */
    show(sms) {
      clearTimeout(timer)
      timer = setTimeout(hide, bannerMs)
      element.hidden = false
      fill(
        element,
        ...smsContent(sms, context, hide),
        button({ class: 'icon-button', label: context.t.close, onclick: hide }, icon('close')),
      )
      makeRoom()
    },
  }
}

/** @param {Sms} sms @param {SmsContext} context @param {() => void} [used] */
function smsContent({ mobile, code, at }, { t, format, copy, insert }, used) {
  /** @param {(code: string) => void} use */
  const using = (use) => () => {
    use(code)
    used?.()
  }
  return [
    h(
      'div',
      { class: 'sms-head' },
      h('b', {}, t.smsFrom),
      h('span', {}, `${t.smsTo} `, h('bdi', { dir: 'ltr' }, mobile)),
      h('time', { datetime: new Date(at).toISOString() }, format.time(at)),
    ),
    h('p', { class: 'sms-text', 'data-code': code }, t.smsCode(`\u2066${code}\u2069`)),
    h(
      'div',
      { class: 'sms-buttons' },
      button({ class: 'chip', onclick: using(copy) }, icon('copy'), t.copyCode),
      button({ class: 'chip', onclick: using(insert) }, icon('keyboard'), t.insertCode),
    ),
  ]
}
