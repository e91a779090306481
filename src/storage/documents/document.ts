import type { z } from 'zod'
import type { DocumentKind } from '../documents.ts'

/** Brings a value of the version before this one up to date; index 0 is from version 1 to 2. */
type Upgrade = (value: unknown) => unknown

/**
 * Defines a kind of document: what it holds, how long, and how earlier versions become this one. Its version is one
 * more than its upgrades.
 */
export function document<T>(
  prefix: string,
  {
    schema,
    upgrades = [],
    ...rest
  }: { schema: z.ZodType<T>; upgrades?: readonly Upgrade[] } & Pick<
    DocumentKind<NoInfer<T>>,
    'expiresAt' | 'isImmutable' | 'isReplaceable'
  >,
): DocumentKind<T> {
  const current = upgrades.length + 1
  return {
    prefix,
    version: current,
    read(value, version) {
      if (version > current) throw new Error(`a kept value (${prefix}) was written by a newer version`)
      try {
        return schema.parse(
          upgrades.slice(Math.max(version, 1) - 1).reduce((old, upgrade) => upgrade(old), value),
        )
      } catch {
        // The words of the schema may repeat what is kept, so they are not passed on.
        throw new Error(`a kept value (${prefix}) is not what it should be`)
      }
    },
    ...rest,
  }
}
