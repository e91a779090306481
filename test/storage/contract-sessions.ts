import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { loadKeyring } from '../../src/storage/keyring.ts'
import { createSessionStorage } from '../../src/storage/session-storage.ts'
import type { Store } from '../../src/storage/store.ts'
import { createVault } from '../../src/storage/vault.ts'
import { type Clock, createClock, hour } from './worlds.ts'

const listing = z.object({ query: z.string(), page: z.int().positive() })
const person = '7531902468'
const session = { query: 'زهرا محمدی', page: 3 }

/** A store, and all its content as bytes. */
export type SessionWorld = { store: Store; everything: () => Promise<Buffer> }

/** The promises of sessions on every backend. `open` gives an empty store that follows the clock. */
export function describeSessions(open: (clock: Clock) => Promise<SessionWorld>) {
  async function world() {
    const clock = createClock()
    const { store, everything } = await open(clock)
    const vault = createVault(await loadKeyring(store, [randomBytes(32)]))
    const { now } = clock
    const texts = store.sessions(24 * hour)
    const keys = new Set<string>()
    /** The store, noting the keys of the sessions. */
    const watched: Pick<Store, 'sessions'> = {
      sessions: (termMs) => ({
        ...store.sessions(termMs),
        write(key, text) {
          keys.add(key)
          return store.sessions(termMs).write(key, text)
        },
      }),
    }
    const of = <T>(schema: z.ZodType<T>) => createSessionStorage({ store: watched, vault, now }, schema)
    return { clock, store, everything, texts, keys, sessions: of(listing), of }
  }

  test('a session is read as it was written last, and is gone once deleted', async () => {
    const { sessions } = await world()
    expect(await sessions.read(person)).toBeUndefined()
    await sessions.write(person, session)
    await sessions.write(person, { ...session, page: 4 })
    await sessions.write('1', session)
    expect(await sessions.read(person)).toEqual({ ...session, page: 4 })
    await sessions.delete(person)
    expect(await sessions.read(person)).toBeUndefined()
    expect(await sessions.read('1')).toEqual(session)
    await sessions.delete(person)
  })

  test('a session is kept for its term after it was last written', async () => {
    const { clock, sessions } = await world()
    await sessions.write(person, session)
    clock.wait(20 * hour)
    await sessions.write(person, session)
    clock.wait(24 * hour - 1)
    expect(await sessions.read(person)).toEqual(session)
    clock.wait(1)
    expect(await sessions.read(person)).toBeUndefined()
  })

  test("a session under another one's key does not open", async () => {
    const { sessions, texts, keys } = await world()
    await sessions.write(person, session)
    await sessions.write('1', { ...session, page: 9 })
    const [own = '', foreign = ''] = keys
    await texts.write(own, (await texts.read(foreign)) ?? '')
    expect(await sessions.read(person)).toBeUndefined()
    expect(await sessions.read('1')).toEqual({ ...session, page: 9 })
  })

  test('a harmed session is absent, and can be written again', async () => {
    const { sessions, texts, keys } = await world()
    await sessions.write(person, session)
    const [key = ''] = keys
    const sealed = Buffer.from((await texts.read(key)) ?? '', 'base64')
    for (let at = 0; at < sealed.length; at += 7) {
      const harmed = Buffer.from(sealed)
      harmed[at] = (harmed[at] ?? 0) ^ 1
      await texts.write(key, harmed.toString('base64'))
      expect(await sessions.read(person)).toBeUndefined()
    }
    for (const text of ['', 'زهرا', JSON.stringify(session)]) {
      await texts.write(key, text)
      expect(await sessions.read(person)).toBeUndefined()
    }
    await sessions.write(person, session)
    expect(await sessions.read(person)).toEqual(session)
  })

  test('a session that no longer fits its schema is absent', async () => {
    const { sessions, of } = await world()
    await sessions.write(person, session)
    const newer = listing.extend({ order: z.enum(['name', 'date']) })
    expect(await of(newer).read(person)).toBeUndefined()
    const older = listing.extend({ order: z.enum(['name', 'date']).default('name') })
    expect(await of(older).read(person)).toEqual({ ...session, order: 'name' })
  })

  test('neither a session nor its owner can be read in the stored bytes', async () => {
    const { sessions, everything, keys } = await world()
    await sessions.write(person, session)
    const bytes = await everything()
    const [key = ''] = keys
    expect(key).toMatch(/^session:[\w-]{16}$/)
    expect(bytes.includes(key)).toBe(true)
    for (const secret of ['زهرا', 'query', person, 'organizer']) {
      expect(bytes.includes(secret)).toBe(false)
      // The three forms of a text in base64.
      for (const shift of ['', 'x', 'xx']) {
        const encoded = Buffer.from(shift + secret).toString('base64')
        expect(bytes.includes(encoded.slice(4, -4) || encoded)).toBe(false)
      }
    }
  })

  test('if the storage fails, a session is not taken for lost', async () => {
    const { store, sessions } = await world()
    await sessions.write(person, session)
    await store.close()
    await expect(async () => sessions.read(person)).rejects.toThrow()
  })
}
