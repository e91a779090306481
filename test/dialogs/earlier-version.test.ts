import { expect } from 'vitest'
import { openAttempt } from '../../src/domain/attempt.ts'
import { encodeAttempt } from '../../src/domain/attempt-layout.ts'
import { attemptKey } from '../../src/storage/documents/attempts.ts'
import { accounts, questionnaires, recordFiles } from '../../src/storage/documents/kinds.ts'
import { questionsId } from '../../src/storage/documents/questions.ts'
import { documentKey, openDocument, readDocument, sealDocument } from '../../src/storage/documents.ts'
import { withStorage } from '../kept-entries.ts'
import { shortIdOf } from '../organizers/office.ts'
import { isPdf } from '../words.ts'
import { knownPerson } from './short-tests.ts'
import { type Participant, story } from './walk.ts'

/** What is kept as the version before had it: an attempt of layout 1, and questions under their content itself. */
const ages = (sara: Participant) =>
  withStorage(sara, async ({ store, vault }) => {
    const key = attemptKey(sara.question.s)
    const [entry] = await store.read([key])
    if (!entry) throw new Error('no attempt')
    const attempt = openAttempt(entry.value)
    const who = vault.hash('account', String(sara.person.id))
    const owner = vault.owner8(`${who}:${attempt.id.toString('hex')}`)
    await store.put({ key, value: encodeAttempt({ ...attempt, layout: 1, owner }) }, entry.version)

    const content = attempt.contentHash.toString('hex')
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

/** Who receives the result was not kept: neither with the account that had read it, nor with the file. */
const forgetsReceivers = (sara: Participant) => {
  const s = shortIdOf(sara)
  return withStorage(sara, async ({ store, vault }) => {
    const who = vault.hash('account', String(sara.person.id))
    const account = await readDocument(store, vault, accounts, who)
    const file = await readDocument(store, vault, recordFiles, s)
    if (!account || !file) throw new Error('nothing kept')
    const [known, begun] = await store.read([documentKey(accounts, who), documentKey(recordFiles, s)])
    if (!known || !begun) throw new Error('nothing kept')
    delete account.invitedTo
    delete file.resultTo
    const value = sealDocument(vault, accounts, who, account)
    await store.put({ key: documentKey(accounts, who), value }, known.version)
    await store.put(
      { key: documentKey(recordFiles, s), value: sealDocument(vault, recordFiles, s, file) },
      begun.version,
    )
  })
}

story('what was begun before receivers were kept goes to whom RESULT_TO says', async ({ meet }) => {
  const sara = await meet({ ...knownPerson(), at: 'review', environment: { ORGANIZERS: '900' } })
  const manager = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
  await sara.acts(() => manager.start())
  await forgetsReceivers(sara)
  await sara.meetsRestart({ RESULT_TO: 'organizer' })
  await sara.taps(/^submit:/)
  expect(sara.files).toEqual([])
  expect(
    manager.messages.filter(({ document, photo }) => photo ?? (document && !isPdf(document))),
  ).toHaveLength(2)
})

story('an introduction of the version before is as good as any', async ({ meet }) => {
  const sara = await meet({ ...knownPerson(), at: 'introduction' })
  await forgetsReceivers(sara)
  await sara.taps(/^begin:/)
  expect(sara.place).toBe('question')
})
