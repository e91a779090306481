import { expect } from 'vitest'
import { accounts, recordFiles } from '../../src/storage/documents/kinds.ts'
import { documentKey, readDocument, sealDocument } from '../../src/storage/documents.ts'
import { withStorage } from '../kept-entries.ts'
import { shortIdOf } from '../organizers/office.ts'
import { isPdf } from '../words.ts'
import { knownPerson } from './short-tests.ts'
import { type Participant, story } from './walk.ts'

/** Removes the receivers of the result from the account and the file: an earlier version kept none. */
const forgetsReceivers = (sara: Participant) => {
  const s = shortIdOf(sara)
  return withStorage(sara, async ({ store, vault }) => {
    const who = vault.hash('account', String(sara.person.id))
    const account = await readDocument({ store, vault }, accounts, who)
    const file = await readDocument({ store, vault }, recordFiles, s)
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

story('a record without kept receivers sends its result to whom RESULT_TO names', async ({ meet }) => {
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

story('an introduction that was read in an earlier version can be begun', async ({ meet }) => {
  const sara = await meet({ ...knownPerson(), at: 'introduction' })
  await forgetsReceivers(sara)
  await sara.taps(/^begin:/)
  expect(sara.place).toBe('question')
})
