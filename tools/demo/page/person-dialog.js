import { button, h } from './dom.js'

/** @import { NewPerson } from '../api.ts' */

const names = {
  fa: ['سارا', 'علی', 'مریم', 'رضا', 'نرگس', 'امیر', 'لیلا', 'حسین'],
  en: ['Sara', 'Ali', 'Maryam', 'Reza', 'Narges', 'Amir', 'Leila', 'Hossein'],
}

/**
 * Asks for the name and phone number of a new person; both are suggested, so that "add" is enough.
 *
 * @param {import('./texts.js').Texts} t
 * @param {import('./texts.js').Language} language
 * @param {number} count the number of people so far
 * @param {(person: NewPerson) => Promise<boolean>} add returns whether it worked
 */
export function askForPerson(t, language, count, add) {
  const number = String(count + 1).padStart(2, '0')
  const firstName = h('input', {
    name: 'firstName',
    required: true,
    maxlength: 64,
    dir: 'auto',
    value: names[language][count % 8],
  })
  const lastName = h('input', { name: 'lastName', maxlength: 64, dir: 'auto' })
  const phone = h('input', {
    name: 'phone',
    type: 'tel',
    required: true,
    dir: 'ltr',
    value: `+9891200000${number}`,
  })
  const tongue = h(
    'select',
    { name: 'languageCode' },
    h('option', { value: 'fa', selected: language === 'fa' }, 'فارسی'),
    h('option', { value: 'en', selected: language === 'en' }, 'English'),
  )
  const failure = h('p', { class: 'form-failure', role: 'alert' })
  const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) =>
    h('label', { class: 'field' }, h('span', {}, label), input)
  const form = h(
    'form',
    { method: 'dialog', onsubmit: submit },
    h('h2', {}, t.addPerson),
    field(t.firstName, firstName),
    field(t.lastName, lastName),
    field(t.phone, phone),
    field(t.appLanguage, tongue),
    failure,
    h(
      'div',
      { class: 'dialog-buttons' },
      button({ class: 'dialog-button', onclick: () => dialog.close() }, t.cancel),
      h('button', { type: 'submit', class: 'dialog-button yes' }, t.add),
    ),
  )
  const dialog = h('dialog', { class: 'person-dialog', 'aria-label': t.addPerson }, form)
  dialog.addEventListener('close', () => dialog.remove())

  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault()
    const person = {
      firstName: firstName.value.trim(),
      phone: phone.value.trim(),
      languageCode: tongue.value,
    }
    const whole = lastName.value.trim() ? { ...person, lastName: lastName.value.trim() } : person
    if (await add(whole)) dialog.close()
    else failure.textContent = t.personFailed
  }

  document.body.append(dialog)
  dialog.showModal()
  firstName.select()
}
