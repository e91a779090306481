import { expect, test } from 'vitest'
import { createRendered } from '../../src/dialog/rendered.ts'

const screen = { messageId: 5, revision: 9 }
const dated = { date: 100, isNew: false }

test('what this process has rendered last is on the screen while its connection holds', () => {
  let connection: number | undefined = 1
  const rendered = createRendered({ connection: () => connection, isOneOfMany: false })
  rendered.begin('s')(screen, dated)
  expect(rendered.shows('s', screen)).toBe(true)
  expect(rendered.shows('s', { ...screen, revision: 10 })).toBe(false)
  expect(rendered.shows('s', { ...screen, messageId: 6 })).toBe(false)
  connection = 2
  expect(rendered.shows('s', screen)).toBe(false)
})

test('a screen that was begun over an older connection is no witness once it stands', () => {
  let connection = 1
  const rendered = createRendered({ connection: () => connection, isOneOfMany: false })
  const note = rendered.begin('s')
  // Meanwhile another replica draws over it, and the store goes back behind that.
  connection = 2
  note(screen, dated)
  expect(rendered.shows('s', screen)).toBe(false)
})

test('a screen that an earlier attempt has sent is no witness of what stands there now', () => {
  const rendered = createRendered({ connection: () => 1, isOneOfMany: false })
  rendered.begin('s')(screen, dated)
  rendered.begin('s', { hasSent: true })(screen, dated)
  expect(rendered.shows('s', screen)).toBe(false)
})

test('of several replicas none is a witness: an older question of another may land on top', () => {
  const rendered = createRendered({ connection: () => 1, isOneOfMany: true })
  rendered.begin('s')(screen, dated)
  expect(rendered.shows('s', screen)).toBe(false)
})

const later = { messageId: 5, revision: 10 }
const one = { connection: () => 1, isOneOfMany: false }

test('of two that were on their way together nobody knows which one stands there', async () => {
  const rendered = createRendered(one)
  const note = rendered.begin('s')
  await rendered.sending('s', async (sentAt) => {
    rendered.begin('s')(later, dated)
    expect(rendered.shows('s', later)).toBe(false)
    note(screen, dated, sentAt)
  })
  expect([rendered.shows('s', screen), rendered.shows('s', later)]).toEqual([false, false])
  expect(rendered.showing('s', 9)).toBeUndefined()
  rendered.begin('s')(later, dated)
  expect(rendered.shows('s', later)).toBe(true)
})

test('of two that followed each other the last one stands there, however early it was begun', async () => {
  const rendered = createRendered(one)
  const note = rendered.begin('s')
  rendered.begin('s')(screen, dated)
  await rendered.sending('s', async (sentAt) => note(later, dated, sentAt))
  expect(rendered.shows('s', later)).toBe(true)
})

test('what failed may stand there all the same', async () => {
  const rendered = createRendered(one)
  rendered.begin('s')(screen, dated)
  await rendered.sending('s', async () => Promise.reject(new Error('cut'))).catch(() => undefined)
  expect(rendered.shows('s', screen)).toBe(false)
})
