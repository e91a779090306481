import type { BirthError } from '../domain/persian/birth-reading.ts'
import type { MobileError } from '../domain/persian/mobile.ts'
import type { NameError } from '../domain/persian/name.ts'
import type { Translate } from '../texts/texts.ts'

/** One message per kind of mistake; each ends with an example. */
export function nameErrorText(t: Translate, { error, bad }: { error: NameError; bad: string }): string {
  const many = isAlphabet(error) && new Set(bad.replace(/\s/g, '')).size > MOST_LETTERS_LISTED
  const words = many ? t(`name-error.${error}_many`) : t(`name-error.${error}`, { bad })
  return `${words}\n${t('name-example')}`
}

/** More foreign letters than these are no slip but another alphabet: listing them helps nobody. */
const MOST_LETTERS_LISTED = 3

const isAlphabet = (error: NameError) => error === 'latin' || error === 'foreign_letter'

/** Why a date of birth was not taken. */
export function birthErrorText(t: Translate, error: BirthError): string {
  const key = `birth-error.${error}` as const
  return `${t(key)}\n${t('birth-example')}`
}

/** Why a mobile was not taken. */
export function mobileErrorText(t: Translate, error: MobileError): string {
  const key = `mobile-error.${error}` as const
  return `${t(key)}\n${t('mobile-example')}`
}
