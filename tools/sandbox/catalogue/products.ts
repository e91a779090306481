/** A roadmap product: its roles, and the tests that each role takes. */
export interface Product {
  readonly id: string
  readonly title: string
  readonly version: number
  readonly roles: readonly Role[]
  /** Nested records, in order: a test of the catalogue and the role that takes it. */
  readonly tests: readonly { readonly testId: string; readonly role: number }[]
}

export interface Role {
  readonly id: number
  readonly title: string
  readonly minAge: number | null
  readonly maxAge: number | null
  readonly gender: 'both' | 'male' | 'female'
}

/** The roadmap products of the catalogue. */
export const products: readonly Product[] = [
  {
    id: 'couple',
    title: 'نقشهٔ راه زوج (نمونه)',
    version: 3,
    roles: [
      { id: 11, title: 'زن', minAge: 18, maxAge: null, gender: 'female' },
      { id: 12, title: 'مرد', minAge: 18, maxAge: null, gender: 'male' },
    ],
    tests: [
      { testId: 'couple-14', role: 11 },
      { testId: 'talk-12', role: 11 },
      { testId: 'couple-14', role: 12 },
      { testId: 'talk-12', role: 12 },
    ],
  },
  {
    id: 'family',
    title: 'نقشهٔ راه خانوادهٔ سه‌نفره (نمونه)',
    version: 2,
    roles: [
      { id: 21, title: 'مادر', minAge: 25, maxAge: null, gender: 'female' },
      { id: 22, title: 'پدر', minAge: 25, maxAge: null, gender: 'male' },
      { id: 23, title: 'فرزند نوجوان', minAge: 12, maxAge: 17, gender: 'both' },
    ],
    tests: [
      { testId: 'parenting-14', role: 21 },
      { testId: 'home-12', role: 21 },
      { testId: 'parenting-14', role: 22 },
      { testId: 'home-12', role: 22 },
      { testId: 'teen-16', role: 23 },
      { testId: 'home-12', role: 23 },
    ],
  },
  {
    id: 'solo',
    title: 'نقشهٔ راه فردی (نمونه)',
    version: 5,
    roles: [{ id: 31, title: 'شرکت‌کننده', minAge: 16, maxAge: 90, gender: 'both' }],
    tests: [
      { testId: 'mood-7', role: 31 },
      { testId: 'choices-10', role: 31 },
      { testId: 'week-12', role: 31 },
    ],
  },
]
