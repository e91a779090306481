import { expect, test } from 'vitest'
import type { Config } from '../../src/config.ts'
import { withinBounds } from '../../src/domain/result-bounds.ts'
import { createPictures, createResultParts, messagesOf } from '../../src/jobs/result-parts.ts'
import { createCardRenderer } from '../../src/pictures/card-renderer.ts'
import type { Sender } from '../../src/telegram/sender.ts'
import { MOST_MESSAGES } from '../../src/views/result.ts'
import { MESSAGE_LIMIT, visibleLength } from '../../src/views/view.ts'
import { fileOf, LARGE } from '../../tools/bench/large-result.ts'
import { INVITER, texts, word } from '../words.ts'

const config = INVITER as Config // what a result needs of it
const deps = { texts, config, cards: createCardRenderer() }

test.each(Object.entries(LARGE))('%s make at most ten messages beside the report', async (what, make) => {
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

test('the PDF has the whole result, even what the chat leaves to the report', async () => {
  const interpretation = 'این نتیجه آرام است و جای نگرانی نیست. '.repeat(20)
  const scales = Array.from({ length: 40 }, (_, at) => ({
    title: `مقیاس ${at}`,
    percentile: 50,
    interpretation,
  }))
  const owed = { json: { scales }, html: '<p>', date: 0, parts: [] }
  let said = ''
  const cards: typeof deps.cards = {
    ...deps.cards,
    async report({ lines }) {
      said = lines.map(({ text }) => text).join('\n')
      return Buffer.alloc(0)
    },
  }
  const parts = createResultParts({ ...deps, cards })
  const sender = { document: async () => undefined } as unknown as Sender // what a PDF needs of it
  await parts.send(sender, fileOf('آزمون'), owed, { chatId: 1, language: 'fa', kind: 'pdf', index: 0 })
  expect(said).toContain('مقیاس 39')
  expect(said).not.toContain(word('result-rest-in-report'))
  expect((await messagesOf(deps, fileOf('آزمون'), owed, 'fa')).at(-1)).toContain(
    word('result-rest-in-report'),
  )
})

test('in an English PDF the figures of a Persian scale read from the left, as in the chat', async () => {
  const owed = {
    json: { scales: [{ title: 'اضطراب (GAD-7)', score: -1.5 }] },
    html: '<p>',
    date: 0,
    parts: [],
  }
  let fromLeft: string[] = []
  const cards: typeof deps.cards = {
    ...deps.cards,
    async report({ lines }) {
      fromLeft = lines.flatMap(({ text, isFromLeft }) => (isFromLeft ? [text.replace(/\p{C}/gu, '')] : []))
      return Buffer.alloc(0)
    },
  }
  const sender = { document: async () => undefined } as unknown as Sender // what a PDF needs of it
  const { send } = createResultParts({ ...deps, cards })
  await send(sender, fileOf('آزمون'), owed, { chatId: 1, language: 'en', kind: 'pdf', index: 0 })
  expect(fromLeft).toEqual(['اضطراب (GAD-7): score −1.5'])
})
