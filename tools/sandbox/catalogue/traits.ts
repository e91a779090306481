import { defineTest, type Statement } from './test.ts'
import type { Trait } from './trait.ts'
import { calmTraits } from './traits-calm.ts'
import { outwardTraits } from './traits-outward.ts'

const traits: Readonly<Record<string, Trait>> = { ...outwardTraits, ...calmTraits }
const SECTION_TITLES = ['بخش اول', 'بخش دوم', 'بخش سوم', 'بخش چهارم']

/** 120 questions: ten traits of twelve statements, mixed so that neighbours differ. */
export const traitsTest = defineTest({
  id: 'traits-120',
  title: 'ده رنگ منش (نمونه)',
  about: 'این آزمون ده رنگ از منش شما را کنار هم می‌گذارد؛ هیچ‌کدام خوب یا بد نیست.',
  minutes: 20,
  categories: [{ id: 'style', title: 'سبک رفتار' }],
  answers: ['کاملاً نادرست', 'بیشتر نادرست', 'نه درست و نه نادرست', 'بیشتر درست', 'کاملاً درست'],
  sharedOptionIds: true,
  sections: SECTION_TITLES.map((title, section) => ({ title, items: statementsOf(section) })),
  scales: Object.fromEntries(
    Object.entries(traits).map(([id, { statements: _, ...scale }]) => [
      id,
      { ...scale, tone: 'style' as const },
    ]),
  ),
})

/** Three statements of every trait, in turn. */
function statementsOf(section: number): Statement[] {
  const perTrait = 12 / SECTION_TITLES.length
  return Array.from({ length: perTrait }, (_, step) =>
    Object.entries(traits).map(([id, { statements }]): Statement => {
      const text = statements[section * perTrait + step]
      if (text === undefined) throw new Error(`The trait ${id} has too few statements.`)
      return text.startsWith('-') ? [`-${id}`, text.slice(1)] : [id, text]
    }),
  ).flat()
}
