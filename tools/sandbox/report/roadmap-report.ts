import { ageOn, inPersianWords, today } from '../calendar.ts'
import { persian } from '../scoring.ts'
import type { RoadmapState } from '../state.ts'
import { productById, type World } from '../world.ts'
import { type Analysis, nameOf, type Participant } from './analysis.ts'
import { profileChart } from './charts.ts'
import { escapeHtml, header, leftToRight, page } from './html.ts'

/** The combined report of a finished roadmap: the analysis first, then the scales of every person. */
export function roadmapReport(world: World, roadmap: RoadmapState, analysis: Analysis): string {
  const { title } = productById(world, roadmap.productId)
  const { participants, summary, sections } = analysis
  const facts: [string, string][] = [
    ['تاریخ', inPersianWords(roadmap.generation?.endsAt ?? world.now())],
    ['شرکت‌کنندگان', `${persian(participants.length)} نفر`],
    ['آزمون‌ها', `${persian(roadmap.records.length)} آزمون`],
  ]
  const texts = sections.map(
    (section) => `<h2>${escapeHtml(section.title)}</h2>\n<p>${escapeHtml(section.text)}</p>`,
  )
  return page(
    title,
    `${header('گزارش یکپارچه', title, facts)}
<div class="people">${participants.map((person) => personCard(world, person)).join('\n')}</div>
<p class="summary">${escapeHtml(summary)}</p>
${texts.join('\n')}
${participants.map(testsOf).join('\n')}`,
  )
}

function personCard(world: World, person: Participant): string {
  const { role, profile } = person
  const facts = profile
    ? `<p class="muted">${persian(ageOn(profile.birth, today(world.now())))} ساله، پروندهٔ ${leftToRight(profile.caseNumber)}</p>`
    : ''
  return `<div class="person"><p class="role">${escapeHtml(role.title)}</p><p>${escapeHtml(nameOf(person))}</p>${facts}</div>`
}

function testsOf(person: Participant): string {
  const tests = person.tests.map(
    ({ test, result }) => `<section class="test">
<h3>${escapeHtml(test.title)}</h3>
${profileChart(result.scales)}
<p>${escapeHtml(result.summary)}</p>
</section>`,
  )
  return `<h2>${escapeHtml(nameOf(person))} (${escapeHtml(person.role.title)})</h2>\n${tests.join('\n')}`
}
