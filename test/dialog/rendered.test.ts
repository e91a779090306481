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
