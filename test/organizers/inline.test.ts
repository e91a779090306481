import { expect, test } from 'vitest'
import { createInlineInvitations } from '../../src/inbox/inline-invitations.ts'
import { loadTexts } from '../../src/texts/texts.ts'

test.each([
  [7, 'i_abcdefgh2345', 1],
  [7, ' i_abcdefgh2345 ', 1],
  [7, 'record_0f8fad5b-d9cb-469f-a165-70867728950e', 0],
  [7, '', 0],
  [8, 'i_abcdefgh2345', 0],
])('to %d «%s» offers %d invitations', async (id, query, count) => {
  const answers: unknown[][] = []
  const offer = createInlineInvitations({
    api: {
      answerInlineQuery: async (_: string, results: readonly unknown[]) => {
        answers.push([...results])
        return true as const
      },
    },
    config: { organizers: [7], locale: 'fa' },
    texts: loadTexts(),
    username: () => 'porsa_bot',
  })
  await offer({ id: 'q', from: { id, is_bot: false, first_name: 'x' }, query, offset: '' })
  expect(answers[0]).toHaveLength(count)
  if (count > 0) expect(JSON.stringify(answers)).toContain('https://t.me/porsa_bot?start=i_abcdefgh2345')
})
