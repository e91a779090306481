import { z } from 'zod'
import { type Fields, isFields } from '../domain/fields.ts'

/**
 * The scalars of the service, read generously: what is unmistakable is understood, what is optional never breaks
 * the object around it, and fields nobody asked for are dropped.
 */

/** An identifier; a number is taken as its digits. */
export const id = z.union([z.string().min(1), z.number().transform(String)])

/** A number, also as a text of this form. */
const numeric = (number: z.ZodNumber, form: RegExp) =>
  z.union([number, z.string().regex(form).transform(Number)])

export const whole = numeric(z.int(), /^-?\d+$/)
export const decimal = numeric(z.number(), /^-?\d+(\.\d+)?$/)

/** Yes or no, in the forms that servers write it. */
export const flag = z.union([
  z.boolean(),
  z.literal([1, 'true', 'True', '1']).transform(() => true),
  z.literal([0, 'false', 'False', '0']).transform(() => false),
])

/** A field that may be missing, null or unreadable: `null` then, and the rest of the object stands. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema
    .nullish()
    .transform((value): z.output<T> | null => value ?? null)
    .catch(null)
}

/** A list of which every understood item is kept; missing or null is an empty list. */
export function list<T extends z.ZodType>(item: T) {
  return optional(z.array(z.unknown())).transform((items) =>
    (items ?? []).flatMap((value): z.output<T>[] => {
      const read = item.safeParse(value)
      return read.success ? [read.data] : []
    }),
  )
}

/** A list whose items are read one by one; `null` stands for one that cannot be understood. */
export const eachOf = <T extends z.ZodType>(item: T) => fullList(optional(item))

/** A list of which every item must be understood. */
export const fullList = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])

/** An object that is no list, whatever is in it. */
export const isObject = (value: unknown): value is Fields => isFields(value) && !Array.isArray(value)
