import { newRecordFile } from '../../src/domain/record/record.ts'
import { createChecksHandler, createGenerationHandler } from '../../src/jobs/analysis.ts'
import { actorId, actorKind, actorName } from '../../src/queue/actors.ts'
import { type ChatEvent, chatMail } from '../../src/queue/chat-message.ts'
import type { Task } from '../../src/queue/job.ts'
import type { ServiceClient } from '../../src/service/client.ts'
import { epochs, recordFiles, tokenIndex, tokenKey } from '../../src/storage/documents/kinds.ts'
import { documentKey, openBody, sealBody, sealDocument } from '../../src/storage/documents.ts'
import type { Claim } from '../../src/storage/store.ts'
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts'
import { newStore, termAt } from '../jobs/world.ts'
import { createClock } from '../storage/worlds.ts'

export const POLL_MS = 45_000
/** How often an idle worker looks for work. */
const STEP_MS = 500
const LEASE_MS = 10_000
/** The token of the roadmap's only test, which the bot knows as finished. */
export const FINISHED = 'finished'

/** The calls of the watch; time passes while they are answered. */
export type WatchedService = Pick<ServiceClient, 'generate' | 'generationStatus' | 'roadmap' | 'listRoadmaps'>

/** The real handler on the real store, with a clock that only the test moves. */
export async function createWatch(service: WatchedService, clock = createClock()) {
  const { now, wait } = clock
  const { store, vault } = await newStore(now)
  const events: { s: string; at: number; event: ChatEvent }[] = []
  let handlers = newHandlers()

  function newHandlers() {
    const deps = { service, store, vault, now, pollMs: POLL_MS }
    return { generation: createGenerationHandler(deps), survey: createChecksHandler(deps) }
  }

  async function begin(s: string): Promise<void> {
    const known = newRecordFile({ s, token: s, seenAt: now() }, 'roadmap')
    const records = [{ s: 't', token: FINISHED, title: 'آزمون', role: 1, isFinished: true }]
    const roadmap = { roles: [], records, hands: [] }
    const file = { ...known, roadmap, state: { stage: 'generating' as const } }
    const value = sealDocument(vault, recordFiles, s, file)
    await store.put({ key: documentKey(recordFiles, s), value }, null)
    const id = tokenKey(vault, s)
    await store.put(
      { key: documentKey(tokenIndex, id), value: sealDocument(vault, tokenIndex, id, { s }) },
      null,
    )
    const onBehalf = { who: 'owner', chatId: 1, epoch: 0, language: 'fa' } as const
    const actor = actorName('generation', s)
    const body = sealBody(vault, actor, { s, onBehalf, phase: 'start' })
    await store.post({ actor, id: `begin ${s}`, body })
  }

  /** Deletes everything of an account. */
  async function forget(who: string): Promise<void> {
    const value = sealDocument(vault, epochs, who, { epoch: 1 })
    await store.put({ key: documentKey(epochs, who), value }, null)
  }

  /** Handles one message that is due. `false` when there is none. */
  async function handleOne(): Promise<boolean> {
    const claim = await store.claim(LEASE_MS, ['chat', 'generation', 'survey'])
    if (!claim) return false
    const body = openBody(vault, claim.actor, claim.message.body)
    const work = createUnitOfWork({ store, vault, term: termAt(now)() }, claim)
    if (actorKind(claim.actor) === 'chat') {
      const message = chatMail.read(body)
      if (message.type === 'event') events.push({ s: message.s, at: now(), event: message.event })
      await work.commit()
      return true
    }
    const handle = actorKind(claim.actor) === 'survey' ? handlers.survey : handlers.generation
    await work.commit(await handle(taskOf(claim, body, work)))
    return true
  }

  return {
    now,
    wait,
    events,
    begin,
    forget,
    handleOne,
    /** A new process, without the memory of the old one. */
    restart() {
      handlers = newHandlers()
    },
    async passes(ms: number) {
      for (const end = now() + ms; now() < end; ) if (!(await handleOne())) wait(STEP_MS)
    },
  }
}

const taskOf = ({ actor }: Claim, body: unknown, work: Task<unknown>['work']): Task<unknown> => ({
  actor,
  id: actorId(actor),
  body,
  work,
  begun: false,
  hasSent: false,
  signal: new AbortController().signal,
  begin: async () => undefined,
  retries: 0,
  trace: '',
  sender: undefined,
  onFailedRun: () => undefined,
})

/** The highest number of calls in any minute. */
export function mostPerMinute(times: readonly number[]): number {
  let most = 0
  for (const [index, at] of times.entries()) {
    const since = times.findIndex((other) => other > at - 60_000)
    most = Math.max(most, index - since + 1)
  }
  return most
}
