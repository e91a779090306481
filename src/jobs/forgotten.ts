import { type ChatMessage, chatActor } from '../queue/chat-message.ts'
import { accounts, epochs } from '../storage/documents/kinds.ts'
import { putDocument, readDocuments, sealBody, type Term } from '../storage/documents.ts'
import type { ForgottenList } from '../storage/forgotten-list.ts'
import type { Store } from '../storage/store.ts'
import type { Vault } from '../storage/vault.ts'
import { chunksOf } from '../views/view.ts'
import type { JobDeps, With } from './deps.ts'

type Kept = { store: Pick<Store, 'read' | 'put' | 'post' | 'census' | 'connection'>; vault: Vault }

const AT_ONCE = 500

/** Puts into the list whoever was forgotten by what this store knows: before it is replaced, and now and then. */
export async function learnForgotten({ store, vault }: Kept, list: ForgottenList): Promise<void> {
  const known = await list.read()
  const learned = new Map<string, number>()
  for (let page = await store.census(undefined, epochs.prefix); ; ) {
    const kept = await readDocuments({ store, vault }, epochs, page.names)
    for (const [at, who] of page.names.entries()) {
      const { epoch = 0 } = kept[at] ?? {}
      if (epoch > (known.get(who) ?? 0)) learned.set(who, epoch)
    }
    if (page.next === undefined) return list.add(learned)
    // Others have their turn between two pages.
    await new Promise((resolve) => setImmediate(resolve))
    page = await store.census(page.next, epochs.prefix)
  }
}

/**
 * Has everybody forgotten once more whom an older store, put back, has as they were before: from here on no work that it
 * remembers goes on, and the first thing that each of their chats does is to delete everything. Returns how many they are.
 */
export async function applyForgotten({ store, vault, term }: Kept & { term: Term }, list: ForgottenList) {
  let applied = 0
  for (const some of chunksOf([...(await list.read())], AT_ONCE)) {
    const ids = some.map(([who]) => who)
    const kept = await readDocuments({ store, vault }, epochs, ids)
    for (const [who, epoch] of some.filter(([, epoch], at) => (kept[at]?.epoch ?? 0) < epoch)) {
      await deleteFirst({ store, vault }, who, epoch)
      await putDocument({ store, vault, term }, epochs, who, { epoch })
      applied += 1
    }
  }
  return applied
}

const LOOKED_EVERY_MS = 15_000
/** Once an hour, whether or not the store was away. */
const LOOKS_OF_AN_HOUR = 240
const BACK = 'an older store was put back: who was forgotten since is forgotten once more'

/**
 * Applies the list before anything else is done with a store, which may be an older one. From then on it learns what other
 * replicas forget, and applies it to a Redis that may have come back older: as soon as it is another connection. Returns what
 * ends that.
 */
export async function keepForgotten(
  { config, now, log, ...kept }: Kept & Pick<JobDeps, 'now' | 'log'> & With<'retentionDays'>,
  list: ForgottenList,
): Promise<() => void> {
  let isOver = false
  let connection = kept.store.connection()
  let looks = 0
  async function apply(): Promise<void> {
    const term = { now: now(), retentionDays: config.retentionDays }
    if ((await applyForgotten({ ...kept, term }, list)) > 0) log.warn({ problem: BACK }, 'storage')
  }
  const settle = () =>
    learnForgotten(kept, list)
      .then(apply)
      .catch((err: unknown) => isOver || log.error({ err }, 'forgotten in the store alone'))
  function look(): void {
    const current = kept.store.connection()
    looks += 1
    const isOther = current !== undefined && current !== connection
    if (!isOther && looks % LOOKS_OF_AN_HOUR > 0) return
    connection = current ?? connection
    void settle()
  }
  await apply()
  void settle()
  const timer = setInterval(look, LOOKED_EVERY_MS).unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}

/** In the place of all that waits for the chat. */
async function deleteFirst({ store, vault }: Pick<Kept, 'store' | 'vault'>, who: string, epoch: number) {
  const [account] = await readDocuments({ store, vault }, accounts, [who])
  if (!account) return
  const actor = chatActor(who)
  const { chatId } = account
  const message: ChatMessage = { type: 'event', chatId, s: '', event: { kind: 'forgotten' } }
  const id = `forgotten:${who}:${epoch}`
  await store.post({ actor, id, body: sealBody(vault, actor, message), replace: true })
}
