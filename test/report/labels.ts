import type { CardLabels } from '../../src/report/card.ts'

const fa = new Intl.NumberFormat('fa-IR', { useGrouping: false })

/** The words of the cards in these tests; the bot takes its own from `locales/`. */
export const labels: Record<'fa' | 'en', CardLabels> = {
  fa: {
    percentile: 'درصدک: از هر ۱۰۰ نفر، چند نفر نمرهٔ پایین‌تری دارند',
    noPercentile: 'درصدک ندارد',
    score: 'نمره',
    caseNumber: 'شمارهٔ پرونده',
    untitled: (position) => `مقیاس ${fa.format(position)}`,
    page: (page, pages) => `صفحهٔ ${fa.format(page)} از ${fa.format(pages)}`,
  },
  en: {
    percentile: 'Percentile: how many of 100 people have a lower score',
    noPercentile: 'no percentile',
    score: 'Score',
    caseNumber: 'Case number',
    untitled: (position) => `Scale ${position}`,
    page: (page, pages) => `Page ${page} of ${pages}`,
  },
}
