import { expect, test } from 'vitest'
import { createDrawn } from '../../src/dialog/drawn.ts'

const screen = { messageId: 5, revision: 9 }
const dated = { date: 100, isNew: false }

test('what this process has drawn last is on the screen while its connection holds', () => {
  let connection: number | undefined = 1
  const drawn = createDrawn({ connection: () => connection, isOneOfMany: false })
  drawn.begin('s')(screen, dated)
  expect(drawn.shows('s', screen)).toBe(true)
  expect(drawn.shows('s', { ...screen, revision: 10 })).toBe(false)
  expect(drawn.shows('s', { ...screen, messageId: 6 })).toBe(false)
  connection = 2
  expect(drawn.shows('s', screen)).toBe(false)
})

test('a screen that was begun over an older connection is no witness once it stands', () => {
  let connection = 1
  const drawn = createDrawn({ connection: () => connection, isOneOfMany: false })
  const note = drawn.begin('s')
  // Meanwhile another replica draws over it, and the store goes back behind that.
  connection = 2
  note(screen, dated)
  expect(drawn.shows('s', screen)).toBe(false)
})

test('a screen that an earlier attempt has sent is no witness of what stands there now', () => {
  const drawn = createDrawn({ connection: () => 1, isOneOfMany: false })
  drawn.begin('s')(screen, dated)
  drawn.begin('s', { hasSaid: true })(screen, dated)
  expect(drawn.shows('s', screen)).toBe(false)
})

test('of several replicas none is a witness: an older question of another may land on top', () => {
  const drawn = createDrawn({ connection: () => 1, isOneOfMany: true })
  drawn.begin('s')(screen, dated)
  expect(drawn.shows('s', screen)).toBe(false)
})
