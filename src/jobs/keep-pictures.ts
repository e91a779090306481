import { createHash } from 'node:crypto'
import { inOrder, picturesOf, type Questionnaire } from '../domain/questionnaire.ts'
import { notShown, ServiceError } from '../service/errors.ts'
import type { FetchPicture } from '../service/pictures.ts'
import { pictures } from '../storage/documents/kinds.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Outcome } from './call.ts'
import { failure } from './make-call.ts'

/** More than these nobody looks at in a chat, and nobody wants to keep. */
const MOST_PICTURES = 200

/**
 * Fetches and keeps the pictures of a questionnaire, each once by its content, which names it from there on. Throws
 * `questions_unreadable` for one that cannot be had: its question could not be shown as it is meant.
 */
async function keepPictures(
  work: UnitOfWork,
  fetchPicture: FetchPicture,
  questionnaire: Questionnaire,
): Promise<Questionnaire> {
  const wanted = new Map<string, number>()
  const want = (address: string, question: number) => {
    if (!wanted.has(address)) wanted.set(address, question)
  }
  for (const [index, { question, sectionPictures = [] }] of inOrder(questionnaire).entries()) {
    for (const address of sectionPictures) want(address, index + 1)
    for (const { picture } of picturesOf(question)) want(picture, index + 1)
  }
  if (wanted.size === 0) return questionnaire
  if (wanted.size > MOST_PICTURES) throw notShown('too-large')
  const names = new Map<string, string>()
  for (const [address, question] of wanted) {
    const bytes = await fetchPicture(address)
    if (!bytes) throw notShown('picture', question)
    const name = createHash('sha256').update(bytes).digest('hex')
    work.put(pictures, name, { base64: bytes.toString('base64') })
    names.set(address, name)
  }
  const named = (address: string): string => names.get(address) ?? ''
  const all = (addresses: string[] | undefined) => addresses && { pictures: addresses.map(named) }
  return {
    ...questionnaire,
    sections: questionnaire.sections.map((section) => ({
      ...section,
      ...all(section.pictures),
      questions: section.questions.map((question) => ({
        ...question,
        ...all(question.pictures),
        options: question.options.map((option) =>
          option.picture === undefined ? option : { ...option, picture: named(option.picture) },
        ),
      })),
    })),
  }
}

/** The same for what a call came to, where that is questions. */
export async function withPictures<T>(
  work: UnitOfWork,
  fetchPicture: FetchPicture,
  outcome: Outcome<T>,
): Promise<Outcome<T | Questionnaire>> {
  if (!outcome.ok || !isQuestionnaire(outcome.value)) return outcome
  try {
    return { ok: true, value: await keepPictures(work, fetchPicture, outcome.value) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return failure(error)
  }
}

const isQuestionnaire = (value: unknown): value is Questionnaire =>
  typeof value === 'object' && value !== null && 'form' in value && 'sections' in value
