import { type DefaultTreeAdapterTypes, parse } from 'parse5'
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
  expect(file.replace(/<meta [^>]*Policy[^>]*><meta charset="utf-8">/, '')).toBe(html)
})

test('the policy lets a report show its own styles, fonts and pictures, and lets nothing load, send or lead elsewhere', () => {
  const [, policy = ''] =
    /^<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(underPolicy('')) ?? []
  expect(policy.split('; ').sort()).toEqual([
    "base-uri 'none'",
    "default-src 'none'",
    'font-src data:',
    "form-action 'none'",
    'img-src data:',
    "style-src 'unsafe-inline'",
  ])
})

/** All elements of a page, in order. */
const elementsOf = (node: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Element[] => {
  const below = 'childNodes' in node ? node.childNodes.flatMap(elementsOf) : []
  return 'tagName' in node ? [node, ...below] : below
}

test.each([
  '<meta http-equiv="refresh" content="0;url=https://x.example/?score=12">',
  "<p>متن</p><META\tcontent='0;url=https://x.example/' http-equiv=&#114;efresh>",
  '<meta name="viewport" a=">" http-equiv="refresh" content="0;url=https://x.example/">',
  '<link rel="dns-prefetch" href="//score-12.x.example"><Link/rel=preconnect href=//x.example>',
])('a page with %j neither redirects nor resolves a host name', (html) => {
  const page = parse(
    underPolicy(`<!doctype html><html><head><title>گزارش</title>${html}</head><body></body></html>`),
  )
  const found = elementsOf(page).filter(({ tagName }) => tagName === 'meta' || tagName === 'link')
  const [policy, ...others] = found.map(({ attrs }) => attrs.map(({ name, value }) => `${name}=${value}`))
  expect(policy).toContain('http-equiv=Content-Security-Policy')
  expect(
    others.flat().filter((each) => !/^(?:charset=utf-8|name=viewport|content=width=)/.test(each)),
  ).toEqual([])
})
