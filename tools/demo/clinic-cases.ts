import type { BoardStage } from '../../src/domain/record/standing.ts'

/** A person or a family of the demo's clinic: their stage, and since how many hours. */
export type Case = {
  stage: Exclude<BoardStage, 'stuck'> | 'elsewhere'
  name: string
  hours: number
  isFamily?: true
  /** The person is in the chat page, so that a visitor can see a reminder arrive. */
  isHere?: true
  isStuck?: true
  isFlagged?: true
  externalId?: number
  answered?: number
  /** The index of the question that they have asked. */
  question?: number
}

/** Questions of participants that are not answered yet. */
export const questionsAsked = [
  'این پرسش برای همین هفته است یا همیشه؟',
  'اگر وسط آزمون کار پیش بیاید پاسخ‌هایم می‌ماند؟',
  'نتیجه را همسرم هم می‌بیند؟',
] as const

const FIRST =
  'زهرا علی مریم رضا فاطمه حسین نرگس محمد لیلا امیر شیرین سعید پریسا مهدی الهام کاوه سمیرا بهرام مینا یاسر'.split(
    ' ',
  )
const LAST = 'محمدی رضایی کریمی حسینی احمدی موسوی جعفری صادقی اکبری نوری رستمی قاسمی یوسفی'.split(' ')
const nameOf = (nth: number) => `${FIRST[nth % FIRST.length]} ${LAST[(nth * 7) % LAST.length]}`

/** The number of cases of each kind; stuck ones have been at their stage for more than a day. */
const RECORDS: readonly [count: number, one: Omit<Case, 'name' | 'hours'>, hours: number][] = [
  [8, { stage: 'opened' }, 5],
  [4, { stage: 'profile' }, 1],
  [3, { stage: 'profile', isStuck: true }, 40],
  [2, { stage: 'code' }, 1],
  [2, { stage: 'code', isStuck: true }, 30],
  [3, { stage: 'answering', answered: 2, isHere: true }, 2],
  [9, { stage: 'answering', answered: 4 }, 3],
  [2, { stage: 'answering', answered: 5, isStuck: true, isHere: true }, 50],
  [4, { stage: 'answering', answered: 3, isStuck: true }, 70],
  [2, { stage: 'submitting', answered: 7 }, 20],
  [1, { stage: 'waiting', externalId: 4_711 }, 26],
  [1, { stage: 'owed', answered: 7 }, 18],
  [1, { stage: 'elsewhere' }, 60],
  [1, { stage: 'delivered', isFlagged: true }, 9],
  [32, { stage: 'delivered' }, 6],
]
const FAMILIES: typeof RECORDS = [
  [3, { stage: 'opened', isFamily: true }, 8],
  [4, { stage: 'profile', isFamily: true }, 4],
  [2, { stage: 'profile', isFamily: true, isStuck: true }, 90],
  [1, { stage: 'analysis', isFamily: true }, 1],
  [2, { stage: 'delivered', isFamily: true }, 30],
]

/** All cases: 75 records and twelve families. */
export function cases(): Case[] {
  const all = [...RECORDS, ...FAMILIES].flatMap(([count, one, hours]) =>
    Array.from({ length: count }, (_, at) => ({
      ...one,
      hours: hours + at * 11 * (one.stage === 'delivered' ? 1 : 0.1),
    })),
  )
  let asking = 0
  return all.map((one, nth): Case => {
    const isAsking = one.isHere && !one.isStuck && asking < questionsAsked.length
    return { ...one, name: nameOf(nth), ...(isAsking && { question: asking++ }) }
  })
}
