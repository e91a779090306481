import { issueRecord, issueRoadmap, type RecordSpec, type RoadmapSpec } from './invitations.ts'
import type { Seed } from './state.ts'
import type { World } from './world.ts'

type SeedSpec = { readonly title: string; readonly note: { readonly fa: string; readonly en: string } } & (
  | { readonly record: RecordSpec }
  | { readonly roadmap: RoadmapSpec }
)

const instant = { testsAuthRequired: false }
const bySms = { testsAuthRequired: true }

/** The demo's invitations: one for every kind of test and every roadmap product. */
const seedSpecs: readonly SeedSpec[] = [
  {
    title: 'حال این دو هفته',
    note: { fa: '۷ پرسش، با کد پیامکی', en: '7 questions, SMS code' },
    record: { testId: 'mood-7', ...bySms },
  },
  {
    title: 'خواب و آرامش',
    note: { fa: '۲۰ پرسش، بدون پیامک', en: '20 questions, no SMS' },
    record: { testId: 'sleep-20', ...instant },
  },
  {
    title: 'زندگی روزمره',
    note: { fa: '۶۰ پرسش در پنج بخش، با کد پیامکی', en: '60 questions in 5 sections, SMS code' },
    record: { testId: 'life-60', ...bySms },
  },
  {
    title: 'ده رنگ منش',
    note: { fa: '۱۲۰ پرسش، بدون پیامک', en: '120 questions, no SMS' },
    record: { testId: 'traits-120', ...instant },
  },
  {
    title: 'چشم‌انداز بلند',
    note: { fa: '۵۶۷ پرسش، بدون پیامک', en: '567 questions, no SMS' },
    record: { testId: 'panorama-567', ...instant },
  },
  {
    title: 'موقعیت‌های هر روز',
    note: { fa: 'گزینه‌های بلند', en: 'Long options' },
    record: { testId: 'choices-10', ...instant },
  },
  {
    title: 'هفته‌ای که گذشت',
    note: { fa: 'پرسش‌نامه به شکل فرم HTML', en: 'Questions as an HTML form' },
    record: { testId: 'week-12', ...instant },
  },
  {
    title: 'حال من و چرخهٔ ماهانه',
    note: { fa: 'فقط برای زنان، با کد پیامکی', en: 'For women only, SMS code' },
    record: { testId: 'women-16', ...bySms },
  },
  {
    title: 'من و مدرسه',
    note: { fa: 'فقط برای ۱۲ تا ۱۸ سال', en: 'For ages 12 to 18 only' },
    record: { testId: 'teen-16', ...instant },
  },
  {
    title: 'خواب و آرامش، در انتظار برگزارکننده',
    note: { fa: 'در آغاز آماده نیست (وضعیت ۰)', en: 'Status 0 at first' },
    record: { testId: 'sleep-20', ...instant, status: 0 },
  },
  {
    title: 'حال این دو هفته، بی‌نام',
    note: { fa: 'نیازی به مشخصات ندارد', en: 'No details are asked for' },
    record: { testId: 'mood-7', authRequired: false },
  },
  {
    title: 'نقشهٔ راه زوج',
    note: { fa: '۲ نفر، ۴ آزمون، با کد پیامکی', en: '2 people, 4 tests, SMS code' },
    roadmap: { productId: 'couple', ...bySms },
  },
  {
    title: 'نقشهٔ راه خانواده',
    note: { fa: '۳ نفر، ۶ آزمون، با کد پیامکی', en: '3 people, 6 tests, SMS code' },
    roadmap: { productId: 'family', ...bySms },
  },
  {
    title: 'نقشهٔ راه فردی',
    note: { fa: '۱ نفر، ۳ آزمون، بدون پیامک', en: '1 person, 3 tests, no SMS' },
    roadmap: { productId: 'solo', ...instant },
  },
  {
    title: 'نقشهٔ راه فردی، در انتظار برگزارکننده',
    note: { fa: 'در آغاز آماده نیست (وضعیت ۰)', en: 'Status 0 at first' },
    roadmap: { productId: 'solo', ...instant, status: 0 },
  },
]

/**
 * Issues the demo's invitations once per state. They reuse `tokens` of earlier ones, so that links which were
 * printed before a reset keep working.
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
    return { title, note: note.fa, kind, payload: `${kind}_${token}`, token }
  })
  return world.state.seeds
}

/** The English note of the invitation with this title. */
export function noteInEnglish(title: string): string | undefined {
  return seedSpecs.find((spec) => spec.title === title)?.note.en
}
