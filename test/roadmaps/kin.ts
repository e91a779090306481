import { defineTest, type Product, type TestDefinition } from '../../tools/sandbox/sandbox.ts'

/** Tests of two questions, so that a story about six of them is short. */
function shortTest(
  id: string,
  title: string,
  limits: { minAge?: number; maxAge?: number } = {},
): TestDefinition {
  return defineTest({
    id,
    title,
    about: 'برای آزمودن ربات.',
    minutes: 3,
    ...limits,
    answers: ['هرگز', 'گاهی', 'همیشه'],
    sections: [
      {
        title: 'پرسش‌ها',
        items: [
          ['warm', `${title}: گرم است؟`],
          ['warm', `${title}: روشن است؟`],
        ],
      },
    ],
    scales: {
      warm: { title: 'گرما', tone: 'strength', low: 'کم است.', middle: 'میانه است.', high: 'زیاد است.' },
    },
  })
}

export const tests = [
  shortTest('home', 'خانهٔ ما'),
  shortTest('talk', 'گفتگو'),
  shortTest('teen', 'روزهای من', { minAge: 12, maxAge: 17 }),
]

export const MOTHER = 21
export const FATHER = 22
export const CHILD = 23

export const ALL = [MOTHER, FATHER, CHILD]

export const KIN_TITLE = 'خانوادهٔ کوچک'

const kin: Product = {
  id: 'kin',
  title: KIN_TITLE,
  version: 1,
  roles: [
    { id: MOTHER, title: 'مادر', minAge: 25, maxAge: null, gender: 'female' },
    { id: FATHER, title: 'پدر', minAge: 25, maxAge: null, gender: 'male' },
    { id: CHILD, title: 'فرزند', minAge: 12, maxAge: 17, gender: 'both' },
  ],
  tests: [
    { testId: 'home', role: MOTHER },
    { testId: 'talk', role: MOTHER },
    { testId: 'home', role: FATHER },
    { testId: 'talk', role: FATHER },
    { testId: 'teen', role: CHILD },
    { testId: 'home', role: CHILD },
  ],
}

/** Two adults with one test each: the smallest roadmap with a second person. */
const pair: Product = {
  id: 'pair',
  title: 'زوج',
  version: 1,
  roles: [
    { id: 11, title: 'زن', minAge: 18, maxAge: null, gender: 'female' },
    { id: 12, title: 'مرد', minAge: 18, maxAge: null, gender: 'male' },
  ],
  tests: [
    { testId: 'home', role: 11 },
    { testId: 'home', role: 12 },
  ],
}

/** One person with one test. */
const single: Product = {
  id: 'single',
  title: 'تنها',
  version: 1,
  roles: [{ id: 31, title: 'شرکت‌کننده', minAge: 16, maxAge: null, gender: 'both' }],
  tests: [{ testId: 'talk', role: 31 }],
}

export const products = [kin, pair, single]

/** The details of the person of each role; birth dates are picked in the calendar. */
export const people: Readonly<Record<number, Details>> = {
  [MOTHER]: { name: 'مریم احمدی', birth: 'birth:j:1360:1:10' },
  [FATHER]: { name: 'رضا احمدی', birth: 'birth:j:1355:6:1' },
  [CHILD]: { name: 'سارا احمدی', birth: 'birth:j:1390:3:5', gender: 'gender:female' },
  11: { name: 'لیلا رضایی', birth: 'birth:j:1370:2:2' },
  12: { name: 'علی رضایی', birth: 'birth:j:1368:2:2' },
  31: { name: 'نیما کریمی', birth: 'birth:j:1375:5:12', gender: 'gender:male' },
}

export type Details = { name: string; birth: string; gender?: string }

export const MOBILE = '09123456789'

/** What an organizer registers at the service for these roles, so that every test can be begun. */
export const profilesOf = (roles: readonly number[]) => ({
  mobile: MOBILE,
  roles: roles.map((id) => ({
    id,
    profile: { name: people[id]?.name, birth: '1990-01-01', is_male: id === 12 || id === FATHER },
  })),
})
