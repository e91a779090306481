import { expect } from 'vitest'
import { porsa } from '../../src/cli/commands.ts'
import { loadConfig } from '../../src/config.ts'
import { openStorage, type Storage } from '../../src/open-storage.ts'
import { type DeadLetter, deadLetters } from '../../src/storage/documents/kinds.ts'
import { openBody, putDocument } from '../../src/storage/documents.ts'
import { onBothStores } from '../organizers/office.ts'
import { claimNext } from '../storage/worlds.ts'
import { captured } from './world.ts'

const letter = (id: string, actor: string, body?: Record<string, unknown>): DeadLetter => ({
  ...{ id, actor, at: Date.UTC(2026, 0, 2, 3, 4), times: 2, why: 'TypeError: no', trace: 'abcdefghijkl' },
  ...(body && { body }),
})

async function withStorage<T>(env: NodeJS.ProcessEnv, act: (storage: Storage) => Promise<T>): Promise<T> {
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error('bad settings')
  const storage = await openStorage(loaded.config)
  return act(storage).finally(() => storage.store.close())
}

onBothStores('stuck messages are listed, retried, or dropped', async ({ work }) => {
  const { world } = await work()
  const stuck = async (...args: string[]) => {
    const { lines, output } = captured()
    const code = await porsa(['stuck', ...args], world.env, output)
    return { code, out: lines.out.join('\n'), err: lines.err.join('\n') }
  }
  expect(await stuck()).toEqual({ code: 0, out: 'nothing is stuck', err: '' })
  await world.stop()
  const said = [{ key: 'k', id: 7 }]
  await withStorage(world.env, async ({ store, vault }) => {
    const term = { now: Date.now(), retentionDays: 30 }
    const attempts = { tries: 20, unclearSince: 0, said }
    const letters = [
      letter('aaaaaa', 'chat:w', { type: 'update', x: 'sesame', attempts }),
      letter('bbbbbb', 'submit:S'),
    ]
    await putDocument({ store, vault, term }, deadLetters, 'w', { letters })
  })
  const listed = await stuck()
  expect(listed.out).toBe(
    'aaaaaa  chat of abcdef  since 2026-01-02 03:04 UTC, 2 times  trace abcdefghijkl\n        TypeError: no\n' +
      'bbbbbb  submit of abcdef  since 2026-01-02 03:04 UTC, 2 times  trace abcdefghijkl\n        TypeError: no',
  )
  expect(await stuck('repeat', 'cccccc')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no such number'),
  })
  expect(await stuck('repeat', 'all')).toMatchObject({
    code: 1,
    err: expect.stringContaining('nobody can read it'),
  })
  expect(await stuck('repeat', 'aaaaaa')).toMatchObject({ code: 0 })
  expect(await stuck('drop', 'all')).toEqual({ code: 0, out: '1 dropped', err: '' })
  expect((await stuck()).out).toBe('nothing is stuck')
  await withStorage(world.env, async ({ store, vault }) => {
    const claim = await claimNext(store)
    expect(claim.actor).toBe('chat:w')
    // The quarter of an hour for an unclear outcome starts again.
    const { attempts } = openBody(vault, claim.actor, claim.message.body) as Record<string, unknown>
    expect(attempts).toEqual({ tries: 0, said })
  })
})
