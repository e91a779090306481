/**
 * Numbers, times and sizes in the page's language.
 *
 * @param {import('./texts.js').Language} language
 * @param {import('./texts.js').Texts} t
 * @param {() => number} [now] milliseconds
 */
export function createFormat(language, t, now = Date.now) {
  const locale = language === 'fa' ? 'fa-IR' : 'en-GB'
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' })
  const fraction = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const dayMs = 86_400_000

  return {
    /** @param {number} value */
    number: (value) => fraction.format(value),
    /** @param {number} ms */
    time: (ms) => clock.format(ms),
    /** A key for the day: messages of one day share one heading. @param {number} ms */
    dayKey: (ms) => new Date(ms).toDateString(),
    /** @param {number} ms */
    day: (ms) => {
      const key = new Date(ms).toDateString()
      if (key === new Date(now()).toDateString()) return t.today
      if (key === new Date(now() - dayMs).toDateString()) return t.yesterday
      return date.format(ms)
    },
    /** @param {number} bytes */
    size: (bytes) => {
      const power = bytes < 1024 ? 0 : bytes < 1024 ** 2 ? 1 : 2
      return `${fraction.format(bytes / 1024 ** power)} ${t.sizeUnits[power]}`
    },
  }
}

/** @typedef {ReturnType<typeof createFormat>} Format */
