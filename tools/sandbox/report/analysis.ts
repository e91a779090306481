import type { Role } from '../catalogue/products.ts'
import type { TestDefinition } from '../catalogue/test.ts'
import { needsCare, persian, type ScaleResult, score, type TestResult } from '../scoring.ts'
import type { ProfileState, RecordState, RoadmapState } from '../state.ts'
import { wireProfile, wireResult } from '../wire.ts'
import { productById, profileOf, recordsOf, testById, type World } from '../world.ts'

interface TakenTest {
  readonly record: RecordState
  readonly test: TestDefinition
  readonly result: TestResult
}

/** One role of a roadmap with all answers of its person. */
export interface Participant {
  readonly role: Role
  readonly profile: ProfileState | null
  readonly tests: readonly TakenTest[]
}

export interface Analysis {
  readonly participants: readonly Participant[]
  readonly summary: string
  readonly sections: readonly { readonly title: string; readonly text: string }[]
  /** `data` of the JSON result; the specification does not define its shape. */
  readonly wire: object
}

/** Analyses all tests of a roadmap together. Simple rules replace the AI of the real service. */
export function analyse(world: World, roadmap: RoadmapState): Analysis {
  const product = productById(world, roadmap.productId)
  const records = recordsOf(world, roadmap)
  const participants = product.roles.map((role) => participantOf(world, role, records))
  const summary = overview(product.title, participants)
  const sections = [
    { title: 'نقطه‌های قوت', text: participants.map(strengthsOf).join(' ') },
    { title: 'آنچه مراقبت می‌خواهد', text: participants.map(strainsOf).join(' ') },
    ...(participants.length > 1 ? [{ title: 'شباهت‌ها و تفاوت‌ها', text: differences(participants) }] : []),
    { title: 'پیشنهاد برای دو هفتهٔ پیش رو', text: suggestions(participants) },
  ]
  const wire = {
    roadmap: { id: product.id, title: product.title, current_version: product.version },
    generated_on: new Date(roadmap.generation?.endsAt ?? world.now()).toISOString(),
    summary,
    sections,
    roles: participants.map(({ role, profile, tests }) => ({
      role_id: role.id,
      role_title: role.title,
      profile: wireProfile(world, profile),
      tests: tests.map(({ record, test, result }) => ({
        token: record.token,
        test_id: test.id,
        test_title: test.title,
        ...wireResult(result),
      })),
    })),
  }
  return { participants, summary, sections, wire }
}

function participantOf(world: World, role: Role, records: readonly RecordState[]): Participant {
  const own = records.filter((record) => record.role === role.id)
  const tests = own.map((record) => {
    const test = testById(world, record.testId)
    return { record, test, result: score(test, record.answers ?? []) }
  })
  const profile = own[0] ? profileOf(world, own[0]) : null
  return { role, profile, tests }
}

/** The name of a person in the analysis: their own, or the role's title if no profile is linked. */
export function nameOf({ role, profile }: Participant): string {
  return profile?.name ?? role.title
}

function overview(title: string, participants: readonly Participant[]): string {
  const tests = participants.reduce((sum, { tests }) => sum + tests.length, 0)
  const heavy = participants.flatMap((person) => scalesOf(person).filter(needsCare)).length
  const tone =
    heavy === 0
      ? 'تصویر کلی آرام و روبه‌راه است.'
      : heavy <= participants.length
        ? 'تصویر کلی متعادل است و چند جای مشخص برای مراقبت دارد.'
        : 'این روزها فشار کم نیست؛ بهتر است چند جای مشخص زودتر دیده شود.'
  return `${title}: ${persian(participants.length)} نفر به ${persian(tests)} آزمون پاسخ دادند. ${tone}`
}

