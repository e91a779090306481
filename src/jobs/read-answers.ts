import { durationInMinutes, inOrder } from '../domain/questionnaire.ts'
import { questionsOf } from '../domain/record/record.ts'
import { answersBody } from '../service/questionnaire-wire.ts'
import { ownerOf } from '../storage/documents/assigned.ts'
import { attemptKey, openAttemptOf } from '../storage/documents/attempts.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { readQuestions } from '../storage/documents/questions.ts'
import type { Store } from '../storage/store.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Vault } from '../storage/vault.ts'

/** The answers of a record in the forms that the service may want, the active time, and what is known of sending them. */
export type Answers = {
  token: string
  minutes: number
  life: string | undefined
  /** An attempt was noted, by whatever job. */
  isAttempted: boolean
} & ReturnType<typeof answersBody>

/**
 * Reads the answers that are to be submitted; says so where they are gone, not as they were sealed, not locked any more (a
 * store that came back older), or nobody's until somebody takes them over and goes on with what was under way.
 */
export async function readAnswers(
  { store, vault }: { store: Store; vault: Vault },
  work: UnitOfWork,
  s: string,
): Promise<Answers | 'gone' | 'damaged' | 'unlocked' | 'released'> {
  const file = await work.get(recordFiles, s)
  const [entry] = await store.read([attemptKey(s)])
  const questions = file && questionsOf(file)
  const questionnaire = questions && (await readQuestions(work, vault, questions.content))
  if (!file || !entry || !questionnaire) return 'gone'
  const who = await ownerOf({ work, vault }, file)
  // It may have been released since the record was read.
  if (who === undefined || openAttemptOf(vault, { who: undefined, s }, entry)) return 'released'
  const attempt = openAttemptOf(vault, { who, s }, entry)
  if (attempt?.contentHash.toString('hex') !== questions.content) return 'damaged'
  const proof = vault.attemptCipher.verify(s, attempt)
  if (attempt.state !== 'locked' && proof !== 'harmed') return 'unlocked'
  if (proof !== 'sound') return 'damaged'
  const chosen = vault.attemptCipher.decryptAnswers(attempt)
  if (chosen.length !== inOrder(questionnaire).length) return 'damaged'
  const minutes = durationInMinutes(attempt.activeMs / 1_000)
  const { life, isAttempted = false } = questions
  return { token: file.token, minutes, life, isAttempted, ...answersBody(questionnaire, chosen) }
}
