import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ChatMessage, ChatState, Entity } from '../../tools/demo/api.ts'

type Piece = string | { entity: Entity; text: string; children: Piece[] }

const from = (name: string) => import(new URL(`../../tools/demo/page/${name}`, import.meta.url).href)
const styles = new URL('../../tools/demo/page/style/', import.meta.url)
const { nestEntities } = await from('entities.js')
const { startPayload, safeAddress, validPayload } = await from('links.js')
const { applyEvent } = await from('chat-state.js')
const { textsOf } = await from('texts.js')

/** The nesting as a text, such as `bold(italic(x))y`. */
function shape(text: string, entities: Entity[]): string {
  const write = (pieces: Piece[]): string =>
    pieces
      .map((piece) => (typeof piece === 'string' ? piece : `${piece.entity.type}(${write(piece.children)})`))
      .join('')
  return write(nestEntities(text, entities))
}
const mark = (type: Entity['type'], offset: number, length: number): Entity => ({ type, offset, length })

describe('entities', () => {
  test.each<[string, string, Entity[], string]>([
    ['no entities', 'سلام', [], 'سلام'],
    ['an emoji before counts as two units', '😀 بله', [mark('bold', 3, 3)], '😀 bold(بله)'],
    ['nested', 'abcd', [mark('bold', 0, 4), mark('italic', 1, 2)], 'bold(aitalic(bc)d)'],
    ['given inner first', 'abcd', [mark('italic', 1, 2), mark('bold', 0, 4)], 'bold(aitalic(bc)d)'],
    ['crossing is cut', 'abcd', [mark('bold', 0, 2), mark('italic', 1, 3)], 'bold(aitalic(b))italic(cd)'],
    [
      'a quote holds what covers it whole',
      'ab',
      [mark('bold', 0, 2), mark('blockquote', 0, 2)],
      'blockquote(bold(ab))',
    ],
    ['the break behind a block goes', 'ab\n\ncd', [mark('pre', 0, 2)], 'pre(ab)\ncd'],
    ['beyond the text', 'ab', [mark('bold', 1, 99), mark('italic', 7, 2), mark('code', -3, 2)], 'abold(b)'],
  ])('%s', (_, text, entities, expected) => {
    expect(shape(text, entities)).toBe(expected)
  })
})

describe('links', () => {
  test.each([
    ['https://t.me/porsa_bot?start=record_1', 'record_1'],
    ['http://telegram.me/Porsa_Bot?start=i_ab-2', 'i_ab-2'],
    ['tg://resolve?domain=porsa_bot&start=x', 'x'],
    ['https://t.me/porsa_bot', ''],
    ['https://t.me/porsa_bot?start=%D8%B3', ''],
    ['https://t.me/other_bot?start=x', undefined],
    ['https://example.org/porsa_bot?start=x', undefined],
    ['not a link', undefined],
  ])('the start payload is read from %s', (link, payload) => {
    expect(startPayload(link, 'porsa_bot')).toBe(payload)
  })

  test.each([
    ['example.org/x', 'https://example.org/x'],
    ['localhost:8080/x', 'https://localhost:8080/x'],
    ['http://example.org', 'http://example.org/'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
    ['tel:+98912', 'tel:+98912'],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['file:///etc/passwd', undefined],
  ])('the safe address is made of %s', (link, address) => {
    expect(safeAddress(link)).toBe(address)
  })

  test('a payload longer than 64 characters is invalid', () => {
    expect(validPayload('a'.repeat(64))).toHaveLength(64)
    expect(validPayload('a'.repeat(65))).toBeUndefined()
    expect(validPayload(null)).toBeUndefined()
  })
})

describe('the state of a chat', () => {
  const message = (id: number, text = ''): ChatMessage => ({ id, from: 'bot', date: 0, text })
  const person = { id: 1, firstName: 'a', phone: '+98', languageCode: 'fa', started: true, blocked: false }
  const state: ChatState = {
    person,
    bot: { username: 'b', name: 'b' },
    messages: [message(1), message(5)],
    commands: [],
    typing: { action: 'typing', until: 9 },
    replyKeyboard: { messageId: 1, rows: [] },
  }
  const ids = (next: ChatState) => next.messages.map(({ id }) => id)

  test('a message that overtook another one finds its place, and a known one is replaced', () => {
    const late = applyEvent(state, 'message', message(3))
    expect(ids(late)).toEqual([1, 3, 5])
    const again = applyEvent(late, 'message', message(3, 'x'))
    expect(ids(again)).toEqual([1, 3, 5])
    expect(again.messages[1].text).toBe('x')
  })

  test('a repeated state keeps the messages that did not change', () => {
    const fresh = structuredClone(state)
    fresh.messages[1] = message(5, 'edited')
    const next = applyEvent(state, 'chat', fresh)
    expect(next.messages[0]).toBe(state.messages[0])
    expect(next.messages[1]).not.toBe(state.messages[1])
  })

  test('an event without a keyboard or typing removes it', () => {
    expect(applyEvent(state, 'keyboard', {})).not.toHaveProperty('replyKeyboard')
    expect(applyEvent(state, 'typing', { until: 0 })).not.toHaveProperty('typing')
  })

  test('deleted messages disappear, and nothing is drawn before the whole state has come', () => {
    expect(ids(applyEvent(state, 'deleted', { messageIds: [1, 7] }))).toEqual([5])
    expect(applyEvent(undefined, 'message', message(3))).toBeUndefined()
  })
})

test('both languages of the page say the same things', () => {
  const fa = textsOf('fa')
  const en = textsOf('en')
  expect(Object.keys(en)).toEqual(Object.keys(fa))
  for (const [key, value] of Object.entries(en)) expect(typeof value, key).toBe(typeof fa[key])
})

test('the page uses the words of the bot', () => {
  const words = Object.values(textsOf('fa')).flat().map(String).join('\n')
  expect(words).not.toMatch(/پیوند|گفت‌وگو|پرونده|فرمان|رونوشت|برگزین|بکوش/)
})

test('hover styles apply only where there is a pointer', () => {
  for (const name of readdirSync(styles)) {
    const style = readFileSync(new URL(name, styles), 'utf8')
    const withPointer = /@media \(hover: hover\) \{\n(?: .*\n)+\}/g
    expect(style.replace(withPointer, ''), name).not.toContain(':hover')
  }
})
