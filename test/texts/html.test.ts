import { expect, test } from 'vitest'
import { escapeHtml, plain } from '../../src/texts/texts.ts'

test('foreign text cannot become markup or turn the line around it', () => {
  expect(escapeHtml('a<b>&"\u202eevil\u2066\u200f')).toBe('a&lt;b&gt;&amp;"evil')
})

test('the half-space of Persian is kept', () => {
  expect(escapeHtml('می\u200cروم')).toBe('می\u200cروم')
})

test('plain returns the words of an HTML text', () => {
  expect(plain(`<b>${escapeHtml('R&D <1> &lt;')}</b> <a href="https://x">y</a>`)).toBe('R&D <1> &lt; y')
})
