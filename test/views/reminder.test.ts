import { expect, test } from 'vitest'
import { type Recalled, reminderView } from '../../src/views/reminder.ts'
import { fitsMessage } from '../../src/views/view.ts'
import { texts } from '../words.ts'

const t = texts.for('fa')

const begun = (count: number): Recalled[] =>
  Array.from({ length: count }, (_, index) => ({
    s: `s${index}`,
    title: 'آزمونی با نامی بسیار بلند '.repeat(20),
    standing: { at: 'questions', answered: 999, total: 1000 },
  }))

test('as many unfinished tests as a message bears are named, the rest are counted', () => {
  const { text, keyboard = [] } = reminderView(t, begun(60))
  expect(fitsMessage(text)).toBe(true)
  expect(text).toContain(t('reminder-several', { count: 60 }))
  expect(text).toContain(t('reminder-more', { count: 40 }))
  expect(keyboard.map(([way]) => way && 'callback_data' in way && way.callback_data)).toEqual([
    ...begun(20).map(({ s }) => `open:${s}`),
    'remind:off',
  ])
})

test('of a package whose tests are done the report is named', () => {
  const [one, two] = begun(2)
  const { text } = reminderView(t, [
    { s: 'x', title: 'خانواده', standing: { at: 'report' } },
    ...(one && two ? [one, two] : []),
  ])
  expect(text).toContain(t('tests-line', { number: 1, title: 'خانواده', state: t.plain('stage-report') }))
})
