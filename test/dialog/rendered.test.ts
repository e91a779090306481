import { expect, test } from 'vitest'
import { createRendered } from '../../src/dialog/rendered.ts'

const screen = { messageId: 5, revision: 9 }
const dated = { date: 100, isNew: false }

test('the newest question of this process is on the screen while its connection holds', () => {
  let connection: number | undefined = 1
  const rendered = createRendered({ connection: () => connection, isOneOfMany: false })
  rendered.begin('s')(screen, dated)
  expect(rendered.shows('s', screen)).toBe(true)
  expect(rendered.shows('s', { ...screen, revision: 10 })).toBe(false)
  expect(rendered.shows('s', { ...screen, messageId: 6 })).toBe(false)
  connection = 2
  expect(rendered.shows('s', screen)).toBe(false)
})

test('a question rendered over an older connection proves nothing', () => {
  let connection = 1
  const rendered = createRendered({ connection: () => connection, isOneOfMany: false })
  const note = rendered.begin('s')
  // Meanwhile another replica renders over it, and then the store goes back.
  connection = 2
  note(screen, dated)
  expect(rendered.shows('s', screen)).toBe(false)
})

test('a question that an earlier attempt has sent proves nothing about the screen', () => {
  const rendered = createRendered({ connection: () => 1, isOneOfMany: false })
  rendered.begin('s')(screen, dated)
  rendered.begin('s', { hasSent: true })(screen, dated)
  expect(rendered.shows('s', screen)).toBe(false)
})

test('with several replicas no rendering proves anything: an older question may come on top', () => {
  const rendered = createRendered({ connection: () => 1, isOneOfMany: true })
  rendered.begin('s')(screen, dated)
  expect(rendered.shows('s', screen)).toBe(false)
})

const later = { messageId: 5, revision: 10 }
const one = { connection: () => 1, isOneOfMany: false }

test('of two questions sent at the same time neither is known to be on the screen', async () => {
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

test('of two questions sent in sequence the second is on the screen, however early it began', async () => {
  const rendered = createRendered(one)
  const note = rendered.begin('s')
  rendered.begin('s')(screen, dated)
  await rendered.sending('s', async (sentAt) => note(later, dated, sentAt))
  expect(rendered.shows('s', later)).toBe(true)
})

test('a question whose sending failed may be on the screen all the same', async () => {
  const rendered = createRendered(one)
  rendered.begin('s')(screen, dated)
  await rendered.sending('s', async () => Promise.reject(new Error('cut'))).catch(() => undefined)
  expect(rendered.shows('s', screen)).toBe(false)
})
