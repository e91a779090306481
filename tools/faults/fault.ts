/** A text that occurs exactly once in a file of the project, and the text that a fault puts in its place. */
type Site = { file: string; find: string; instead: string }

/** A mistake that a developer could make. Each is planted alone, into a copy; `faults.ts` lists all of them. */
export type Fault = {
  /** The number of the promise that it breaks; several faults may break the same promise. */
  number: number
  name: string
  /** The test files that find it; `types` if the compiler has to find it. */
  tests: readonly string[]
  /** Whether simulated worlds have to find it as well. They use the embedded store. */
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

/** A place in the code of the bot. */
export const at = (file: string, find: string, instead: string): Site => ({
  file: `src/${file}`,
  find,
  instead,
})
