import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { equals, isOf } from '../../tools/mutate/equal.ts'
import { mutantsIn } from '../../tools/mutate/mutants.ts'

test.each(equals)('$file: $code, instead $instead, is a change of the code', (equal) => {
  const code = readFileSync(new URL(`../../${equal.file}`, import.meta.url), 'utf8')
  const found = mutantsIn(code).mutants.filter((mutant) => isOf({ ...mutant, file: equal.file, code }, equal))
  expect(found.length).toBeGreaterThan(0)
})

test('a loop is counted where it asks whether it goes on, and a call is changed only where another is like it', () => {
  const { mutants, turns } = mutantsIn('function f() { while (a.some(b)) c.toString() }')
  expect(turns).toEqual([{ at: 22, code: 'mutation.turns(), ' }])
  expect(mutants.map(({ instead }) => instead)).toEqual(['a.every(b)', 'undefined'])
})
