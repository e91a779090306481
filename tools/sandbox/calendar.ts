const tehranDate = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Tehran',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})
const persianYear = new Intl.DateTimeFormat('en-u-ca-persian', { timeZone: 'Asia/Tehran', year: 'numeric' })
const persianDate = new Intl.DateTimeFormat('fa-IR-u-ca-persian', {
  timeZone: 'Asia/Tehran',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
})

/** Today's date in Tehran, ISO 8601. */
export function today(now: number): string {
  return tehranDate.format(now)
}

/** Completed years of a person born on this ISO date. */
export function ageOn(birth: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(birth.slice(0, 4))
  return date.slice(5) < birth.slice(5) ? years - 1 : years
}

/** The Persian year of a moment, for case numbers. */
export function persianYearOf(now: number): string {
  return persianYear.formatToParts(now).find((part) => part.type === 'year')?.value ?? ''
}

/** A moment as a Persian date, for a report. */
export function inPersianWords(now: number): string {
  return persianDate.format(now)
}
