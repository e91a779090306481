import { issueRecord, issueRoadmap, type RecordSpec, type RoadmapSpec } from './invitations.ts'
import type { Seed } from './state.ts'
import type { World } from './world.ts'

type SeedSpec = { readonly title: string; readonly note: string } & (
  | { readonly record: RecordSpec }
  | { readonly roadmap: RoadmapSpec }
)

const instant = { testsAuthRequired: false }
const bySms = { testsAuthRequired: true }

/** The ready invitations of the demo: one for every kind of test and every roadmap product. */
const seedSpecs: readonly SeedSpec[] = [
  { title: 'حال این دو هفته', note: '۷ پرسش، با کد پیامکی', record: { testId: 'mood-7', ...bySms } },
  { title: 'خواب و آرامش', note: '۲۰ پرسش، بدون پیامک', record: { testId: 'sleep-20', ...instant } },
  {
    title: 'زندگی روزمره',
    note: '۶۰ پرسش در پنج بخش، با کد پیامکی',
    record: { testId: 'life-60', ...bySms },
  },
  { title: 'ده رنگ منش', note: '۱۲۰ پرسش، بدون پیامک', record: { testId: 'traits-120', ...instant } },
  { title: 'چشم‌انداز بلند', note: '۵۶۷ پرسش، بدون پیامک', record: { testId: 'panorama-567', ...instant } },
  { title: 'موقعیت‌های هر روز', note: 'گزینه‌های بلند', record: { testId: 'choices-10', ...instant } },
  { title: 'هفته‌ای که گذشت', note: 'پرسش‌نامه به شکل فرم HTML', record: { testId: 'week-12', ...instant } },
  {
    title: 'حال من و چرخهٔ ماهانه',
    note: 'تنها برای زنان، با کد پیامکی',
    record: { testId: 'women-16', ...bySms },
  },
  { title: 'من و مدرسه', note: 'تنها برای ۱۲ تا ۱۸ سال', record: { testId: 'teen-16', ...instant } },
  {
    title: 'خواب و آرامش، در انتظار برگزارکننده',
    note: 'وضعیت ۰؛ پس از POST /sandbox/open آماده می‌شود',
    record: { testId: 'sleep-20', ...instant, status: 0 },
  },
  {
    title: 'حال این دو هفته، بی‌نام',
    note: 'نیازی به مشخصات ندارد',
    record: { testId: 'mood-7', authRequired: false },
  },
  { title: 'نقشهٔ راه زوج', note: '۲ نفر، ۴ آزمون، با کد پیامکی', roadmap: { productId: 'couple', ...bySms } },
  {
    title: 'نقشهٔ راه خانواده',
    note: '۳ نفر، ۶ آزمون، با کد پیامکی',
    roadmap: { productId: 'family', ...bySms },
  },
  { title: 'نقشهٔ راه فردی', note: '۱ نفر، ۳ آزمون، بدون پیامک', roadmap: { productId: 'solo', ...instant } },
  {
    title: 'نقشهٔ راه فردی، در انتظار برگزارکننده',
    note: 'وضعیت ۰؛ پس از POST /sandbox/open آماده می‌شود',
    roadmap: { productId: 'solo', ...instant, status: 0 },
  },
]

/**
 * Issues the demo's invitations once per state. `tokens` of earlier ones are used again, so that links which were
 * printed before a reset go on working.
 */
export function plantSeeds(world: World, tokens: readonly string[] = []): readonly Seed[] {
  if (world.state.seeds.length > 0) return world.state.seeds
  world.state.seeds = seedSpecs.map((spec, index) => {
    const { title, note } = spec
    const given = tokens[index]
    const reuse = given === undefined ? {} : { token: given }
    const kind = 'record' in spec ? 'record' : 'roadmap'
    const token =
      'record' in spec
        ? issueRecord(world, { ...spec.record, ...reuse })
        : issueRoadmap(world, { ...spec.roadmap, ...reuse })
    return { title, note, kind, payload: `${kind}_${token}`, token }
  })
  return world.state.seeds
}
