type Row = {
  /** The number in stored attempts: unique, and never changed. */
  number: number
  /** The locale for `Intl`, with calendar and digits. */
  locale: string
  direction: 'rtl' | 'ltr'
  /** The calendar in which a birth date is picked, and shown first. */
  calendar: 'jalali' | 'gregorian'
}

/**
 * Every language of the bot by its two-letter code: one row here and its texts in `locales/<code>.ftl`. The
 * first is the default.
 */
export const LANGUAGES = {
  fa: { number: 0, locale: 'fa-IR-u-ca-persian-nu-arabext', direction: 'rtl', calendar: 'jalali' },
  en: { number: 1, locale: 'en-GB-u-ca-gregory-nu-latn', direction: 'ltr', calendar: 'gregorian' },
} as const satisfies Record<string, Row>

export type Language = keyof typeof LANGUAGES

// `Object.keys` is typed as strings, possibly none.
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as [Language, ...Language[]]
export const FIRST_LANGUAGE = LANGUAGE_CODES[0]

/** The language with this number. */
export const languageNumbered = (number: number): Language =>
  LANGUAGE_CODES.find((code) => LANGUAGES[code].number === number) ?? FIRST_LANGUAGE

/** Whether a language is written from right to left. */
export const isRightToLeft = (language: Language): boolean => LANGUAGES[language].direction === 'rtl'

/** Creates a value for each language when it is first needed; `Intl` formats are slow to create. */
export function perLanguage<T>(make: (row: Row) => T): (language: Language) => T {
  const made: Partial<Record<Language, T>> = {}
  return (language) => {
    made[language] ??= make(LANGUAGES[language])
    return made[language]
  }
}
