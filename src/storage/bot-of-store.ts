import type { Store } from './store.ts'

/** The bot that has this store. Copies omit it, so that they can be restored for another bot. */
const BOT = '#bot'

/** The store in Redis belongs to another bot. */
export class ForeignStoreError extends Error {
  override readonly name = 'ForeignStoreError'
}

/** Claims a store for a bot; throws a `ForeignStoreError` if another bot has it, whose chats it would get. */
export async function claimStore(store: Pick<Store, 'read' | 'put'>, bot: string): Promise<void> {
  if (!(await store.put({ key: BOT, value: Buffer.from(bot) }, null))) await refuseForeign(store, bot)
}

/** Throws a `ForeignStoreError` when another bot has the store. */
export async function refuseForeign(store: Pick<Store, 'read'>, bot: string): Promise<void> {
  const [entry] = await store.read([BOT])
  if (!entry || entry.value.toString() === bot) return
  throw new ForeignStoreError(
    'REDIS_URL has the store of another bot: give each a database of its own (redis://…/1), or hand it over: redis-cli del {porsa}#bot',
  )
}
