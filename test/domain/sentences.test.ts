import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginningOf, everySentence, partsOf, sentencesOf } from '../../src/domain/sentences.ts'

test.each([
  ['One. Two. Three.', 40, 'One. Two. Three.'],
  ['One two', 7, 'One two'],
  ['One.”””” Two', 10, 'One.””””'],
  ['One. Two. Three.', 12, 'One. Two.'],
  ['آرام است؟ بله. و فردا', 16, 'آرام است؟ بله.'],
  ['It is 3.5 of 10. So it goes on', 20, 'It is 3.5 of 10.'],
  ['“One.” Two is long', 10, '“One.”'],
  ['line\nanother one', 8, 'line'],
  ['a sentence without an end', 12, 'a sentence'],
  ['endless'.repeat(3), 10, 'endlessend'],
  ['ab😀', 3, 'ab'],
])('the beginning of %j in %i letters is %j', (text, most, expected) => {
  expect(beginningOf(text, most)).toBe(expected)
})

test('the parts of a text are the whole text, and none is too long', () => {
  const words = fc.array(fc.constantFrom('word', 'end.', 'x'.repeat(30), '😀', '\n', '؟'), { maxLength: 80 })
  fc.assert(
    fc.property(words, (all) => {
      const text = all.join(' ')
      const parts = [...partsOf(text, 20)]
      expect(parts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      for (const part of parts) expect(part.length).toBeLessThanOrEqual(20)
    }),
  )
})

test('a part has no space around it, and is not a space alone', () => {
  expect([...partsOf('One.   Two.   ', 6)]).toEqual(['One.', 'Two.'])
  expect([...partsOf('Seven letters', 5)]).toEqual(['Seven', 'lett', 'ers'])
})

test('a text is split after its first sentences', () => {
  expect(sentencesOf(' One.  Two! Three ', 1)).toEqual(['One.', 'Two! Three'])
  expect(sentencesOf('One. Two! Three', 2)).toEqual(['One. Two!', 'Three'])
  expect(sentencesOf('One. Two', 2)).toEqual(['One. Two', ''])
  expect(everySentence(' One.  Two! Three ')).toEqual(['One.', 'Two!', 'Three'])
  expect(everySentence('One. ')).toEqual(['One.'])
})
