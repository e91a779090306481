import type { Plugin } from 'vite'
import type { Plant } from './plants.ts'

/** Makes known faults plantable in one bundle; `isPlanted` returns the expression that tells whether a fault is planted. */
export const planting = (plants: readonly Plant[], isPlanted: (name: string) => string): Plugin => ({
  name: 'plants',
  transform(code, id) {
    const planted = plants.filter(({ file }) => id.endsWith(`/src/${file}`))
    // A text that is not found is left alone; a test checks that each fault can still be planted.
    return planted.reduce(
      (grown, { name, find, instead }) =>
        grown.replace(find, () => `(${isPlanted(name)} ? (${instead}) : (${find}))`),
      code,
    )
  },
  enforce: 'pre',
})
