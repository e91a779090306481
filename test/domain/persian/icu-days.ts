export type IcuDay = { iso: string; year: number; month: number; day: number }

/** Every day of a span of Jalali years by ICU, which does not know our conversion. */
export function icuDays(firstYear: number, lastYear: number): IcuDay[] {
  const jalali = new Intl.DateTimeFormat('en-US-u-ca-persian-nu-latn', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  const days: IcuDay[] = []
  for (let at = Date.UTC(firstYear + 621, 2, 15); ; at += 86_400_000) {
    const [month = 0, day = 0, year = 0] = jalali.format(at).match(/\d+/g)?.map(Number) ?? []
    if (year > lastYear) return days
    if (year >= firstYear) days.push({ iso: new Date(at).toISOString().slice(0, 10), year, month, day })
  }
}
