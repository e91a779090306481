import { HOUR_MS } from '../domain/durations.ts'
import { isDistress } from '../domain/persian/wishes.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { noteUnanswered, postQuestion } from '../jobs/asked-questions.ts'
import { askedQuestions, isKept } from '../storage/documents/asked-questions.ts'
import { helpText, MOST_LETTERS } from '../views/ask.ts'
import { lines, paragraphs } from '../views/view.ts'
import type { AsideTalk } from './aside-talk.ts'
import type { Aside } from './due.ts'
import { hereAgain, newShortId, visibleFile } from './files.ts'
import { leadTo, type UpdateContext } from './update-context.ts'

const MOST_AN_HOUR = 5

/** A question to the organizers: the next text goes to them. */
export async function question(talk: AsideTalk<Extract<Aside, { ask: 'question' }>>): Promise<void> {
  const { s } = talk.about
  const { text = '' } = await talk.ask(async (ctx) => {
    const file = await visibleFile(ctx, s)
    return lines(ctx.t('ask-words'), file && !isIn(file, 'scored', 'done') && ctx.t('ask-stays'))
  })
  if (isTooLong(text)) return talk.again(tooLong)
  await talk.outside((ctx) => sendQuestion(ctx, s, text))
}

export const isTooLong = (text: string): boolean => [...text].length > MOST_LETTERS
export const tooLong = ({ t }: Pick<UpdateContext, 't'>): string =>
  t('ask-too-long', { letters: MOST_LETTERS })

/** The text about where to find help, if the participant's words sound distressed. */
export const helpFor = ({ t, deps }: UpdateContext, text: string): string | undefined =>
  isDistress(text) ? helpText(t, deps.config) : undefined

/** Sends a question to every organizer, and leads the participant back to where they were. */
export async function sendQuestion(ctx: UpdateContext, s: string, text: string): Promise<void> {
  const file = await visibleFile(ctx, s)
  if (!file) return hereAgain(ctx)
  const word = await keepQuestion(ctx, file, text)
  await ctx.send({ text: paragraphs(helpFor(ctx, text), word) })
  // A question comes below this notice only in these stages; all others leave the chat as it is.
  if (isIn(file, 'profile', 'code', 'questions')) leadTo(ctx, file)
}

/** Stores a question and posts it to every organizer. Returns the notice for the participant. */
async function keepQuestion(ctx: UpdateContext, { s }: RecordFile, text: string): Promise<string> {
  const { account, work, now, who, t } = ctx
  const asked = (account.questions ?? []).filter(({ at }) => isKept(at, now))
  if (asked.filter(({ at }) => now - at < HOUR_MS).length >= MOST_AN_HOUR) return t('ask-too-many')
  const id = newShortId()
  account.questions = [...asked, { id, at: now }]
  delete account.words
  work.put(askedQuestions, id, { s, who, chatId: account.chatId, text, at: now, told: [] })
  await noteUnanswered(work, id, now)
  for (const chatId of ctx.deps.config.organizers)
    postQuestion(work, { question: id, chatId, told: { is: 'asked' } }, 0)
  return t('ask-sent')
}

/** Removes the questions that this account has asked. */
export async function forgetQuestions({ account, work }: UpdateContext): Promise<void> {
  for (const { id } of account.questions ?? []) {
    work.remove(askedQuestions, id)
    await noteUnanswered(work, id, undefined)
  }
}
