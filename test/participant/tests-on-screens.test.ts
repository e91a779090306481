import { expect, test } from 'vitest'
import { createRendered } from '../../src/dialog/rendered.ts'
import type { UpdateContext } from '../../src/dialog/update-context.ts'
import { encodeAttempt, openAttempt } from '../../src/domain/attempt-layout.ts'
import type { RecordFile } from '../../src/domain/record/record.ts'
import { meantQuestion, otherRevisions, testsOnScreens } from '../../src/participant/meant-question.ts'
import { noteShown } from '../../src/participant/show-question.ts'
import { attemptKey, attemptOwner } from '../../src/storage/documents/attempts.ts'
import { assignees } from '../../src/storage/documents/kinds.ts'
import { newStore } from '../jobs/world.ts'
import { attemptOf } from '../storage/moves.ts'
import { start } from '../storage/worlds.ts'

const who = 'zahra'

/** A chat with many former messages, and what is read for it. */
async function chat(stages: Record<string, RecordFile['state']['stage']>) {
  const { store, vault } = await newStore(() => start)
  const reads: string[] = []
  const work = {
    vault,
    async get(kind: unknown, s: string) {
      if (kind === assignees) return { is: 'taken', who }
      reads.push(s)
      return { s, token: s, isBegun: true, state: { stage: stages[s] } }
    },
    post() {},
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
    ctx: {
      account: { screens },
      who,
      work,
      deps: { vault, store: counted, rendered: createRendered({ connection: () => 1, isOneOfMany: true }) },
    } as unknown as UpdateContext,
    async begin(s: string, owner = who) {
      const attempt = openAttempt(attemptOf(3))
      const value = encodeAttempt({ ...attempt, owner: attemptOwner(vault, { who: owner, s }, attempt) })
      await store.put({ key: attemptKey(s), value }, null)
    },
  }
}

test('of all tests that a chat has shown only the files of those with answers are read', async () => {
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

test('a test that another account answers is no test of this chat', async () => {
  const { ctx, begin } = await chat({ first: 'questions' })
  await begin('first', 'sara')
  expect(await testsOnScreens(ctx)).toEqual([])
})

test('a question that is still being rendered may come after one shown meanwhile', async () => {
  const { ctx, begin } = await chat({ first: 'questions', second: 'questions' })
  await begin('first')
  await begin('second')
  const [first] = await testsOnScreens(ctx)
  const { revision } = first?.attempt ?? { revision: -1 }
  const note = ctx.deps.rendered.begin('first')
  expect(await otherRevisions(ctx, 'second')).toEqual({})
  note({ messageId: 1, revision }, { date: 10, isNew: false })
  expect(await otherRevisions(ctx, 'second')).toEqual({ first: revision })
})

test('a question that was rendered again without a change does not become the newest by that', async () => {
  const { ctx, begin } = await chat({ first: 'questions', second: 'questions' })
  await begin('first')
  await begin('second')
  const [first, second] = await testsOnScreens(ctx)
  if (!first || !second) throw new Error('both are on the screen')
  const { revision } = second.attempt
  // This replica shows the second question; then another one shows the first one, at a tap.
  ctx.deps.rendered.begin('second')({ messageId: 2, revision }, { date: 10, isNew: false })
  const others = { first: first.attempt.revision }
  await noteShown(ctx, { s: 'second', messageId: 2, revision, dated: undefined, others }, {})
  const meant = await meantQuestion(ctx, second.file, { text: '1', messageId: 9, date: 20 })
  expect(meant?.rivals).toHaveLength(1)
  await noteShown(ctx, { s: 'second', messageId: 2, revision, dated: { date: 15, isNew: false }, others }, {})
  const drawn = await meantQuestion(ctx, second.file, { text: '1', messageId: 9, date: 20 })
  expect(drawn?.rivals).toEqual([])
})
