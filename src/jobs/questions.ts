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
  /** What is told: the question, that somebody has answered it, or the answer. */
  told: z.discriminatedUnion('is', [
    z.object({ is: z.literal('asked'), isRepeated: z.literal(true).optional() }),
    z.object({ is: z.literal('answered'), by: z.string(), text: z.string() }),
    z.object({ is: z.literal('answer'), text: z.string() }),
  ]),
})
type Body = z.infer<typeof body>

/** A question or an answer on its way to one chat. By question, chat and message: none holds up another. */
const questionJob = job('question', body)

/** Has one chat told of a question; `of`: the message that leads to it, which leads to it once. */
export const postQuestion = (work: UnitOfWork, one: Body, of: number): void =>
  questionJob.post(work, `${one.question}.${one.chatId}.${of}`, one)

/** What an organizer's message is known by. */
export const messageKey = ({ vault }: UnitOfWork, chatId: number, messageId: number): string =>
  vault.hash('question', `${chatId}:${messageId}`)

/** The questions about what is still kept that nobody has answered yet, the oldest first. */
export async function unansweredNow({ work, now }: { work: UnitOfWork; now: number }): Promise<string[]> {
  const { asked = {} } = (await work.get(unansweredQuestions, ALL)) ?? {}
  const open: string[] = []
  for (const [id, at] of Object.entries(asked).sort(([, one], [, other]) => one - other)) {
    const question = isKept(at, now) ? await work.get(askedQuestions, id) : undefined
    if (question && (await work.get(recordFiles, question.s))) open.push(id)
  }
  return open
}

/** Counts a question in, or out once it was answered or forgotten. */
export async function noteUnanswered(work: UnitOfWork, id: string, at: number | undefined): Promise<void> {
  const known = (await work.get(unansweredQuestions, ALL)) ?? { asked: {} }
  const { [id]: counted, ...others } = known.asked
  if (at === undefined && counted === undefined) return
  if (at === undefined) return void work.put(unansweredQuestions, ALL, { asked: others })
  // What nobody has answered for as long as it is kept is counted no more.
  const kept = Object.entries(others).filter(([, asked]) => isKept(asked, at))
  work.put(unansweredQuestions, ALL, { asked: { ...Object.fromEntries(kept), [id]: at } })
}

const ALL = 'all'

type Deps = Pick<JobDeps, 'sender' | 'texts' | 'log' | 'now' | 'store' | 'vault'> &
  With<'organizers' | 'locale'>

/** Brings a question to an organizer, or an answer to the participant, once each; to who has blocked the bot, later. */
export function createQuestionHandler(deps: Deps): Handler {
  return handler(questionJob, async (task): Promise<JobEnd<Body>> => {
    const { body, work, sender = deps.sender } = task
    const { chatId, told } = body
    // Of one that was forgotten, or is older than it is kept, nothing is told.
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
