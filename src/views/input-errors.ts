import type { BirthError } from '../domain/persian/birth.ts'
import type { MobileError } from '../domain/persian/mobile.ts'
import type { NameError } from '../domain/persian/name.ts'
import type { Translate } from '../texts/texts.ts'

/** One message per kind of mistake; each ends with an example. */
export function nameErrorText(t: Translate, { error, bad }: { error: NameError; bad: string }): string {
  const key = `name-error.${error}` as const
  return `${t(key, { bad })}\n${t('name-example')}`
}

export function birthErrorText(t: Translate, error: BirthError): string {
  const key = `birth-error.${error}` as const
  return `${t(key)}\n${t('birth-example')}`
}

export function mobileErrorText(t: Translate, error: MobileError): string {
  const key = `mobile-error.${error}` as const
  return `${t(key)}\n${t('mobile-example')}`
}
