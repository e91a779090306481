import { defineTest, type ScaleSpec, type Statement } from '../test.ts'
import { body } from './body.ts'
import { emotions } from './emotions.ts'
import type { Facet, Theme } from './facet.ts'
import { life } from './life.ts'
import { others } from './others.ts'
import { self } from './self.ts'
import { thought } from './thought.ts'
import { work } from './work.ts'

const themes: readonly Theme[] = [body, emotions, others, work, self, thought, life]

/** 567 statements to agree or disagree with: seven themes of three facets with 27 statements each. */
export const panorama = defineTest({
  id: 'panorama-567',
  title: 'چشم‌انداز بلند (نمونه، ۵۶۷ پرسش)',
  about: 'این آزمون بلند بیست‌ویک گوشهٔ زندگی شما را در موقعیت‌های گوناگون می‌سنجد.',
  minAge: 18,
  minutes: 75,
  categories: [{ id: 'panorama', title: 'آزمون‌های بلند' }],
  answers: ['نادرست', 'درست'],
  sections: themes.map(({ title, facets }) => ({ title, items: mix(Object.entries(facets)) })),
  scales: Object.fromEntries(themes.flatMap(({ facets }) => Object.entries(facets)).map(scale)),
})

/** Every statement in every situation; neighbours differ in facet and situation. */
function mix(facets: readonly (readonly [string, Facet])[]): Statement[] {
  const rounds = [0, 1, 2].flatMap((round) =>
    Array.from({ length: 9 }, (_, statement) => ({ round, statement })),
  )
  return rounds.flatMap(({ round, statement }) =>
    facets.map(([id, { situations, statements }], position): Statement => {
      const text = statements[statement]
      const situation = situations[(round + statement + position) % 3]
      if (text === undefined || situation === undefined) throw new Error(`The facet ${id} is incomplete.`)
      return text.startsWith('-') ? [`-${id}`, `${situation} ${text.slice(1)}`] : [id, `${situation} ${text}`]
    }),
  )
}

function scale([id, facet]: readonly [string, Facet]): [string, ScaleSpec] {
  const { title, tone, low, high } = facet
  const middle = `در «${title}» کنار بیشتر مردم ایستاده‌اید: در بعضی موقعیت‌ها بیشتر و در بعضی کمتر.`
  return [id, { title, tone, low, middle, high, norm: tone === 'strain' ? [0.38, 0.19] : [0.58, 0.18] }]
}
