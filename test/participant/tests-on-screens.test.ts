import { expect, test } from 'vitest'
import type { UpdateContext } from '../../src/dialog/update-context.ts'
import { openAttempt } from '../../src/domain/attempt.ts'
import { encodeAttempt } from '../../src/domain/attempt-layout.ts'
import type { RecordFile } from '../../src/domain/record/record.ts'
import { testsOnScreens } from '../../src/participant/tests-on-screens.ts'
import { attemptKey, attemptOwner } from '../../src/storage/documents/attempts.ts'
import { assignees } from '../../src/storage/documents/kinds.ts'
import { newStore } from '../jobs/world.ts'
import { attemptOf } from '../storage/moves.ts'
import { start } from '../storage/worlds.ts'

const who = 'zahra'

/** A chat with many messages that once showed something, and what is read for it. */
async function chat(stages: Record<string, RecordFile['state']['stage']>) {
  const { store, vault } = await newStore(() => start)
  const reads: string[] = []
  const work = {
    async get(kind: unknown, s: string) {
      if (kind === assignees) return { is: 'taken', who }
      reads.push(s)
      return { s, token: s, isBegun: true, state: { stage: stages[s] } }
    },
  }
  const screens = Object.fromEntries(Object.keys(stages).map((s, index) => [s, index + 1]))
  const counted = {
    read(keys: readonly string[]) {
      reads.push('attempts')
      return store.read(keys)
    },
  }
  return {
    reads,
    ctx: { account: { screens }, who, work, deps: { vault, store: counted } } as unknown as UpdateContext,
    async begin(s: string, owner = who) {
      const attempt = openAttempt(attemptOf(3))
      const value = encodeAttempt({ ...attempt, owner: attemptOwner(vault, { who: owner, s }, attempt) })
      await store.put({ key: attemptKey(s), value }, null)
    },
  }
}

test('of all that a chat has shown, only the files of tests with answers are read', async () => {
  const { ctx, reads, begin } = await chat({
    first: 'done',
    second: 'questions',
    third: 'done',
    fourth: 'questions',
    fifth: 'done',
  })
  await begin('second')
  await begin('fifth')
  const found = await testsOnScreens(ctx)
  expect(found.map(({ file }) => file.s)).toEqual(['second'])
  expect(reads).toEqual(['attempts', 'second', 'fifth'])
})

test('what another account answers is no test of this chat', async () => {
  const { ctx, begin } = await chat({ first: 'questions' })
  await begin('first', 'sara')
  expect(await testsOnScreens(ctx)).toEqual([])
})
