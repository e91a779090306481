import { z } from 'zod'
import { languageOf } from '../domain/account.ts'
import { standingOf } from '../domain/record/standing.ts'
import { type Handler, handler, type JobEnd, job, type Task } from '../queue/job.ts'
import {
  type AskedQuestion,
  askedQuestions,
  isKept,
  questionMessages,
  unansweredQuestions,
} from '../storage/documents/asked-questions.ts'
import { readAttemptOf } from '../storage/documents/attempts.ts'
import { accountKey, accounts, recordFiles } from '../storage/documents/kinds.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Message } from '../telegram/message.ts'
import { answeredView, answerView, questionForOrganizers } from '../views/ask.ts'
import { standingText } from '../views/tests.ts'
import type { JobDeps, With } from './deps.ts'
import { whoseOf } from './notices.ts'
import { sendPart } from './outbox.ts'

const body = z.object({
  question: z.string(),
  chatId: z.number(),
  /** What is sent: the question, the notice that it was answered, or the answer. */
  told: z.discriminatedUnion('is', [
    z.object({ is: z.literal('asked'), isRepeated: z.literal(true).optional() }),
    z.object({ is: z.literal('answered'), by: z.string(), text: z.string() }),
    z.object({ is: z.literal('answer'), text: z.string() }),
  ]),
})
type Body = z.infer<typeof body>

/** A message about a question to one chat. Keyed by question, chat and message: none delays another. */
const questionJob = job('question', body)

/** Posts a message about a question to one chat; `of`: the message that caused it, which causes it once. */
export const postQuestion = (work: UnitOfWork, one: Body, of: number): void =>
  questionJob.post(work, `${one.question}.${one.chatId}.${of}`, one)

/** The key of a message to an organizer. */
export const messageKey = ({ vault }: UnitOfWork, chatId: number, messageId: number): string =>
  vault.hash('question', `${chatId}:${messageId}`)

/** The unanswered questions about records that are still kept, the oldest first. */
export async function unansweredNow({ work, now }: { work: UnitOfWork; now: number }): Promise<string[]> {
  const { asked = {} } = (await work.get(unansweredQuestions, ALL)) ?? {}
  const open: string[] = []
  for (const [id, at] of Object.entries(asked).sort(([, one], [, other]) => one - other)) {
    const question = isKept(at, now) ? await work.get(askedQuestions, id) : undefined
    if (question && (await work.get(recordFiles, question.s))) open.push(id)
  }
  return open
}

/** Adds a question to the unanswered ones; without `at` removes one that was answered or forgotten. */
export async function noteUnanswered(work: UnitOfWork, id: string, at: number | undefined): Promise<void> {
  const known = (await work.get(unansweredQuestions, ALL)) ?? { asked: {} }
  const { [id]: counted, ...others } = known.asked
  if (at === undefined && counted === undefined) return
  if (at === undefined) return void work.put(unansweredQuestions, ALL, { asked: others })
  // Unanswered questions whose term is over are no longer counted.
  const kept = Object.entries(others).filter(([, asked]) => isKept(asked, at))
  work.put(unansweredQuestions, ALL, { asked: { ...Object.fromEntries(kept), [id]: at } })
}

const ALL = 'all'

type Deps = Pick<JobDeps, 'sender' | 'texts' | 'log' | 'now' | 'store' | 'vault'> &
  With<'organizers' | 'locale'>

/** Sends a question to an organizer, or an answer to the participant, once each; to a blocked chat, later. */
export function createQuestionHandler(deps: Deps): Handler {
  return handler(questionJob, async (task): Promise<JobEnd<Body>> => {
    const { body, work, sender = deps.sender } = task
    const { chatId, told } = body
    // The question was forgotten, or its term is over.
    const question = await work.guard(askedQuestions, body.question)
    if (!question) return undefined
    const isForOrganizer = told.is !== 'answer'
    if (isForOrganizer && !deps.config.organizers.includes(chatId)) return undefined
    const view = await viewOf(deps, task, question)
    const sent = view && (await sendPart(deps, task, chatId, () => sender.send(chatId, view)))
    if (typeof sent !== 'number') return undefined
    if (told.is === 'answer') question.reply = sent
    if (told.is === 'asked') {
      question.told.push({ chatId, messageId: sent })
      const key = messageKey(work, chatId, sent)
      work.put(questionMessages, key, { question: body.question, at: question.at })
    }
    return undefined
  })
}

async function viewOf(deps: Deps, task: Task<Body>, question: AskedQuestion): Promise<Message | undefined> {
  const { work, body } = task
  const { chatId, told } = body
  const reader = told.is === 'answer' ? question.who : accountKey(work.vault, chatId)
  const t = deps.texts.for(languageOf(await work.get(accounts, reader), deps.config))
  const { s, text, who } = question
  switch (told.is) {
    case 'answer':
      return answerView(t, s, text, told.text)
    case 'answered': {
      const own = question.told.findLast((each) => each.chatId === chatId)
      return { ...answeredView(t, told.by, told.text), ...(own && { replyTo: own.messageId }) }
    }
    case 'asked': {
      const file = question.answeredBy === undefined ? await work.get(recordFiles, s) : undefined
      if (!file) return undefined
      const place = standingText(t, standingOf(file, await readAttemptOf(deps, { who, s })))
      const whose = await whoseOf(work, file)
      return questionForOrganizers(t, {
        id: body.question,
        text,
        whose,
        place,
        isRepeated: told.isRepeated === true,
      })
    }
  }
}
