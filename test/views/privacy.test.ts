import { describe, expect, test } from 'vitest'
import { forgetView } from '../../src/views/privacy.ts'
import { fitsMessage } from '../../src/views/view.ts'
import { texts } from '../words.ts'

const t = texts.for('fa')
const title = (number: number) => `پرسش‌نامهٔ ${number} دربارهٔ زندگی روزمره`
const shown = (count: number) => {
  const unsent = Array.from({ length: count }, (_, at) => ({ s: `s${at}`, title: title(at) }))
  const kept = { profiles: 0, attempts: count, finished: 0, links: 0, unsent }
  return forgetView(t, kept)
}

test('stored personal details are named even if nothing else is stored', () => {
  const kept = { hasDetails: true, profiles: 0, attempts: 0, finished: 0, links: 0, unsent: [] }
  const { text } = forgetView(t, kept)
  expect(text).toContain(`${t('forget-kept')}\n${t('forget-details')}`)
  expect(text).not.toContain(t('forget-nothing'))
})

describe('data that would be lost is named before anything is deleted', () => {
  test('in the question itself, if it fits into one message', () => {
    const { before, text } = shown(2)
    expect(before).toBeUndefined()
    expect(text).toContain(t('forget-unsent', { title: title(1) }))
  })

  test('in messages before it, if it is more, with no more buttons than Telegram accepts', () => {
    const { before = [], text, keyboard = [] } = shown(120)
    for (const message of [...before, text]) expect(fitsMessage(message)).toBe(true)
    for (const at of [0, 60, 119]) expect(before.join('\n')).toContain(title(at))
    expect(text).toContain(t('forget-ask'))
    expect(keyboard.flat().length).toBeLessThanOrEqual(100)
    expect(keyboard.flat().slice(-2)).toMatchObject([
      { callback_data: 'forget:yes' },
      { callback_data: 'forget:no' },
    ])
  })
})
