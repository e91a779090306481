import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('no package runs a script during its installation', () => {
  expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true')
  const { packages } = JSON.parse(read('package-lock.json'))
  const wanting = Object.keys(packages).filter(
    (path) => packages[path].hasInstallScript && !packages[path].optional,
  )
  // The package contains its binaries; the script would only build missing ones.
  expect(wanting).toEqual(['node_modules/@photostructure/sqlite'])
})

test('each package of the lockfile has the hash of its content', () => {
  const { packages } = JSON.parse(read('package-lock.json'))
  const without = Object.keys(packages).filter((path) => path !== '' && !packages[path].integrity)
  expect(without).toEqual([])
})

test('each image is named by an exact version and by its digest', () => {
  // Images that are built here may have any tag.
  const ours = /^"?(porsa(:.*)?|porsa-demo|build|pruned)$/
  const from = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image)
  const composed = [...read('docker-compose.yml').matchAll(/^ +image: (\S+)/gm)].map(
    ([, image = '']) => image,
  )
  const images = [...from, ...composed].filter((image) => !ours.test(image))
  expect(images.length).toBeGreaterThan(3)
  expect(images.filter((image) => !/:v?\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/.test(image))).toEqual([])
})