function strengthsOf(person: Participant): string {
  const best = ranked(
    scalesOf(person).filter(({ scale, band }) => scale.tone !== 'strain' && band !== 'low'),
  )[0]
  if (!best)
    return `پاسخ‌های ${nameOf(person)} از روزهای کم‌رمق‌تری می‌گوید؛ توانایی‌ها با همراهی دوباره قوت می‌گیرند.`
  return `برای ${nameOf(person)} «${best.scale.title}» از همه پررنگ‌تر است (درصدک ${persian(best.percentile)}).`
}

function strainsOf(person: Participant): string {
  const heavy = careOf(person)
  if (heavy.length === 0) return `در پاسخ‌های ${nameOf(person)} فشار چشمگیری دیده نمی‌شود.`
  const [first, ...others] = heavy.slice(0, 3).map(({ scale }) => `«${scale.title}»`)
  const last = others.pop()
  const titles = last === undefined ? first : `${[first, ...others].join('، ')} و ${last}`
  return `برای ${nameOf(person)} خوب است به ${titles} بیشتر رسیدگی شود.`
}

interface Gap {
  readonly title: string
  readonly higher: string
  readonly lower: string
  readonly size: number
}

/** Scales that several people answered, by the distance between two of them, the smallest first. */
function gapsOf(participants: readonly Participant[]): Gap[] {
  const gaps = participants.flatMap((one, index) =>
    participants.slice(index + 1).flatMap((other) =>
      scalesOf(one).flatMap(({ scale, percentile }) => {
        const match = scalesOf(other).find((candidate) => candidate.scale === scale)
        if (!match) return []
        const [higher, lower] = percentile >= match.percentile ? [one, other] : [other, one]
        const size = Math.abs(percentile - match.percentile)
        return [{ title: scale.title, higher: nameOf(higher), lower: nameOf(lower), size }]
      }),
    ),
  )
  return gaps.toSorted((a, b) => a.size - b.size)
}

function differences(participants: readonly Participant[]): string {
  const gaps = gapsOf(participants)
  const closest = gaps[0]
  const widest = gaps.at(-1)
  if (!closest || !widest) return 'هر یک از شما آزمون‌های خود را داشت و مقیاس مشترکی برای مقایسه نبود.'
  if (widest.size < 20) return `نگاه شما به هم نزدیک است؛ بیش از همه در «${closest.title}».`
  const near = closest.size < 20 ? `در «${closest.title}» نزدیک به هم پاسخ داده‌اید. ` : ''
  return `${near}بیشترین فاصله در «${widest.title}» است: ${widest.higher} آن را بسیار پررنگ‌تر از ${widest.lower} می‌بیند. این تفاوت خودش بد نیست؛ جای خوبی برای شروع یک گفتگوست.`
}

function suggestions(participants: readonly Participant[]): string {
  const heavy = participants.flatMap(careOf)[0]
  const first = heavy
    ? `هر هفته یک بار، بی‌شتاب، دربارهٔ «${heavy.scale.title}» حرف بزنید؛ اول گوش بدهید، بعد راه‌حل پیدا کنید.`
    : 'کارهایی را که حالتان را خوب نگه می‌دارد بنویسید و برایشان وقت ثابت بگذارید.'
  const second =
    participants.length > 1
      ? 'هر شب ده دقیقه بدون تلفن کنار هم بنشینید و از بهترین لحظهٔ روزتان بگویید.'
      : 'هر شب سه چیزی را که در روز خوب پیش رفت یادداشت کنید.'
  return `${first} ${second} اگر چیزی در این گزارش نگرانتان می‌کند، آن را همراه روان‌شناس مرور کنید.`
}

/** The scales that need care, the farthest from the middle first. */
function careOf(person: Participant): ScaleResult[] {
  const distance = ({ percentile }: ScaleResult) => Math.abs(percentile - 50)
  return scalesOf(person)
    .filter(needsCare)
    .toSorted((a, b) => distance(b) - distance(a))
}

function scalesOf({ tests }: Participant): ScaleResult[] {
  return tests.flatMap(({ result }) => result.scales)
}

function ranked(results: readonly ScaleResult[]): ScaleResult[] {
  return results.toSorted((a, b) => b.percentile - a.percentile)
}
