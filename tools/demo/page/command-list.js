import { button, fill, h } from './dom.js'

/** @import { Command } from '../api.ts' */

/**
 * The bot's commands above the input: all of them after the ☰ button, the matching ones while one types.
 *
 * @param {(command: string) => void} choose
 */
export function createCommandList(choose) {
  /** @type {Command[]} */
  let commands = []
  let typed = ''
  let all = false
  const element = h('div', { class: 'command-list', role: 'group', hidden: true })
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    all = false
    draw()
  })

  function draw() {
    const prefix = /^\/\w*$/.test(typed) ? typed.slice(1).toLowerCase() : undefined
    const fitting = all
      ? commands
      : commands.filter((item) => prefix !== undefined && item.command.startsWith(prefix))
    element.hidden = fitting.length === 0
    fill(
      element,
      ...fitting.map(({ command, description }) =>
        button(
          { class: 'command-item', onclick: () => pick(command) },
          h('b', { dir: 'ltr' }, `/${command}`),
          h('span', { dir: 'auto' }, description),
        ),
      ),
    )
  }

  /** @param {string} command */
  function pick(command) {
    all = false
    typed = ''
    draw()
    choose(`/${command}`)
  }

  return {
    element,
    /** @param {Command[]} next */
    update(next) {
      commands = next
      draw()
    },
    /** @param {string} text */
    type(text) {
      typed = text
      all = false
      draw()
    },
    toggle() {
      all = !all
      draw()
      if (all) element.querySelector('button')?.focus()
    },
    close() {
      all = false
      typed = ''
      draw()
    },
  }
}
