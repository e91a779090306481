import { expect, test } from 'vitest'
import type { Questionnaire } from '../../../src/domain/questionnaire.ts'
import { questionnaires } from '../../../src/storage/documents/kinds.ts'
import { createContents, questionsId } from '../../../src/storage/documents/questions.ts'
import { type DocumentKind, documentKey, readDocument, sealDocument } from '../../../src/storage/documents.ts'
import { newStore } from '../../jobs/world.ts'

const CONTENT = 'content'
const questionnaire: Questionnaire = {
  form: 'flat',
  sections: [{ questions: [{ id: 'q1', text: 'خوب می‌خوابید؟', options: [{ id: 'o1', label: 'بله' }] }] }],
}

/** A store with the questions of one content, whose first reads may fail; each read is noted. */
async function world({ failures = 0 } = {}) {
  const { store, vault } = await newStore(Date.now)
  const id = questionsId(vault, CONTENT)
  const value = sealDocument(vault, questionnaires, id, questionnaire)
  await store.put({ key: documentKey(questionnaires, id), value }, null)
  const read: string[] = []
  const documents = {
    async get<T>(kind: DocumentKind<T>, asked: string) {
      read.push(asked)
      if (read.length <= failures) throw new Error('the store is away')
      return readDocument({ store, vault }, kind, asked)
    },
  }
  const contents = createContents(vault)
  return { id, read, placed: (content = CONTENT) => contents.placed(documents, content) }
}

test('many participants who begin together read the questions once and share them', async () => {
  const { id, read, placed } = await world()
  const all = await Promise.all(Array.from({ length: 30 }, () => placed()))
  expect(all[0]?.map(({ question }) => question.text)).toEqual(['خوب می‌خوابید؟'])
  expect(new Set([...all, await placed()]).size).toBe(1)
  expect(read).toEqual([id])
})

test('a failed read is not remembered, nor is an absent content', async () => {
  const { read, placed } = await world({ failures: 1 })
  await expect(placed()).rejects.toThrow('the store is away')
  expect(await placed()).toHaveLength(1)
  for (let time = 0; time < 2; time += 1) expect(await placed('unknown')).toBeUndefined()
  expect(read).toHaveLength(4)
})
