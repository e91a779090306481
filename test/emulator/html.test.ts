import { expect, test } from 'vitest'
import { cleanText } from '../../tools/emulator/clean-text.ts'
import { withDetectedEntities } from '../../tools/emulator/detect-entities.ts'
import { parseHtml } from '../../tools/emulator/html.ts'

test('tags become entities that count UTF-16 code units', () => {
  expect(parseHtml('🙂 <b>سلام <i>دنیا</i></b> &lt;&amp;&gt; &#1632;&#x6F1;')).toEqual({
    text: '🙂 سلام دنیا <&> ٠۱',
    entities: [
      { type: 'bold', offset: 3, length: 9 },
      { type: 'italic', offset: 8, length: 4 },
    ],
  })
})

test.each([
  ['<strong>x</strong>', { type: 'bold' }],
  ['<em>x</em>', { type: 'italic' }],
  ['<ins>x</ins>', { type: 'underline' }],
  ['<del>x</del>', { type: 'strikethrough' }],
  ['<span class="tg-spoiler">x</span>', { type: 'spoiler' }],
  ['<code>x</code>', { type: 'code' }],
  ['<pre>x</pre>', { type: 'pre' }],
  ['<pre><code class="language-ts">x</code></pre>', { type: 'pre', language: 'ts' }],
  ['<blockquote>x</blockquote>', { type: 'blockquote' }],
  ['<blockquote expandable>x</blockquote>', { type: 'expandable_blockquote' }],
  [
    '<a href="https://example.org/?a=1&amp;b=2">x</a>',
    { type: 'text_link', url: 'https://example.org/?a=1&b=2' },
  ],
  ['<a href="example.org">x</a>', { type: 'text_link', url: 'http://example.org/' }],
  [
    '<tg-time unix=\'1790000000\' format="D">x</tg-time>',
    { type: 'date_time', unix_time: 1790000000, date_time_format: 'D' },
  ],
])('the entity of %s is read', (source, entity) => {
  expect(parseHtml(source)).toEqual({ text: 'x', entities: [{ ...entity, offset: 0, length: 1 }] })
})

test('invalid links, unknown references and a missing semicolon stay as they are', () => {
  expect(parseHtml('<a href="javascript:1">x</a>&nbsp;&lt3')).toEqual({ text: 'x&nbsp;<3', entities: [] })
})

test.each([
  ['<p>x</p>', 'Unsupported start tag "p" at byte offset 0'],
  ['سن < ۵', 'Unsupported start tag "" at byte offset 5'],
  ['<b>x', 'Can\'t find end tag corresponding to start tag "b"'],
  ['<b>x</i>', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
  ['x</b>', 'Unexpected end tag at byte offset 1'],
  ['x <b', 'Unclosed start tag at byte offset 2'],
  ['<a href="x', 'Unclosed start tag "a" at byte offset 0'],
  ['<b>x</b', 'Unclosed end tag at byte offset 4'],
  ['<span>x</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
  ['<a ="x">y</a>', 'Empty attribute name in the tag "a" at byte offset 0'],
  ['<a href=x/y>z</a>', 'Unexpected end of name token at byte offset 8'],
])('%s is refused', (source, message) => {
  expect(() => parseHtml(source)).toThrow(`Bad Request: can't parse entities: ${message}`)
})

test('the server removes direction embeddings and keeps ZWNJ, single marks and isolates', () => {
  const kept = 'می\u200cروم \u200fx\u2068y\u2069'
  expect(cleanText({ text: `\u202b${kept}\u202c\r\u2028`, entities: [] }).text).toBe(kept)
  expect(cleanText({ text: 'a\tb\u0007c', entities: [] }).text).toBe('a b c')
  expect(cleanText({ text: 'a\u200f\u200e\u200fb', entities: [] }).text).toBe('a\u200c\u200c\u200fb')
})

test('entities move with the text that is removed before them', () => {
  const entities = [
    { type: 'bold' as const, offset: 3, length: 3 },
    { type: 'italic' as const, offset: 6, length: 2 },
  ]
  expect(cleanText({ text: ' \u202b\nabc  ', entities })).toEqual({
    text: 'abc',
    entities: [{ type: 'bold', offset: 0, length: 3 }],
  })
})

test('a text without visible characters becomes empty', () => {
  expect(cleanText({ text: ' \u200c\u200f\n', entities: [] }).text).toBe('')
})

test('commands, links, mentions, tags and addresses are found, except inside code', () => {
  const found = (text: string) =>
    withDetectedEntities({ text, entities: [] }).entities.map(({ type, offset, length }) => [
      type,
      text.slice(offset, offset + length),
    ])
  expect(found('/start record_1')).toEqual([['bot_command', '/start']])
  expect(found('به https://example.org/a، یا @porsa_bot #آزمون a@b.ir')).toEqual([
    ['url', 'https://example.org/a'],
    ['mention', '@porsa_bot'],
    ['hashtag', '#آزمون'],
    ['email', 'a@b.ir'],
  ])
  expect(found('۱/۲ and/or')).toEqual([])
  const code = [{ type: 'code' as const, offset: 0, length: 5 }]
  expect(withDetectedEntities({ text: '/help', entities: code }).entities).toEqual(code)
})
