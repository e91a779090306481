import { expect, test } from 'vitest'
import { createChatHandler } from '../../src/inbox/chat.ts'
import type { ChatMessage } from '../../src/queue/chat-message.ts'
import type { Task } from '../../src/queue/job.ts'

const known = { chatId: 1, s: 'abc' }
const trouble = (epoch?: number): ChatMessage => ({
  ...known,
  type: 'event',
  event: { kind: 'trouble', epoch },
})
const news: ChatMessage[] = [
  trouble(),
  { ...known, type: 'event', event: { kind: 'board-changed' } },
  { ...known, type: 'outcome', id: 'call', kind: 'open', outcome: { ok: false, code: 'not_found' } },
]

test.each(news)('a notice to a forgotten account ($type) does not begin a new one', async (body) => {
  const written: unknown[] = []
  const work = {
    get: async () => undefined,
    put: (...document: unknown[]) => written.push(document),
  }
  const handle = createChatHandler({ life: 'this one' } as Parameters<typeof createChatHandler>[0])
  await handle({ id: 'forgotten', body, work } as unknown as Task<unknown>).catch(() => undefined)
  expect(written).toEqual([])
})
