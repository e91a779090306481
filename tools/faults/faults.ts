import type { Fault } from './fault.ts'
import { faultsOfOrganizers } from './of-organizers.ts'
import { faultsOfStore } from './of-store.ts'
import { faultsOfTold } from './of-told.ts'
import { faultsOfWhose } from './of-whose.ts'

/** Every fault that the tests and the simulation have to find, in the order of the promises. */
export const faults: readonly Fault[] = [
  ...faultsOfWhose,
  ...faultsOfStore,
  ...faultsOfTold,
  ...faultsOfOrganizers,
].sort((one, other) => one.number - other.number)

/** The text of a file with a fault planted; throws an `Error` if a text to replace does not occur exactly once. */
export function planted({ name, sites }: Fault, file: string, text: string): string {
  return sites
    .filter((site) => site.file === file)
    .reduce((code, { find, instead }) => {
      const found = code.split(find).length - 1
      if (found !== 1) throw new Error(`${file} has ${found} times what "${name}" is planted in: ${find}`)
      return code.replace(find, () => instead)
    }, text)
}
