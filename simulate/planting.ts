import type { Plugin } from 'vite'
import { plants } from './plants.ts'

/** Makes known faults plantable, in one bundle only; `isPlanted` is what that bundle asks for the name of one. */
export const planting = (isPlanted: (name: string) => string, names?: readonly string[]): Plugin => ({
  name: 'plants',
  transform(code, id) {
    const planted = plants.filter(
      ({ file, name }) => id.endsWith(`/src/${file}`) && names?.includes(name) !== false,
    )
    return planted.reduce((grown, { name, file, find, instead }) => {
      if (grown.split(find).length !== 2)
        throw new Error(`${file} has not exactly one ${find}: see plants.ts`)
      return grown.replace(find, () => `(${isPlanted(name)} ? (${instead}) : (${find}))`)
    }, code)
  },
  enforce: 'pre',
})
