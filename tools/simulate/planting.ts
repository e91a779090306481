import type { Plugin } from 'vite'
import type { Plant } from './plants.ts'

/** Makes known faults plantable, in one bundle only; `isPlanted` is what that bundle asks for the name of one. */
export const planting = (plants: readonly Plant[], isPlanted: (name: string) => string): Plugin => ({
  name: 'plants',
  transform(code, id) {
    const planted = plants.filter(({ file }) => id.endsWith(`/src/${file}`))
    return planted.reduce((grown, { name, file, find, instead }) => {
      if (grown.split(find).length !== 2)
        throw new Error(`${file} has not exactly one ${find}: see plants.ts`)
      return grown.replace(find, () => `(${isPlanted(name)} ? (${instead}) : (${find}))`)
    }, code)
  },
  enforce: 'pre',
})
