import { z } from 'zod'

/** A record's questions have positions, counted from 0 through all sections. */

/** The addresses of pictures as they came, or the hashes of their content once they are stored. */
const pictures = z.array(z.string()).optional()

const question = z.object({
  id: z.string(),
  text: z.string(),
  /** Instructions and the like that belong to it. */
  note: z.string().optional(),
  pictures,
  options: z.array(z.object({ id: z.string(), label: z.string(), picture: z.string().optional() })),
})
export type Question = z.infer<typeof question>
export type Option = Question['options'][number]

export const questionnaire = z.object({
  form: z.enum(['sections', 'flat', 'html']),
  sections: z.array(
    z.object({
      id: z.string().optional(),
      title: z.string().optional(),
      description: z.string().optional(),
      pictures,
      questions: z.array(question),
    }),
  ),
})
export type Questionnaire = z.infer<typeof questionnaire>
export type Section = Questionnaire['sections'][number]

export type PlacedQuestion = {
  question: Question
  /** The title of the section that begins here. `about`, `sectionPictures`: its description and pictures. */
  opens?: string | undefined
  /** The number of that section, counted from 1; absent where there is only one section. */
  section?: { number: number; of: number }
  about?: string | undefined
  sectionPictures?: string[] | undefined
}

/**
 * Why a questionnaire cannot be shown, so that none of it is asked. `question`: the number of the question,
 * counted from 1, if the reason is about one. An older version knew other reasons.
 */
export const unshown = z.object({
  why: z
    .enum([
      'several',
      'free-text',
      'no-options',
      'no-text',
      'no-label',
      'no-value',
      'same-value',
      'same-label',
      'picture',
      'media',
      'too-large',
      'no-questions',
      'unreadable',
    ])
    .catch('unreadable'),
  question: z.number().optional(),
})
export type Unshown = z.infer<typeof unshown>

/** The pictures sent before a question: its own, and those of its options with their numbers. */
export function picturesOf({ pictures = [], options }: Question): { picture: string; option?: number }[] {
  return [
    ...pictures.map((picture) => ({ picture })),
    ...options.flatMap(({ picture }, option) => (picture === undefined ? [] : [{ picture, option }])),
  ]
}

/** Lays all sections out in the order in which their questions are asked. */
export function inOrder(questionnaire: Questionnaire): PlacedQuestion[] {
  const asked = questionnaire.sections.filter(({ questions }) => questions.length > 0)
  return asked.flatMap((section, before) =>
    section.questions.map((question, index) =>
      index === 0
        ? {
            question,
            opens: section.title,
            ...(asked.length > 1 && { section: { number: before + 1, of: asked.length } }),
            ...(section.description && { about: section.description }),
            ...(section.pictures && { sectionPictures: section.pictures }),
          }
        : { question },
    ),
  )
}

/** All pictures shown with a question: those of the section that it opens, and its own. */
export const shownWith = ({ question, sectionPictures = [] }: PlacedQuestion): string[] => [
  ...sectionPictures,
  ...picturesOf(question).map(({ picture }) => picture),
]

/** Whether pictures belong above a question, so that it comes as a new message below them. */
export const hasPictures = (placed: PlacedQuestion | undefined): boolean =>
  placed !== undefined && (placed.sectionPictures !== undefined || picturesOf(placed.question).length > 0)

/** Upper limits for letters. Longer texts are not read in a chat, and rendering them would delay others. */
const MOST_LETTERS = { text: 40_000, label: 20_000, all: 4_000_000 }

/**
 * An attempt stores one byte per answer and two bytes per position. A questionnaire that does not fit, or
 * whose texts are too long, is refused before it begins.
 */
export function isAskable(questionnaire: Questionnaire): boolean {
  const placed = inOrder(questionnaire)
  const letters = placed.reduce((sum, { question }) => sum + lettersOf(question), 0)
  return (
    letters <= MOST_LETTERS.all &&
    placed.length > 0 &&
    placed.length <= 5_000 &&
    placed.every(({ question }) => question.options.length > 0 && question.options.length <= 250)
  )
}

/** The length of a question's texts; infinite where one of them is too long. */
function lettersOf({ text, options }: Question): number {
  const labels = options.map(({ label }) => label.length)
  if (text.length > MOST_LETTERS.text || labels.some((length) => length > MOST_LETTERS.label)) return Infinity
  return labels.reduce((sum, length) => sum + length, text.length)
}

const USUAL_SECONDS_A_QUESTION = 12

/** Estimates the minutes left by the recommended duration. It never grows from question to question. */
export function minutesLeft(progress: {
  questions: number
  answered: number
  recommendedMinutes?: number | undefined
}): number {
  const { questions, answered, recommendedMinutes } = progress
  const secondsEach = recommendedMinutes ? (recommendedMinutes * 60) / questions : USUAL_SECONDS_A_QUESTION
  return Math.max(1, Math.ceil(((questions - answered) * secondsEach) / 60))
}

/** A shorter test needs no encouragement. */
const QUESTIONS_UNTIL_CHEER = 16

/** Where an encouragement is due: before the first question of the second half and of the last quarter. */
export function milestoneAt(position: number, total: number): 'half' | 'three-quarters' | undefined {
  if (total < QUESTIONS_UNTIL_CHEER) return undefined
  if (position === Math.ceil(total / 2)) return 'half'
  return position === Math.ceil((total * 3) / 4) ? 'three-quarters' : undefined
}

/** What `doing_duration_in_minutes` gets (spec, POST /record/{token}/): whole minutes, at least 1. */
export function durationInMinutes(activeSeconds: number): number {
  return Math.max(1, Math.round(activeSeconds / 60))
}
