import { parse } from 'parse5'
import { expect, test } from 'vitest'
import { underPolicy } from '../../src/pictures/policy.ts'

test.each([
  [
    '<!DOCTYPE html><html lang="fa"><head><title>گزارش</title></head><body><p>متن</p></body></html>',
    'no-quirks',
  ],
  ['\uFEFF\n<!doctype html>\n<script>send()</script><p>متن</p>', 'no-quirks'],
  ['<p>متن</p>', 'quirks'],
  ['', 'quirks'],
])('in %j the policy is the first thing in the head', (html, mode) => {
  const file = underPolicy(html)
  const page = parse(file.replace('\uFEFF', '')) // a browser drops it while decoding
  expect(page.mode).toBe(mode)
  const root = page.childNodes.find(({ nodeName }) => nodeName === 'html')
  const head = root && 'childNodes' in root ? root.childNodes[0] : undefined
  const first = head && 'childNodes' in head ? head.childNodes[0] : undefined
  expect([head?.nodeName, first?.nodeName]).toEqual(['head', 'meta'])
  expect(file).toMatch(/http-equiv="Content-Security-Policy" content="default-src 'none';/)
  expect(file.replace(/<meta [^>]*Policy[^>]*>/, '')).toBe(html)
})
