import { expect, test } from 'vitest'
import { writeKeyTypes } from '../../tools/texts/key-types.ts'

const body = (fa: string, en = fa) => writeKeyTypes([fa, en]).split('export type TextVariables = ')[1]

test('a key without variables has the type undefined', () => {
  expect(body('welcome = hi\nhelp-me = x')).toContain("  welcome: undefined\n  'help-me': undefined\n")
})

test('a counted variable is a number, a variable printed as a date is a Date', () => {
  const fa = `
a = { $n ->
    [0] none
    [one] one
   *[other] { $n } of { $name }
  }
b = { DATETIME($day, month: "long") } { NUMBER($y, useGrouping: 0) }
c = { $gender ->
   *[male] m
    [female] f
  }`
  expect(body(fa)).toContain(
    '  a: { n: number; name: Value }\n  b: { day: Date; y: number }\n  c: { gender: Value }\n',
  )
})

test('the narrower use of the two languages wins', () => {
  expect(body('a = { $n }', 'a = { NUMBER($n) }')).toContain('a: { n: number }')
  expect(() => body('a = { DATETIME($n) }', 'a = { NUMBER($n) }')).toThrow('both as')
})

test('a text needs the variables of the texts that it refers to', () => {
  expect(body('a = { b } { b.c }\nb = { $x }\n  .c = { $y }')).toContain('a: { x: Value; y: Value }')
})

test('a broken line or a key that one language lacks is refused', () => {
  expect(() => body('a = { $open')).toThrow('Broken text: a = { $open')
  expect(() => body('a = x\nb = y', 'a = x')).toThrow('b is missing in one language')
})

test('a long line is broken as the formatter wants it', () => {
  const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'].map(
    (n) => `{ $${n}_name }`,
  )
  expect(body(`a = ${names.join(' ')}`)).toContain('  a: {\n    fifth_name: Value\n')
})
