/** A place of the project, by its path: the text that stands there exactly once, and what a fault puts in its place. */
type Site = { file: string; find: string; instead: string }

/** A fault that somebody could make. It is planted alone, into a copy; `faults.ts` lists all of them. */
export type Fault = {
  /** Of the promise that it breaks; several faults may break one. */
  number: number
  name: string
  /** The files of tests that find it; `types` where it must not compile. */
  tests: readonly string[]
  /** Whether simulated worlds have to find it as well. They live on the embedded store. */
  isSimulated: boolean
  sites: readonly Site[]
}

type Finders = Pick<Fault, 'tests'> & Partial<Pick<Fault, 'isSimulated'>>

export const fault = (
  number: number,
  name: string,
  { tests, isSimulated = true }: Finders,
  ...sites: readonly Site[]
): Fault => ({ number, name, tests, isSimulated, sites })

/** A place of the bot. */
export const at = (file: string, find: string, instead: string): Site => ({
  file: `src/${file}`,
  find,
  instead,
})
