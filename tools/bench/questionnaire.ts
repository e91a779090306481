import type { Update } from 'grammy/types'
import type { Questionnaire } from '../../src/domain/questionnaire.ts'
import type { RecordFile } from '../../src/domain/record/record.ts'

/** A person in the middle of a questionnaire. */
export type Person = { chatId: number; s: string; question: number }

export const QUESTIONS = 1_000
export const OPTIONS = ['کاملاً مخالفم', 'مخالفم', 'نظری ندارم', 'موافقم', 'کاملاً موافقم']
export const TOKEN = '7000000001:benchmark-of-the-hot-path-0123456789'
/** The key under which the questions are stored. */
export const CONTENT = 'content'
let lastUpdateId = 1

/** The tap of a person on the shown question; the next call taps on the next question. */
export function tapOf(person: Person): Update {
  const { chatId, s, question } = person
  person.question += 1
  const from = { id: chatId, is_bot: false, first_name: 'زهرا', language_code: 'fa' }
  const chat = { id: chatId, type: 'private' as const, first_name: 'زهرا' }
  const data = `a:${s}:${question}:${question % OPTIONS.length}:${(question + 1).toString(36)}`
  const message = { message_id: 101, date: 1_700_000_000, chat, text: textOf(question), from }
  lastUpdateId += 1
  const query = { id: String(lastUpdateId), from, message, chat_instance: '1', data }
  return { update_id: lastUpdateId, callback_query: query as NonNullable<Update['callback_query']> }
}

/** A question of the usual length. */
export const textOf = (question: number): string =>
  `در هفتهٔ گذشته چند بار پیش آمده است که در کارهای روزانه احساس خستگی کنید؟ (${question})`

/** The largest questionnaire that a test may have, with the same options for each question. */
export function questionnaire(): Questionnaire {
  const options = OPTIONS.map((label, index) => ({ id: `o${index + 1}`, label }))
  const questions = Array.from({ length: QUESTIONS }, (_, index) => ({
    id: `q${index}`,
    text: textOf(index),
    options,
  }))
  return { form: 'flat', sections: [{ questions }] }
}

/** A record in the middle of its questions. */
export function fileOf(s: string): RecordFile {
  return {
    s,
    isBegun: true,
    token: '00000000-0000-4000-8000-000000000000',
    state: { stage: 'questions', questions: { content: CONTENT, count: QUESTIONS } },
    test: { title: 'سنجش', minutes: 90, limits: { minAge: null, maxAge: null, gender: 'both' } },
    testsAuthRequired: false,
    seenAt: Date.now(),
  }
}
