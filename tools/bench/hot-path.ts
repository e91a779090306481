import { randomBytes } from 'node:crypto'
import { openSync, writeSync } from 'node:fs'
import type { Api } from 'grammy'
import { createAnswerTap } from '../../src/answering/answer-tap.ts'
import { createAttemptCache } from '../../src/answering/attempt-cache.ts'
import { createRendered } from '../../src/dialog/rendered.ts'
import { newAttempt } from '../../src/domain/attempt.ts'
import { encodeAttempt, openAttempt } from '../../src/domain/attempt-layout.ts'
import { createIntake } from '../../src/inbox/intake.ts'
import { createLog, createStandardOutput } from '../../src/observe/logger.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { attemptKey, attemptOwner } from '../../src/storage/documents/attempts.ts'
import { questionnaires, recordFiles } from '../../src/storage/documents/kinds.ts'
import { createContents, questionsId } from '../../src/storage/documents/questions.ts'
import { type DocumentKind, documentKey, sealDocument } from '../../src/storage/documents.ts'
import { loadKeyring } from '../../src/storage/keyring.ts'
import type { Store } from '../../src/storage/store.ts'
import { createVault, type Vault } from '../../src/storage/vault.ts'
import { createTelegramClient } from '../../src/telegram/client.ts'
import { createSender } from '../../src/telegram/sender.ts'
import { loadTexts } from '../../src/texts/texts.ts'
import { CONTENT, fileOf, type Person, QUESTIONS, questionnaire, TOKEN, tapOf } from './questionnaire.ts'

const AT_ONCE = 50
/** A fixed key, because several processes of a benchmark share one store. */
const DATA_KEY = Buffer.alloc(32)

export type HotPath = Awaited<ReturnType<typeof createHotPath>>

type HotPathDeps = {
  store: Store
  apiRoot: string
  /** Whether other replicas share the store, as with the webhook on Redis. */
  isOneOfMany?: boolean
}

/** The bot's own handling of an answer, from the update to the next question, on a given store. */
export async function createHotPath({ store, apiRoot, isOneOfMany = false }: HotPathDeps) {
  const vault = createVault(await loadKeyring(store, [DATA_KEY]))
  const metrics = createMetrics()
  const now = Date.now
  const client = createTelegramClient({ token: TOKEN, apiRoot, now, onCall: metrics.telegramCall })
  const rendered = new Map<number, () => void>()
  const texts = loadTexts()
  const log = createLog('info', createStandardOutput(toNowhere()))
  const sender = createSender({ api: reportingEdits(client, rendered), log })
  const unexpected = async () => {
    throw new Error('an answer of the benchmark left the hot path')
  }
  const intake = createIntake({
    store,
    vault,
    sender,
    answerTap: () => answerTap,
    answerInline: async () => undefined,
    t: texts.for('fa'),
    username: () => 'bench_bot',
    log,
    onUpdate: metrics.update,
    wake: () => undefined,
    life: 'bench',
  })
  const answerTap = createAnswerTap({
    store,
    vault,
    sender,
    texts,
    config: { allowBack: true },
    rendered: createRendered({ connection: store.connection, isOneOfMany }),
    attemptCache: createAttemptCache({ store, vault, contents: createContents(vault) }),
    isOneOfMany,
    now,
    log,
    onAnswer: metrics.answer,
    post: unexpected,
    postEvent: unexpected,
  })
  const kept = { store, vault }
  await put(kept, questionnaires, questionsId(vault, CONTENT), questionnaire())

  return {
    /** Makes this many people in front of a question, a few at a time so that no command waits for all. */
    async people(count: number, question: number): Promise<Person[]> {
      const people: Person[] = []
      while (people.length < count) {
        const more = Math.min(AT_ONCE, count - people.length)
        people.push(...(await Promise.all(Array.from({ length: more }, () => personBefore(kept, question)))))
      }
      return people
    },
    /** Takes an update as the webhook and the poller deliver it. */
    handle: intake.handle,
    /** Answers one question and waits until the next one is on the screen. */
    async answer(person: Person): Promise<void> {
      const shown = new Promise<void>((resolve) => rendered.set(person.chatId, resolve))
      await intake.handle(tapOf(person))
      await shown
    },
    /** The stored size of the attempt, in bytes. */
    async kept({ s }: Person): Promise<number> {
      const [entry] = await store.read([attemptKey(s)])
      return entry?.value.length ?? 0
    },
  }
}

/** Writes the log to /dev/null, so that its reader costs nothing. */
function toNowhere(): (lines: string) => void {
  const nowhere = openSync('/dev/null', 'w')
  return (lines) => void writeSync(nowhere, lines)
}

type Kept = { store: Store; vault: Vault }

function put<T>({ store, vault }: Kept, kind: DocumentKind<T>, id: string, value: T): Promise<boolean> {
  const key = documentKey(kind, id)
  return store.put({ key, value: sealDocument(vault, kind, id, value) }, null)
}

/** Puts a person in front of a question, as if they had answered all earlier ones. */
async function personBefore({ store, vault }: Kept, question: number): Promise<Person> {
  lastChatId += 1
  const chatId = lastChatId
  const s = randomBytes(6).toString('base64url')
  const who = vault.hash('account', String(chatId))
  const id = randomBytes(8)
  const owner = attemptOwner(vault, { who, s }, { id })
  const given = { owner, id, contentHash: randomBytes(32), dataKey: vault.dataKey }
  const more = { questions: QUESTIONS, language: 'fa', retentionSeconds: 86_400, at: Date.now() } as const
  const before = {
    answered: question,
    view: question,
    revision: question + 1,
    firsts: randomBytes(question),
  }
  const attempt = encodeAttempt({ ...openAttempt(newAttempt({ ...given, ...more })), ...before })
  await put({ store, vault }, recordFiles, s, fileOf(s))
  await store.put({ key: attemptKey(s), value: attempt }, null)
  return { chatId, s, question }
}

let lastChatId = 5_000_000_000

/** Calls the callback of a chat after each edit of its message. */
function reportingEdits(client: Api, rendered: Map<number, () => void>): Api {
  const api: Api = Object.create(client)
  api.editMessageText = async (...args) => {
    const result = await client.editMessageText(...args)
    rendered.get(Number(args[0]))?.()
    return result
  }
  return api
}
