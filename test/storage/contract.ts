import { describe } from 'vitest'
import { describeAnswers } from './contract-answers.ts'
import { describeClaims } from './contract-claims.ts'
import { describeCommits } from './contract-commits.ts'
import { describeEntries } from './contract-entries.ts'
import { describeLists } from './contract-lists.ts'
import { describeLostClaims } from './contract-lost.ts'
import { describeQueue } from './contract-queue.ts'
import { describeWatch } from './contract-watch.ts'
import { describeWorkers } from './contract-workers.ts'
import type { OpenStore } from './worlds.ts'

/** The behaviour of every backend. `open` gives an empty store that follows the clock. */
export function describeStore(name: string, open: OpenStore) {
  describe(name, () => {
    describe('keys', () => describeEntries(open))
    describe('messages', () => describeQueue(open))
    describe('claims', () => describeClaims(open))
    describe('lost claims', () => describeLostClaims(open))
    describe('commits', () => describeCommits(open))
    describe('lists', () => describeLists(open))
    describe('workers', () => describeWorkers(open))
    describe('for operators', () => describeWatch(open))
    describe('answers', () => describeAnswers(open))
  })
}
