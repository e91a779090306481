import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { beginAttempt, moveAttempt, releaseAttempt, takeAttempt } from '../../src/dialog/attempt.ts'
import type { UpdateContext } from '../../src/dialog/update-context.ts'
import { attemptKey, openStoredAttempt } from '../../src/storage/documents/attempts.ts'
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts'
import { newStore, termAt } from '../jobs/world.ts'

const s = 'abcdefgh'
const now = Date.UTC(2026, 0, 5)
const questions = { content: 'ab'.repeat(32), count: 3 }

/** A store, and chat messages that are being handled on it. */
async function chats() {
  const { store, vault } = await newStore(() => now)
  const deps = { store, vault, now: () => now, config: { retentionDays: 30 } }

  /** The parts of an update context that are needed here. */
  async function turnOf(who: string): Promise<UpdateContext> {
    await store.post({ actor: `chat:${who}`, id: randomUUID(), body: Buffer.from('{}') })
    const claim = await store.claim(10_000, ['chat'])
    if (!claim) throw new Error('nothing to claim')
    const work = createUnitOfWork({ store, vault, term: termAt(() => now)() }, claim)
    return { who, work, now, deps, language: 'fa', account: {} } as unknown as UpdateContext
  }
  async function kept() {
    const [entry] = await store.read([attemptKey(s)])
    if (!entry) throw new Error('there is no attempt')
    return openStoredAttempt(entry)
  }
  /** Answers the question that is shown. */
  async function answers(ctx: UpdateContext) {
    const attempt = await kept()
    const { view: question, revision } = attempt
    const bytes = ctx.deps.vault.attemptCipher.encryptAnswer(attempt, { question, revision, option: 1 })
    const move = { kind: 'answer', question, revision, allowBack: true, ...bytes } as const
    return (await moveAttempt(ctx, s, attempt, move)).status
  }

  const sara = await turnOf('sara')
  await beginAttempt(sara, s, questions)
  await sara.work.commit()
  return { turnOf, kept, answers, sara }
}

test('an attempt belongs to its account until a release is committed, and then to none', async () => {
  const { turnOf, answers, sara } = await chats()
  const release = await turnOf('organizer')
  await releaseAttempt(release, s, 'sara')
  expect(await answers(sara)).toBe('accepted')
  const again = await turnOf('another organizer')
  await releaseAttempt(again, s, 'sara')
  expect(await again.work.commit()).toBe('ok')
  expect(await answers(sara)).toBe('gone')
})

test('a release conflicts with an answer that came before its commit', async () => {
  const { turnOf, kept, answers, sara } = await chats()
  const release = await turnOf('organizer')
  await releaseAttempt(release, s, 'sara')
  await answers(sara)
  expect(await release.work.commit()).toBe('conflict')
  expect(await kept()).toMatchObject({ answered: 1 })
})

test('a new attempt never replaces an existing one, whichever account that belongs to', async () => {
  const { turnOf, kept, answers, sara } = await chats()
  await answers(sara)
  for (const who of ['sara', 'reza']) {
    const ctx = await turnOf(who)
    expect(await beginAttempt(ctx, s, questions)).toBe('another is there')
    await ctx.work.commit()
  }
  expect(await kept()).toMatchObject({ answered: 1 })
})

test('an account that takes a released attempt over has every answer of it', async () => {
  const { turnOf, kept, answers, sara } = await chats()
  await answers(sara)
  const release = await turnOf('organizer')
  await releaseAttempt(release, s, 'sara')
  await release.work.commit()
  expect(await kept()).toMatchObject({ isLarge: false })
  const reza = await turnOf('reza')
  reza.account.isLarge = true
  await takeAttempt(reza, s)
  await reza.work.commit()
  expect(await answers(reza)).toBe('accepted')
  // It has reza's setting for large text.
  expect(await kept()).toMatchObject({ answered: 2, isLarge: true })
})
