import { ageOn, inPersianWords, today } from '../calendar.ts'
import { questionsOf } from '../catalogue/test.ts'
import { persian, type TestResult } from '../scoring.ts'
import type { ProfileState, RecordState } from '../state.ts'
import { profileOf, testById, type World } from '../world.ts'
import { profileChart, scaleCard } from './charts.ts'
import { escapeHtml, header, leftToRight, page } from './html.ts'

/** The report of one finished record. */
export function recordReport(world: World, record: RecordState, result: TestResult): string {
  const test = testById(world, record.testId)
  const profile = profileOf(world, record)
  const facts: [string, string][] = [
    ...personFacts(world, profile),
    ['تاریخ', inPersianWords(record.submittedAt ?? world.now())],
    ['پرسش‌ها', `${persian(questionsOf(test).length)} پرسش`],
    ['زمان پاسخ‌گویی', `${persian(record.minutes ?? 0)} دقیقه`],
  ]
  return page(
    test.title,
    `${header('گزارش آزمون', test.title, facts)}
<p class="summary">${escapeHtml(result.summary)}</p>
<h2>نیم‌رخ</h2>
${profileChart(result.scales)}
<h2>شرح مقیاس‌ها</h2>
${result.scales.map(scaleCard).join('\n')}`,
  )
}

function personFacts(world: World, profile: ProfileState | null): [string, string][] {
  if (profile === null) return []
  const age = ageOn(profile.birth, today(world.now()))
  return [
    ['نام', escapeHtml(profile.name)],
    ['سن', `${persian(age)} سال`],
    ['شمارهٔ پرونده', leftToRight(profile.caseNumber)],
  ]
}
