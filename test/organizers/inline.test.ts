import { expect, test } from 'vitest'
import { createInlineOffers } from '../../src/inbox/inline-offers.ts'
import { texts } from '../words.ts'

test.each([
  [7, 'i_abcdefgh2345', 1],
  [7, ' i_abcdefgh2345 ', 1],
  [7, 'record_0f8fad5b-d9cb-469f-a165-70867728950e', 0],
  [7, '', 0],
  [8, 'i_abcdefgh2345', 0],
  [8, 'report BQACAgQAAxkBAAIBZ2Vexample-Id_1', 1],
  [8, 'report short', 0],
])('to %d «%s» offers %d', async (id, query, count) => {
  const answers: unknown[][] = []
  const offer = createInlineOffers({
    api: {
      answerInlineQuery: async (_: string, results: readonly unknown[]) => {
        answers.push([...results])
        return true as const
      },
    },
    config: { organizers: [7], locale: 'fa' },
    texts,
    username: () => 'porsa_bot',
  })
  await offer({ id: 'q', from: { id, is_bot: false, first_name: 'x' }, query, offset: '' })
  expect(answers[0]).toHaveLength(count)
  const brought = query.startsWith('report') ? query.slice(7) : 'https://t.me/porsa_bot?start=i_abcdefgh2345'
  if (count > 0) expect(JSON.stringify(answers)).toContain(brought)
})
