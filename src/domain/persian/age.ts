const tehranDay = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Tehran',
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** The ISO date of a moment in Tehran, wherever the server stands. */
export function tehranToday(nowMs: number): string {
  const parts = Object.fromEntries(tehranDay.formatToParts(nowMs).map(({ type, value }) => [type, value]))
  return `${parts.year}-${parts.month}-${parts.day}`
}

/** The age in completed Gregorian years, as a service that holds the ISO date computes it. */
export function ageOn(iso: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(iso.slice(0, 4))
  return today.slice(5) < iso.slice(5) ? years - 1 : years
}
