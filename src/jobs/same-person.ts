import type { z } from 'zod'
import { parseMobile } from '../domain/persian/mobile.ts'
import { isSameName } from '../domain/persian/name.ts'
import type { profileSchema } from '../service/wire.ts'

/** A person as typed here so far, under the names of the service. */
type Typed = {
  name: string
  birth: string | undefined
  is_male: boolean | undefined
  mobile: string | undefined
}

/**
 * Whether a profile at the service is that of the person who was typed here: its name has to be there and be the same, and
 * so has whatever else it shows.
 */
export function isSamePerson(
  typed: Typed,
  profile: z.infer<typeof profileSchema> | null | undefined,
): boolean {
  const { name, birth, is_male: isMale, mobile } = profile ?? {}
  if (!name || !isSameName(name, typed.name)) return false
  return (
    isSame(typed.birth, birth?.slice(0, 10)) &&
    isSame(typed.is_male, isMale) &&
    isSame(typed.mobile && nationalOf(typed.mobile), mobile && nationalOf(mobile))
  )
}

/** What is not there on both sides contradicts nothing. */
const isSame = <T>(typed: T | undefined, known: T | null | undefined): boolean =>
  typed === undefined || known == null || known === '' || typed === known

function nationalOf(mobile: string): string {
  const read = parseMobile(mobile)
  return read.ok ? read.mobile : mobile
}
