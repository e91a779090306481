import { oneStop } from './arrows.js'
import { button, fill, h } from './dom.js'

/**
 * Lists, of which one is shown at a time, chosen by tabs above them. An empty list has no tab.
 *
 * @typedef {{ key: string, title: string, count: string, list: HTMLElement }} Tab
 */
export function createTabs() {
  /** @type {Tab[]} */
  let tabs = []
  let chosen = ''
  const bar = h('div', { class: 'tabs', role: 'tablist' })
  const panels = h('div', { class: 'tab-panels' })
  const refresh = oneStop(bar)

  function show() {
    const shown = tabs.some(({ key }) => key === chosen) ? chosen : tabs[0]?.key
    for (const each of bar.children) each.setAttribute('aria-selected', String(each.id === `tab-${shown}`))
    for (const each of panels.children) {
      if (each instanceof HTMLElement) each.hidden = each.id !== `panel-${shown}`
    }
  }

  /** @param {string} key */
  function choose(key) {
    chosen = key
    show()
  }

  return {
    bar,
    panels,
    /** @param {Tab[]} next */
    update(next) {
      tabs = next
      const focused = document.activeElement?.id
      fill(
        bar,
        ...next.map(({ key, title, count }) =>
          button(
            {
              class: 'tab',
              role: 'tab',
              id: `tab-${key}`,
              'aria-controls': `panel-${key}`,
              onclick: () => choose(key),
              onfocus: () => choose(key),
            },
            title,
            h('span', { class: 'count' }, count),
          ),
        ),
      )
      const panel = (/** @type {Tab} */ { key, list }) =>
        h('div', { role: 'tabpanel', id: `panel-${key}`, 'aria-labelledby': `tab-${key}` }, list)
      fill(panels, ...next.map(panel))
      bar.hidden = next.length < 2
      show()
      refresh()
      if (focused?.startsWith('tab-')) document.getElementById(focused)?.focus({ preventScroll: true })
    },
  }
}
