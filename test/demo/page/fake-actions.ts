import type { createFakeTalk, FakeChats } from './fake-chats.ts'

type Body = Record<string, unknown>
type Reply = [status: number, body?: unknown]

/** The reactions of the real server to a person's actions. */
export function createFakeActions(
  { of, change, ids }: FakeChats,
  { post, edit, receive }: ReturnType<typeof createFakeTalk>,
  calls: readonly unknown[],
): (id: number, action: string, body: Body) => Reply {
  const person = (id: number) => of(id).person
  const setBlocked = (id: number, blocked: boolean): Reply => {
    change(id, 'person', { ...person(id), blocked })
    return [204]
  }
  const actions: Record<string, (id: number, body: Body) => Reply> = {
    start(id, { payload }) {
      change(id, 'person', { ...person(id), started: true, blocked: false })
      post(id, { from: 'person', text: `/start ${payload ?? ''}`.trim() })
      return [204]
    },
    block: (id) => setBlocked(id, true),
    unblock: (id) => setBlocked(id, false),
    say(id, { text, replyTo }) {
      const reply = typeof replyTo === 'number' && { replyTo }
      return [201, { messageId: post(id, { from: 'person', text: String(text), ...reply }) }]
    },
    forward(id, { messageId, to }) {
      const { text = '' } = of(id).messages.find((message) => message.id === messageId) ?? {}
      receive(Number(to), { sender: person(id).firstName, origin: 'پرسا', text })
      return [204]
    },
    share(id, { text, to }) {
      receive(Number(to), { sender: person(id).firstName, text: String(text) })
      return [204]
    },
    dismiss(id, { messageId }) {
      const left = (of(id).received ?? []).filter((received) => received.id !== messageId)
      change(id, 'received', left)
      return [204]
    },
    edit(id, { messageId, text }) {
      edit(id, Number(messageId), { text: String(text) })
      return [204]
    },
    contact(id, { own }) {
      const { phone, firstName } = person(id)
      const contact = { phone, firstName, own: own !== false }
      return [201, { messageId: post(id, { from: 'person', contact }) }]
    },
    tap: () => [200, { callbackId: `c${calls.length}` }],
  }
  return (id, action, body) => actions[action]?.(id, body) ?? [201, { messageId: ids.next++ }]
}
