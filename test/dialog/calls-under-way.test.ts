import { expect, test } from 'vitest'
import { createAlongside } from '../../src/dialog/calls-under-way.ts'

/** An action that ends when the test lets it. */
function held() {
  let end = () => {}
  let fail = (_: Error) => {}
  const doing = new Promise<void>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  return { doing, end, fail }
}

const turnOfTheLoop = () => new Promise(setImmediate)

test('actions on one message follow each other, while others go on', async () => {
  const alongside = createAlongside()
  const first = held()
  const done: string[] = []
  alongside.changes(1, () => first.doing.then(() => done.push('first')))
  alongside.changes(1, async () => done.push('second'))
  alongside.changes(2, async () => done.push('another'))
  alongside.does(async () => done.push('tap'))
  await turnOfTheLoop()
  expect(done).toEqual(['tap', 'another'])
  const shown = alongside.until(1).then(() => done.push('shown'))
  first.end()
  await shown
  await alongside.ended()
  expect(done).toEqual(['tap', 'another', 'first', 'second', 'shown'])
})

test('a deletion waits for the actions that began before it', async () => {
  const alongside = createAlongside()
  const word = held()
  const done: string[] = []
  alongside.changes(1, () => word.doing.then(() => done.push('said')))
  alongside.deletes([2], async () => done.push('deleted'))
  alongside.changes(2, async () => done.push('changed'))
  await turnOfTheLoop()
  expect(done).toEqual([])
  word.end()
  await alongside.ended()
  expect(done).toEqual(['said', 'deleted', 'changed'])
})

test('a failure is thrown when all actions have ended, and nothing is deleted then', async () => {
  const alongside = createAlongside()
  const word = held()
  const slow = held()
  const done: string[] = []
  alongside.changes(1, () => word.doing)
  alongside.deletes([2], async () => done.push('deleted'))
  alongside.does(() => slow.doing.then(() => done.push('slow')))
  word.fail(new Error('Telegram is away'))
  const ended = alongside.ended().catch(({ message }: Error) => done.push(message))
  await turnOfTheLoop()
  expect(done).toEqual([])
  slow.end()
  await ended
  expect(done).toEqual(['slow', 'Telegram is away'])
})
