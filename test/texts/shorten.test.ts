import { expect, test } from 'vitest'
import { shorten } from '../../src/texts/texts.ts'

test.each([
  ['', 3, ''],
  ['سلام', 4, 'سلام'],
  ['سلام', 3, 'سل…'],
  ['🙂🙂🙂', 3, '🙂🙂🙂'],
  ['🙂🙂🙂🙂', 3, '🙂🙂…'],
])('%s is shortened to %i letters', (text, most, shown) => {
  expect(shorten(text, most)).toBe(shown)
})
