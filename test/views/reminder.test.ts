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

test.each([21, 49, 90])('a reminder names each of %d unfinished tests, the first with a button', (count) => {
  const view = reminderView(t, begun(count))
  const messages = [...(view.before ?? []), view.text]
  expect(messages.every(fitsMessage)).toBe(true)
  expect(messages.join('\n\n').split('\n\n')).toHaveLength(1 + count)
  const named = begun(Math.min(count, 49))
  expect(waysOf(view)).toEqual([...named.map(({ s }) => `open:${s}`), 'remind:off'])
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
