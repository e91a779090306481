import { beforeEach, expect, test, vi } from 'vitest'
import type { Claim, Commit, Store } from '../../src/storage/store.ts'
import { openSharedStore, type SharedStore, type StoreNews } from '../../tools/simulate/shared-store.ts'
import { createHost, createTime } from '../../tools/simulate/time.ts'

/** The versions of what the store holds, now and when it was saved. */
const behind = vi.hoisted(() => ({ now: new Map<string, string>(), kept: new Map<string, string>() }))

vi.mock('../../tools/simulate/sqlite-behind.ts', () => ({
  openSqlite: async () => ({
    store: {
      read: async (keys: string[]) =>
        keys.map((key) => behind.now.has(key) && { version: behind.now.get(key) }),
      async commit({ fence }: Claim, { writes = [] }: Commit) {
        for (const { key } of writes) behind.now.set(key, fence)
        return 'ok'
      },
    },
    keep() {
      behind.kept = new Map(behind.now)
    },
    putBack() {
      behind.now = new Map(behind.kept)
    },
  }),
}))

let shared: SharedStore
let replica: Store
let overwritten: string[]

beforeEach(async () => {
  behind.now.clear()
  overwritten = []
  shared = await openSharedStore({
    dir: '',
    redisUrl: undefined,
    time: createTime({ startsAt: 0 }),
    ask: (_, { act }) => act(),
    onNews: (news: StoreNews) => void (news.kind === 'overwritten' && overwritten.push(news.key)),
    stepOfCommit: () => undefined,
    lastsMs: () => 0,
  })
  replica = shared.of(createHost('r1.1'))
})

const commits = (fence: string) =>
  replica.commit(
    {
      actor: `chat:${fence}`,
      fence,
      message: { id: fence, body: Buffer.alloc(0), retries: 0, begun: false, lost: 0 },
    },
    { writes: [{ key: 'r:one', value: Buffer.alloc(1) }], countsAsRetry: false },
  )

test('a write over a version that changed since it was read is reported', async () => {
  await replica.read(['r:one'])
  await commits('other')
  await commits('own')
  expect(overwritten).toEqual(['r:one'])
})

test('a version that was read before the store was put back is not compared', async () => {
  shared.keep()
  await commits('other')
  await replica.read(['r:one'])
  shared.putBack()
  await commits('own')
  expect(overwritten).toEqual([])
})
