import type { Account } from '../domain/account.ts'
import { isQuestion } from '../domain/persian/clean.ts'
import { parseSaying, type Saying, saysSame } from '../domain/persian/saying.ts'
import { askedQuestions } from '../storage/documents/asked-questions.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import { dataOf } from '../telegram/tapped.ts'
import type { View } from '../views/view.ts'

type Chat = { account: Account; work: Pick<UnitOfWork, 'get'> }

/** What a yes, a no or «ادامه» answers: the start of a record, its detail, its typed option, or `else`. */
type AskedLast = { is: 'begin' | 'detail' | 'else' } | { is: 'option'; option: number; revision: number }

/**
 * What was asked last, seen from one record. A question is stored with its message (`detail`; `said` on its
 * screen), and is the last one until a newer message of the bot (`ours`) or of an organizer asks something.
 */
export async function askedLast({ account, work }: Chat, s: string): Promise<AskedLast> {
  const { detail, said, screens, ours = 0 } = account
  const newest = Math.max(ours, await newestReply({ account, work }))
  if (said?.s === s && said.option !== undefined && (screens[s] ?? -1) >= newest)
    return { is: 'option', option: said.option, revision: said.revision }
  if (detail?.s !== s || detail.messageId < newest) return { is: 'else' }
  return { is: detail.ask === 'begin' ? 'begin' : 'detail' }
}

type Screen = { s: string; revision: number; screen: number }

/** Whether something below a question, or a notice above it, asks too: a number or a yes may answer that. */
export async function isAskedBelow(chat: Chat, { s, revision, screen }: Screen): Promise<boolean> {
  const { asked = 0, ours = 0, screens, said } = chat.account
  const all = Object.values(screens)
  if (said?.s === s && said.revision === revision && isQuestion(said.word ?? '')) return true
  if ((asked > screen && !all.includes(asked)) || ours > Math.max(screen, ...all)) return true
  return (await newestReply(chat)) > screen
}

/** The newest answer of an organizer in this chat; it may ask something back. */
async function newestReply({ account, work }: Chat): Promise<number> {
  const asked = (account.questions ?? []).map(({ id }) => work.get(askedQuestions, id))
  return Math.max(0, ...(await Promise.all(asked)).map((question) => question?.reply ?? 0))
}

/** Notes that an introduction was asked last: a yes begins the record. */
export function noteAsksToBegin({ account }: Chat, s: string): void {
  if (account.asked !== undefined) account.detail = { s, ask: 'begin', messageId: account.asked }
}

/** Notes that the last message came with a notice that asks («منظورتان … بود؟»): a yes may answer it. */
export function noteAsksElse({ account }: Pick<Chat, 'account'>, word: string): void {
  if (isQuestion(word)) account.ours = (account.latest ?? 0) + 1
}

/** The buttons that a yes, a no or «ادامه» stands for, by their data. */
const MEANT: { [K in Saying]?: RegExp } = { yes: /:(?:ok|yes|keep|same)$/, no: /:(?:no|other)$/, go: /:ok$/ }
const LEADS_ON = /^(?:open|begin|agree|retry|generate|card):/

/** Notes a sent message, and whether a yes, a no or «ادامه» can answer it. */
export function noteSent(account: Account, messageId: number, view: View): void {
  account.latest = messageId
  const asking = [LEADS_ON, ...Object.values(MEANT)]
  if (dataUnder(view).some((data) => asking.some((pattern) => pattern.test(data)))) account.ours = messageId
}

/** The data of the button that a text means: by its label, or by a yes or a no if one button is that. */
export function saidButton(view: View, text: string): string | undefined {
  const saying = parseSaying(text)
  return namedButton(view, text) ?? dataUnder(view).find((data) => saying && MEANT[saying]?.test(data))
}

/** The data of the button with this label. */
export const namedButton = ({ keyboard = [] }: View, text: string): string | undefined =>
  dataOf({ inline_keyboard: [keyboard.flat().filter((button) => saysSame(button.text, text))] })[0]

const dataUnder = ({ keyboard = [] }: View): string[] => dataOf({ inline_keyboard: keyboard })
