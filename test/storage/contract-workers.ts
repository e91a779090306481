import { expect, test } from 'vitest'
import type { Claim, Store } from '../../src/storage/store.ts'
import { printedSeed, randomNumbers } from '../random.ts'
import { createClock, KINDS, minute, type OpenStore, post } from './worlds.ts'

const lease = minute

export function describeWorkers(open: OpenStore) {
  test('many workers, some of which die, end every message once and in order', async () => {
    const clock = createClock()
    const store = await open(clock)
    const chats = Array.from({ length: 12 }, (_, number) => `chat:${number}`)
    const expected = chats.flatMap((actor) => Array.from({ length: 8 }, (_, number) => `${actor}/${number}`))
    const posted = [...expected].sort((one, two) => Number(one.split('/')[1]) - Number(two.split('/')[1]))
    await Promise.all(posted.map((id) => store.post(post(id.split('/')[0] ?? '', id))))

    const random = randomNumbers(printedSeed('workers'))
    const busy = new Map<string, number>()
    const handled: string[] = []
    let collisions = 0

    async function handle(claim: Claim, claimedAt: number): Promise<void> {
      if ((busy.get(claim.actor) ?? 0) > claimedAt) collisions += 1
      busy.set(claim.actor, claimedAt + lease)
      for (let turns = Math.floor(random() * 4); turns > 0; turns--) await new Promise(setImmediate)
      if (random() < 0.15) return // killed meanwhile: its lease runs out
      const retries = random() < 0.15
      busy.delete(claim.actor)
      const result = await store.commit(claim, retries ? { retryAt: clock.now() } : {})
      if (result === 'lost') return
      if (!retries) handled.push(claim.message.id)
    }

    async function worker(): Promise<void> {
      for (let idle = 0; handled.length < expected.length && idle < 2_000; ) {
        const at = clock.now()
        const claim = await store.claim(lease, KINDS)
        if (claim) {
          idle = 0
          await handle(claim, at)
        } else {
          idle += 1
          clock.wait(lease / 20)
          await new Promise(setImmediate)
        }
      }
    }

    await Promise.all(Array.from({ length: 8 }, worker))
    const inOrder = chats.flatMap((actor) => handled.filter((id) => id.startsWith(`${actor}/`)))
    expect(inOrder).toEqual(expected)
    expect(collisions).toBe(0)
    expect(await store.claim(lease, KINDS)).toBeUndefined()
  })

  test('of many commits that claim the same record at once one wins', async () => {
    const clock = createClock()
    const store = await open(clock)
    const winners = await Promise.all(
      Array.from({ length: 10 }, (_, number) => tryToClaim(store, `chat:${number}`)),
    )
    expect(winners.filter((result) => result === 'ok')).toHaveLength(1)
    expect(winners.filter((result) => result === 'conflict')).toHaveLength(9)
  })

  async function tryToClaim(store: Store, actor: string) {
    await store.post(post(actor, actor))
    const claim = await store.claim(lease, KINDS)
    if (!claim) throw new Error('nothing to claim')
    return store.commit(claim, {
      expects: [{ key: 'owner:1', version: null }],
      writes: [{ key: 'owner:1', value: Buffer.from(claim.actor) }],
    })
  }
}
