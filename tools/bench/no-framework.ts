import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Update } from 'grammy/types'
import { Redis } from 'ioredis'
import { Pool } from 'undici'
import { OPTIONS, type Person, TOKEN, textOf } from './questionnaire.ts'

/** Stores an answer if the question before it has one; both stores do so in one step. */
export type Keep = (s: string, question: number, option: number) => Promise<boolean>

/** Takes an update: resolves when the answer is stored; `shown` resolves when the two calls have ended. */
export type NoFramework = (update: Update) => Promise<{ shown: Promise<unknown> }>

const CONNECTIONS = 64
const HEADERS = { 'content-type': 'application/json' }

/**
 * F0, the lowest possible cost of an answer: no framework, one step of a store, and two raw calls to
 * Telegram. It checks, counts, logs and encrypts nothing.
 */
export function createNoFramework(apiRoot: string, keep: Keep): NoFramework {
  const pool = new Pool(apiRoot, { connections: CONNECTIONS })

  async function call(method: string, payload: object): Promise<unknown> {
    const [path, body] = [`/bot${TOKEN}/${method}`, JSON.stringify(payload)]
    const answer = await pool.request({ path, method: 'POST', headers: HEADERS, body })
    return answer.body.json()
  }

  return async ({ callback_query: query }) => {
    const [, s = '', question, option, revision = ''] = query?.data?.split(':') ?? []
    if (!query || !(await keep(s, Number(question), Number(option))))
      throw new Error('an answer was not kept')
    const edit = nextQuestion(s, Number(question) + 1, Number.parseInt(revision, 36) + 1)
    const place = { chat_id: query.from.id, message_id: query.message?.message_id }
    const shown = Promise.all([
      call('answerCallbackQuery', { callback_query_id: query.id }),
      call('editMessageText', { ...place, ...edit }),
    ])
    return { shown }
  }
}

/** The question as the bare contenders show it. */
export function nextQuestion(s: string, question: number, revision: number) {
  const rows = OPTIONS.map((label, index) => [
    { text: `${index + 1}. ${label}`, callback_data: `a:${s}:${question}:${index}:${revision.toString(36)}` },
  ])
  return {
    text: `پرسش ${question}\n\n<b>${textOf(question)}</b>`,
    parse_mode: 'HTML' as const,
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: rows },
  }
}

const SCRIPT = `
if redis.call('STRLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
return redis.call('APPEND', KEYS[1], ARGV[2])`

/** Stores each answer with one EVALSHA. */
export async function keepInRedis(url: string): Promise<{ keep: Keep; close(): void }> {
  const redis = new Redis(url)
  await redis.script('LOAD', SCRIPT)
  const sha = createHash('sha1').update(SCRIPT).digest('hex')
  return {
    keep: async (s, question, option) => (await redis.evalsha(sha, 1, `f0:${s}`, question, option)) !== 0,
    close: () => redis.disconnect(),
  }
}

/** Stores each answer with one transaction, synced to the disk as ours are. */
export function keepInSqlite(dir: string): { keep: Keep; close(): void } {
  const db = new DatabaseSync(join(dir, 'f0.db'))
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE attempt (s TEXT PRIMARY KEY, answers TEXT)',
  )
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')]
  const find = db.prepare('SELECT answers FROM attempt WHERE s = ?')
  const write = db.prepare('REPLACE INTO attempt VALUES (?, ?)')
  return {
    async keep(s, question, option) {
      begin.run()
      const { answers = '' } = (find.get(s) ?? {}) as { answers?: string }
      const isNext = answers.length === question
      if (isNext) write.run(s, answers + option)
      commit.run()
      return isNext
    },
    close: () => db.close(),
  }
}

let last = 0

/** People at their first question, who are in no store yet. */
export function newcomers(count: number): Person[] {
  return Array.from({ length: count }, () => {
    last += 1
    return { chatId: 6_000_000_000 + last, s: `n${String(last).padStart(7, '0')}`, question: 0 }
  })
}
