import { h } from './dom.js'
import { createPeoplePanel } from './people-panel.js'
import { askForPerson } from './person-dialog.js'
import { createPhone } from './phone.js'
import { createUnread } from './unread.js'

/** @import { Newest, NewPerson, Person } from '../api.ts' */
/** @import { Phone } from './phone.js' */
/** @import { PhoneContext } from './phone-context.js' */

const sideWidth = 344
const phoneWidth = 376

/**
 * The people and their phones: as many side by side as fit, at most three, the last used ones.
 *
 * @param {{
 *   language: import('./texts.js').Language,
 *   narrow: MediaQueryList,
 *   goHome: (isHome: boolean) => void,
 *   linkUsed: () => void,
 *   firstPerson: number,
 * } & Pick<PhoneContext, 't' | 'format' | 'api'>} parts
 */
export function createDesk({ t, format, api, language, narrow, goHome, linkUsed, firstPerson }) {
  /** @type {Person[]} */
  let people = []
  /** Ids, most recently used first. */
  let recent = [firstPerson]
  const unread = createUnread()
  const stage = h('main', { class: 'stage', id: 'chat', 'data-waiting': t.connecting })
  const add = () => askForPerson(t, language, people.length, addPerson)
  const panel = createPeoplePanel(t, { choose, add })
  stage.addEventListener('pointerdown', ({ target }) => lookAt(personAt(target)))
  stage.addEventListener('focusin', ({ target }) => lookAt(personAt(target)))

  /** @type {PhoneContext} */
  const context = {
    t,
    format,
    api,
    linkUsed,
    goHome: () => goHome(true),
    others: (id) => people.filter((person) => person.id !== id),
    changed(changed) {
      people = people.map((person) => (person.id === changed.id ? changed : person))
    },
  }

  const phones = createPhones(stage, context)

  function shownNow() {
    const room = Math.floor((innerWidth - sideWidth) / phoneWidth)
    return new Set(recent.slice(0, narrow.matches ? 1 : Math.min(Math.max(room, 1), 3)))
  }

  function arrange() {
    const shown = shownNow()
    phones.arrange(people, shown, recent[0])
    drawPeople(shown)
  }

  /** @param {Set<number>} shown */
  function drawPeople(shown) {
    if (!document.hidden) for (const id of shown) unread.see(id)
    panel.update({ people, shown, active: recent[0], isUnread: unread.has })
  }

  /** Takes the newest messages: of all people, or with `news` of those who have just got one. @param {Newest} newest @param {'all' | 'news'} which */
  function heard(newest, which) {
    if (which === 'all') unread.reset(newest)
    else unread.add(newest)
    drawPeople(shownNow())
  }

  /** @param {number} id */
  function lookAt(id) {
    if (!id || id === recent[0]) return
    recent = [id, ...recent.filter((other) => other !== id)]
    arrange()
  }

  /** @param {number} id */
  function choose(id) {
    lookAt(id)
    goHome(false)
  }

  /** @param {NewPerson} person */
  async function addPerson(person) {
    try {
      const added = await api.addPerson(person)
      people = [...people, added]
      choose(added.id)
      return true
    } catch {
      return false
    }
  }

  async function load() {
    people = await api.people()
    phones.keep(people)
    const ids = people.map(({ id }) => id)
    // People who read the page's language come first.
    const reads = (/** @type {Person} */ { languageCode }) => Number(languageCode.startsWith(language))
    const byLanguage = people.toSorted((a, b) => reads(b) - reads(a)).map(({ id }) => id)
    recent = [...recent.filter((id) => ids.includes(id)), ...byLanguage.filter((id) => !recent.includes(id))]
    arrange()
  }

  return {
    stage,
    panel: panel.element,
    strip: panel.strip,
    load,
    arrange,
    heard,
    active: () => (recent[0] === undefined ? undefined : phones.get(recent[0])),
  }
}

/** @param {EventTarget | null} target */
function personAt(target) {
  return Number(/** @type {Element} */ (target).closest('[data-person]')?.getAttribute('data-person'))
}

/** A phone for each person, in their order. @param {HTMLElement} stage @param {PhoneContext} context */
function createPhones(stage, context) {
  /** @type {Map<number, Phone>} */
  const phones = new Map()

  return {
    get: (/** @type {number} */ id) => phones.get(id),
    /** Shows these phones, and makes one for each new person. @param {Person[]} people @param {Set<number>} shown @param {number | undefined} active */
    arrange(people, shown, active) {
      for (const [index, person] of people.entries()) {
        const phone = phones.get(person.id) ?? createPhone(person, context)
        if (!phones.has(person.id)) stage.insertBefore(phone.element, stage.children[index] ?? null)
        phones.set(person.id, phone)
        phone.element.hidden = !shown.has(person.id)
        phone.element.classList.toggle('active', person.id === active)
        // Streams of hidden phones close: a browser keeps six connections to one server, over all tabs.
        if (shown.has(person.id) && !document.hidden) phone.resume()
        else phone.suspend()
      }
    },
    /** Removes the phones of all other people. @param {Person[]} people */
    keep(people) {
      for (const [id, phone] of phones) {
        const person = people.find((each) => each.id === id)
        // A restarted server may have given the id to another person.
        if (person && phone.belongsTo(person)) continue
        phone.suspend()
        phone.element.remove()
        phones.delete(id)
      }
    },
  }
}
