import type { Plugin } from 'vite'
import type { Plant } from './plants.ts'

/** Makes known faults plantable, in one bundle only; `isPlanted` is what that bundle asks for the name of one. */
export const planting = (plants: readonly Plant[], isPlanted: (name: string) => string): Plugin => ({
  name: 'plants',
  transform(code, id) {
    const planted = plants.filter(({ file }) => id.endsWith(`/src/${file}`))
    // What is not there stays as it is: a test says whether each can still be planted.
    return planted.reduce(
      (grown, { name, find, instead }) =>
        grown.replace(find, () => `(${isPlanted(name)} ? (${instead}) : (${find}))`),
      code,
    )
  },
  enforce: 'pre',
})
