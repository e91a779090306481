import { expect, test } from 'vitest'
import type { Config } from '../../src/config.ts'
import { withinBounds } from '../../src/domain/result-bounds.ts'
import { createPictures, messagesOf } from '../../src/jobs/result-parts.ts'
import { createCardRenderer } from '../../src/pictures/card-renderer.ts'
import { MOST_MESSAGES } from '../../src/views/result.ts'
import { MESSAGE_LIMIT, visibleLength } from '../../src/views/view.ts'
import { fileOf, LARGE } from '../../tools/bench/large-result.ts'
import { INVITER, texts, word } from '../words.ts'

const config = INVITER as Config // all that a result needs of it
const deps = { texts, config, cards: createCardRenderer() }

test.each(Object.entries(LARGE))('%s are at most ten messages beside the report', async (what, make) => {
  const file = fileOf(what)
  const { value, isCut } = withinBounds(make())
  expect(isCut).toBe(true)
  const owed = { json: value, html: '<p>', date: 0, isCut: true as const }
  const pictures = await createPictures(deps)(file, owed, 'fa')
  const messages = await messagesOf(deps, file, owed, 'fa')
  expect(messages.length + pictures.length).toBeLessThanOrEqual(MOST_MESSAGES)
  for (const message of messages) expect(visibleLength(message)).toBeLessThanOrEqual(MESSAGE_LIMIT)
  expect(messages.at(-1)).toContain(word('result-rest-in-report'))
})
