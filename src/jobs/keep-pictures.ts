import { inOrder, type Questionnaire, shownWith } from '../domain/questionnaire.ts'
import { notShown } from '../service/errors.ts'
import { pictures } from '../storage/documents/kinds.ts'
import { putDocument } from '../storage/documents.ts'
import type { JobDeps, With } from './deps.ts'

/** Upper limits for the pictures of one questionnaire. */
const MOST = { pictures: 200, bytes: 20 * 1024 * 1024 }

type Keeping = Pick<JobDeps, 'store' | 'vault' | 'fetchPicture' | 'now'> & With<'retentionDays'>

/**
 * Fetches the pictures of a questionnaire and keeps each once, named by its content. It fetches them one at a
 * time, as all at once would be too much for a process. Throws `questions_unreadable` for a picture that
 * cannot be fetched, as its question would be incomplete, and if the pictures are too large together.
 */
export async function keepPictures(
  { store, vault, config, fetchPicture, now }: Keeping,
  questionnaire: Questionnaire,
): Promise<Questionnaire> {
  /** Each address, and the first question that shows it. */
  const wanted = new Map<string, number>()
  for (const [index, placed] of inOrder(questionnaire).entries())
    for (const address of shownWith(placed)) wanted.set(address, wanted.get(address) ?? index + 1)
  if (wanted.size === 0) return questionnaire
  if (wanted.size > MOST.pictures) throw notShown('too-large')
  const names = new Map<string, string>()
  let size = 0
  for (const [address, question] of wanted) {
    const bytes = await fetchPicture(address)
    if (!bytes) throw notShown('picture', question)
    size += bytes.length
    if (size > MOST.bytes) throw notShown('too-large')
    const name = vault.digest('picture', bytes).toString('hex')
    const term = { now: now(), retentionDays: config.retentionDays }
    await putDocument({ store, vault, term }, pictures, name, { base64: bytes.toString('base64') })
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
