/** One argument of a button's data: what it looks like there, and its way in and out. */
export type Argument<T> = {
  pattern: string
  write(value: T): string
  read(text: string): T | undefined
  isOptional?: true
}

/** A button's verb with its arguments: packs them into callback data, and reads its own data again. */
export type Verb<A extends readonly unknown[]> = {
  readonly name: string
  /** Matches this verb's data and no other. */
  readonly pattern: RegExp
  data(...args: A): string
  /** `undefined` where the data is not of this verb. */
  read(data: string): A | undefined
}

/** A verb with its arguments in their order. */
export function verb<A extends readonly unknown[]>(
  name: string,
  ...args: { [K in keyof A]: Argument<A[K]> }
): Verb<A> {
  const parts: readonly Argument<unknown>[] = args
  /** Each argument reads its own type, in the order of A; one that read nothing has to be optional. */
  const isComplete = (values: readonly unknown[]): values is A =>
    parts.every(({ isOptional }, index) => isOptional || values[index] !== undefined)
  const pattern = new RegExp(
    `^${name}${parts.map(({ pattern, isOptional }) => (isOptional ? `(?::(${pattern}))?` : `:(${pattern})`)).join('')}$`,
  )
  return {
    name,
    pattern,
    data: (...values) =>
      parts.reduce((data, { write }, index) => {
        const value = values[index]
        return value === undefined ? data : `${data}:${write(value)}`
      }, name),
    read(data) {
      const match = pattern.exec(data)
      if (!match) return undefined
      const values = parts.map(({ read }, index) => {
        const text = match[index + 1]
        return text === undefined ? undefined : read(text)
      })
      return isComplete(values) ? values : undefined
    },
  }
}

/** Record id: the short id of a record or roadmap. */
export const shortId: Argument<string> = { pattern: '[\\w-]{1,16}', write: (s) => s, read: (text) => text }

export const count = (digits: number): Argument<number> => ({
  pattern: `\\d{1,${digits}}`,
  write: String,
  read: Number,
})

export const base36 = (digits: number): Argument<number> => ({
  pattern: `[0-9a-z]{1,${digits}}`,
  write: (value) => value.toString(36),
  read: (text) => Number.parseInt(text, 36),
})

export const oneOf = <W extends string>(...words: readonly W[]): Argument<W> => ({
  pattern: words.join('|'),
  write: (word) => word,
  read: (text) => words.find((word) => word === text),
})

export const optional = <T>(argument: Argument<T>): Argument<T | undefined> => ({
  ...argument,
  write: (value) => (value === undefined ? '' : argument.write(value)),
  isOptional: true,
})
