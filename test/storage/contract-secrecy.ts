import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { newAttempt } from '../../src/domain/attempt.ts'
import { openAttempt } from '../../src/domain/attempt-layout.ts'
import { loadKeyring } from '../../src/storage/keyring.ts'
import type { Store } from '../../src/storage/store.ts'
import { createVault } from '../../src/storage/vault.ts'
import { KINDS, minute, post } from './worlds.ts'

const name = 'زهرا محمدی'
const mobile = '09121234567'
const option = 42

/** Keeps a name, a mobile, a message and 40 equal answers as the bot does. */
export async function keepPersonalData(store: Store): Promise<void> {
  const at = Date.now()
  const vault = createVault(await loadKeyring(store, [randomBytes(32)]))
  const file = `file:${vault.hash('mobile', mobile)}`
  await store.put({ key: file, value: vault.seal(file, Buffer.from(JSON.stringify({ name, mobile }))) }, null)
  await store.post(post('chat:1', 'update', { body: vault.seal('chat:1', Buffer.from(name)) }))
  await store.claim(minute, KINDS)

  const key = 's:abcdefgh'
  const owner = vault.owner8('account 7')
  const given = { owner, id: randomBytes(8), contentHash: randomBytes(32), dataKey: vault.dataKey }
  const attempt = newAttempt({ ...given, questions: 40, language: 'fa', retentionSeconds: 86_400, at })
  await store.put({ key, value: attempt }, null)
  for (let question = 0; question < 40; question++) {
    const shown = { question, revision: question + 1 }
    const bytes = vault.attemptCipher.encryptAnswer(openAttempt(attempt), { ...shown, option })
    await store.answer(key, { kind: 'answer', owner, ...shown, ...bytes, allowBack: true })
  }
  const [entry] = await store.read([key])
  const answers = vault.attemptCipher.decryptAnswers(openAttempt(entry?.value ?? Buffer.alloc(0)))
  expect(answers).toEqual(Array(40).fill(option))
}

/** Looks for personal data in every file of a folder, and for a key name to show that the search works. */
export async function expectNoPersonalData(dir: string): Promise<void> {
  const files = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((file) => file.isFile())
  const bytes = Buffer.concat(
    await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name)))),
  )
  expect(bytes.includes('s:abcdefgh')).toBe(true)
  expect(bytes.includes('keyring')).toBe(true)
  expect(bytes.includes('زهرا')).toBe(false)
  expect(bytes.includes(mobile)).toBe(false)
  expect(bytes.includes('"index"')).toBe(false)
  expect(bytes.includes(Buffer.alloc(8, option))).toBe(false)
}
