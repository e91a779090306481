import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Questionnaire } from '../../src/domain/questionnaire.ts'
import { keepPictures } from '../../src/jobs/keep-pictures.ts'
import { pictures } from '../../src/storage/documents/kinds.ts'
import { readDocument } from '../../src/storage/documents.ts'
import { newStore } from './world.ts'

const MB = 1024 * 1024
const questionsWith = (count: number): Questionnaire => ({
  form: 'flat',
  sections: [
    {
      questions: Array.from({ length: count }, (_, at) => ({
        id: `q${at}`,
        text: 'x',
        pictures: [`https://a.example/${at}`],
        options: [{ id: '1', label: 'y' }],
      })),
    },
  ],
})

async function keeping(count: number, size: number) {
  const { store, vault } = await newStore(() => 0)
  let fetched = 0
  const deps = { store, vault, now: () => 0, config: { retentionDays: 30 } }
  const fetchPicture = async () => {
    fetched += 1
    return randomBytes(size)
  }
  const kept = keepPictures({ ...deps, fetchPicture }, questionsWith(count))
  return { kept, deps, fetched: () => fetched }
}

test('80 pictures of 5 MB are refused before they are all fetched', async () => {
  const { kept, fetched } = await keeping(80, 5 * MB)
  await expect(kept).rejects.toMatchObject({ code: 'questions_unreadable' })
  expect(fetched()).toBe(5)
})

test('each picture is kept under a name that cannot be computed without the key', async () => {
  const { kept, deps } = await keeping(3, 1_000)
  const [section] = (await kept).sections
  const names = section?.questions.flatMap((question) => question.pictures ?? []) ?? []
  expect(new Set(names).size).toBe(3)
  for (const name of names) {
    const picture = await readDocument(deps, pictures, name)
    const bytes = Buffer.from(picture?.base64 ?? '', 'base64')
    expect(bytes).toHaveLength(1_000)
    expect(deps.vault.digest('picture', bytes).toString('hex')).toBe(name)
  }
})
