import { expect } from 'vitest'
import { openSitting } from '../../src/domain/sitting.ts'
import { encodeSitting } from '../../src/domain/sitting-layout.ts'
import { questionnaires } from '../../src/kept/documents.ts'
import { questionsId } from '../../src/kept/questions.ts'
import { sittingKey } from '../../src/kept/sittings.ts'
import { documentKey, openDocument, sealDocument } from '../../src/store/documents.ts'
import { withStorage } from '../kept-entries.ts'
import { knownPerson } from './short-tests.ts'
import { type Participant, story } from './walk.ts'

/** What is kept as the version before had it: a sitting of layout 1, and questions under their content itself. */
const ages = (sara: Participant) =>
  withStorage(sara, async ({ store, vault }) => {
    const key = sittingKey(sara.question.s)
    const [entry] = await store.read([key])
    if (!entry) throw new Error('no sitting')
    const sitting = openSitting(entry.value)
    const who = vault.hash('account', String(sara.person.id))
    const owner = vault.owner8(`${who}:${sitting.id.toString('hex')}`)
    await store.put({ key, value: encodeSitting({ ...sitting, layout: 1, owner }) }, entry.version)

    const content = sitting.contentHash.toString('hex')
    const id = questionsId(vault, content)
    expect(id).not.toContain(content)
    const [questions] = await store.read([documentKey(questionnaires, id)])
    if (!questions) throw new Error('no questions')
    const asked = openDocument(vault, questionnaires, id, questions)
    await store.put({ key: documentKey(questionnaires, id), value: null }, questions.version)
    const value = sealDocument(vault, questionnaires, content, asked)
    await store.put({ key: documentKey(questionnaires, content), value }, null)
  })

story('what the version before began is answered to its end', async ({ meet }) => {
  const sara = await meet({ ...knownPerson(), at: 'question' })
  await sara.answers(1)
  await ages(sara)
  await sara.answers(2)
  await sara.opens()
  expect(sara.question.position).toBe(3)
  await sara.answers(0)
  await sara.taps(/^review:/)
  await sara.taps(/^go:[\w-]+:0/)
  await sara.answers(2)
  await sara.taps(/^submit:/)
  expect(sara.submissions).toMatchObject([{ record: ['q1o3', 'q2o3', 'q3o1'], accepted: true }])
})
