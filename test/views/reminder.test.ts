import { expect, test } from 'vitest'
import { type Recalled, reminderView } from '../../src/views/reminder.ts'
import { fitsMessage, type View } from '../../src/views/view.ts'
import { texts } from '../words.ts'

const t = texts.for('fa')

const begun = (count: number): Recalled[] =>
  Array.from({ length: count }, (_, index) => ({
    s: `s${index}`,
    title: 'آزمونی با نامی بسیار بلند '.repeat(20),
    standing: { at: 'questions', answered: 999, total: 1000 },
  }))

const waysOf = ({ keyboard = [] }: View) =>
  keyboard.map(([way]) => way && 'callback_data' in way && way.callback_data)

test.each([21, 28, 49])('a reminder names each of %d unfinished tests, with a button', (count) => {
  const view = reminderView(t, begun(count))
  expect(fitsMessage(view.text)).toBe(true)
  expect(view.text.split('\n\n')).toHaveLength(1 + count)
  expect(waysOf(view)).toEqual([...begun(count).map(({ s }) => `open:${s}`), 'remind:off'])
})

test('a reminder names as many unfinished tests as fit, and counts the rest', () => {
  const { text, keyboard = [] } = reminderView(t, begun(90))
  expect(fitsMessage(text)).toBe(true)
  expect(text).toContain(t('reminder-several', { count: 90 }))
  const named = text.split('\n\n').length - 2
  expect(named).toBeGreaterThan(49)
  expect(text).toContain(t('reminder-more', { count: 90 - named }))
  expect(keyboard).toHaveLength(50)
})

test('the person after an endless title stays readable', () => {
  const two = begun(2).map((test, at) => ({
    ...test,
    title: `${test.title} · ${at === 0 ? 'سارا' : 'زهرا'}`,
  }))
  const { text, keyboard = [] } = reminderView(t, two)
  for (const [at, name] of ['سارا', 'زهرا'].entries()) {
    expect(keyboard[at]?.[0]?.text.endsWith(`… · ${name}`)).toBe(true)
    expect(text).toContain(`… · ${name}`)
  }
})

test('a package whose tests are done is named by its report', () => {
  const [one, two] = begun(2)
  const { text } = reminderView(t, [
    { s: 'x', title: 'خانواده', standing: { at: 'report' } },
    ...(one && two ? [one, two] : []),
  ])
  expect(text).toContain(t('tests-line', { number: 1, title: 'خانواده', state: t.plain('stage-report') }))
})
