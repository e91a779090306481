import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { chaosPlants } from '../../tools/chaos/plants.ts'
import { faults, planted } from '../../tools/faults/faults.ts'
import { plants } from '../../tools/simulate/plants.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('every fault can still be planted: the text that it replaces occurs exactly once', () => {
  const rotten = faults.flatMap((fault) =>
    fault.sites.flatMap(({ file }) => {
      const text = readFileSync(`${root}${file}`, 'utf8')
      try {
        return planted(fault, file, text) === text ? [`${fault.name}: changes nothing`] : []
      } catch (error) {
        return [String(error)]
      }
    }),
  )
  expect(rotten).toEqual([])
})

test('each of the 27 promises has a fault', () => {
  const numbers = new Set(faults.map(({ number }) => number))
  expect([...numbers]).toEqual(Array.from({ length: 27 }, (_, index) => index + 1))
  expect(readFileSync(`${root}.ci/run`, 'utf8').match(/(?<=% )\d+(?= \+ 1)/g)).toEqual(['27', '27', '27'])
})

test('every fault in the bundles of the simulation and of chaos can still be planted', () => {
  const rotten = [...plants, ...chaosPlants].filter(
    ({ file, find }) => readFileSync(`${root}src/${file}`, 'utf8').split(find).length !== 2,
  )
  expect(rotten.map(({ name }) => name)).toEqual([])
})
