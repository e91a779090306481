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

/** Adds to the list the accounts that this store has as forgotten: before it is replaced, and regularly. */
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
    // Other work runs between two pages.
    await new Promise((resolve) => setImmediate(resolve))
    page = await store.census(page.next, epochs.prefix)
  }
}

/**
 * Forgets the listed accounts once more in an older store that was put back: none of their old work
 * continues, and each of their chats first deletes everything. Returns how many accounts it was.
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

const CHECK_EVERY_MS = 15_000
/** The list is also applied once an hour, even if the store was never away. */
const CHECKS_AN_HOUR = 240
const BACK = 'an older store was put back: who was forgotten since is forgotten once more'

/**
 * Applies the list before anything else is done with a store, which may be an older one. Then it learns what
 * other replicas forget, and applies the list to a Redis that may have come back older: after a new
 * connection. Returns a function that ends this.
 */
export async function keepForgotten(
  { config, now, log, ...kept }: Kept & Pick<JobDeps, 'now' | 'log'> & With<'retentionDays'>,
  list: ForgottenList,
): Promise<() => void> {
  let isOver = false
  let connection = kept.store.connection()
  let checks = 0
  async function apply(): Promise<void> {
    const term = { now: now(), retentionDays: config.retentionDays }
    if ((await applyForgotten({ ...kept, term }, list)) > 0) log.warn({ problem: BACK }, 'storage')
  }
  const settle = () =>
    learnForgotten(kept, list)
      .then(apply)
      .catch((err: unknown) => isOver || log.error({ err }, 'forgotten in the store alone'))
  function check(): void {
    const current = kept.store.connection()
    checks += 1
    const isOther = current !== undefined && current !== connection
    if (!isOther && checks % CHECKS_AN_HOUR > 0) return
    connection = current ?? connection
    void settle()
  }
  await apply()
  void settle()
  const timer = setInterval(check, CHECK_EVERY_MS).unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}

/** Replaces all that waits for the chat with the deletion. */
async function deleteFirst({ store, vault }: Pick<Kept, 'store' | 'vault'>, who: string, epoch: number) {
  const [account] = await readDocuments({ store, vault }, accounts, [who])
  if (!account) return
  const actor = chatActor(who)
  const { chatId } = account
  const message: ChatMessage = { type: 'event', chatId, s: '', event: { kind: 'forgotten' } }
  const id = `forgotten:${who}:${epoch}`
  await store.post({ actor, id, body: sealBody(vault, actor, message), replace: true })
}
