import { expect, test } from 'vitest'
import { traceOf } from '../../src/observe/logger.ts'
import {
  actorClass,
  actorId,
  actorKind,
  actorKinds,
  actorName,
  traceMessage,
} from '../../src/queue/actors.ts'

test.each([
  ['chat:7', 'chat', 'chat', '7'],
  ['call:s:7', 'call', 'service', 's:7'],
  ['notices-due:x', 'notices-due', 'here', 'x'],
  ['visit:7', 'visit', 'visits', '7'],
  ['event:7', 'event', 'outside', '7'],
  ['stranger:7', undefined, 'chat', '7'],
])('%s is of the kind %s and the class %s, with the id %s', (actor, kind, group, id) => {
  expect([actorKind(actor), actorClass(actor), actorId(actor)]).toEqual([kind, group, id])
  if (kind) expect(actorName(kind as 'chat', id)).toBe(actor)
})

test('chats are handled first, and each kind is listed once', () => {
  expect(actorKinds[0]).toBe('chat')
  expect(new Set(actorKinds).size).toBe(actorKinds.length)
})

test.each([
  ['chat:7', { update: { update_id: 1, message: {} }, onBehalf: { who: '8' } }, '7', 'message'],
  ['call:s', { onBehalf: { who: '8' }, call: { kind: 'code' }, kind: 'other' }, '8', 'code'],
  ['event:s', { event: { kind: 'opened' }, call: { kind: 'code' } }, 's', 'opened'],
  ['timer:s', { kind: 'late' }, 's', 'late'],
  ['timer:s', 'none', 's', undefined],
])('%s with %j is traced to %s, as %s', (actor, body, who, kind) => {
  expect(traceMessage(actor, body)).toEqual({ trace: traceOf(who), kind })
})
