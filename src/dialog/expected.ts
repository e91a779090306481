import { z } from 'zod'
import type { Account } from '../domain/account.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { recordFiles, talks } from '../storage/documents/kinds.ts'
import { isMine } from './access.ts'
import { progressHere } from './attempt.ts'
import { isPending } from './call.ts'
import { type Aside, type Entry, entrySchema } from './due.ts'
import { isOrganizer } from './organizer.ts'
import { asides, isFitting, stepOf } from './steps.ts'
import { isOfOne, roleAsked } from './typed-messages.ts'
import type { UpdateContext } from './update-context.ts'

/** What the dialog of a chat expects. */
type Asked =
  /** A detail of the profile; `isCall`: a call to the service is pending. */
  | { is: 'detail'; file: RecordFile; isCall: boolean }
  /** A call about typed data is pending: new messages are deleted, and noted in `typed`. */
  | { is: 'outcome'; typed: number[] }
  | { is: 'answer'; file: RecordFile }
  | { is: 'nothing' }

/** What a chat expects next. A question beside the dialog comes before the question of the dialog. */
export type Expected = { is: Aside['ask'] } | Asked

type Known = {
  ctx: Pick<UpdateContext, 'account' | 'now'>
  isOrganizer: boolean
  /** The record in focus, if this account owns it. */
  file: RecordFile | undefined
}

export function expectedOf({ ctx, isOrganizer, file }: Known): Expected {
  const { account } = ctx
  const calls = Object.entries(account.pending).filter(([s]) => isPending(ctx, s))
  const takes = calls.map(([, call]) => call.takes).find((each) => each)
  if (takes) return { is: 'outcome', typed: takes.typed }
  const ask = asideOf(account)
  return ask && (isOrganizer || isAskedBeside(ctx)) ? { is: ask } : askedOf(ctx, file)
}

function askedOf(ctx: Known['ctx'], file: RecordFile | undefined): Asked {
  if (!file) return { is: 'nothing' }
  const isCall = isPending(ctx, file.s)
  if (isIn(file, 'profile', 'code')) return { is: 'detail', file, isCall }
  // The profile was just made, and its questions are being loaded.
  if (isIn(file, 'loading') && isCall) return { is: 'outcome', typed: [] }
  return isIn(file, 'questions') ? { is: 'answer', file } : { is: 'nothing' }
}

export async function expectedNow(ctx: UpdateContext): Promise<Expected> {
  if (asideOf(ctx.account) === 'question') await endQuestion(ctx)
  return expectedOf({ ctx, isOrganizer: isOrganizer(ctx), file: await ownFile(ctx) })
}

/** Ends a question to the organizers if the test went on or an hour passed: new texts are for the test. */
async function endQuestion(ctx: UpdateContext): Promise<void> {
  const [waiting] = ctx.account.aside?.state.question ?? []
  const [about]: unknown[] = JSON.parse(waiting?.args ?? '[]')
  const { data } = waitingQuestion.safeParse(about)
  const progress = data && ctx.now - data.at <= HOUR_MS && (await progressHere(ctx, data.s))
  // Taps on another test also show that the participant went on.
  const isSame = progress && progress.revision === data.revision && progress.at <= data.at
  if (!isSame) delete ctx.account.aside
}

const waitingQuestion = z.object({
  s: z.string(),
  revision: z.number().optional(),
  at: z.number().default(Infinity),
})

export const askedNow = async (ctx: UpdateContext): Promise<Asked> => askedOf(ctx, await ownFile(ctx))

async function ownFile(ctx: UpdateContext): Promise<RecordFile | undefined> {
  const { focus } = ctx.account
  const file = focus === undefined ? undefined : await ctx.work.get(recordFiles, focus)
  return file && (await isMine(ctx, file)) ? file : undefined
}

// TypeScript types the result of `Object.keys` as strings.
const ASIDES = Object.keys(asides) as Aside['ask'][]

/** The question beside the dialog that waits. */
export const asideOf = ({ aside }: Account): Aside['ask'] | undefined =>
  ASIDES.find((ask) => aside?.state[ask])

/** Ends the wait for a mobile or a question when something else is opened; a running comparison goes on. */
export function leaveAside(ctx: UpdateContext): void {
  if (isAskedBeside(ctx)) delete ctx.account.aside
}

/** Whether a participant, not an organizer as such, is asked for something beside the dialog. */
function isAskedBeside({ account }: Pick<UpdateContext, 'account'>): boolean {
  const ask = asideOf(account)
  return ask === 'known-mobile' || ask === 'question'
}

/** The same, after an outdated question has been ended. */
export async function isStillAskedBeside(ctx: UpdateContext): Promise<boolean> {
  if (asideOf(ctx.account) === 'question') await endQuestion(ctx)
  return isAskedBeside(ctx)
}

/** The entry of the waiting step. */
export async function waitingEntry(
  ctx: UpdateContext,
  { s }: RecordFile,
  id: string,
): Promise<Entry | undefined> {
  const [waiting] = (await ctx.work.get(talks, s))?.state[id] ?? []
  const [entered]: unknown[] = JSON.parse(waiting?.args ?? '[]')
  const read = entrySchema.safeParse(entered)
  return read.success ? read.data : undefined
}

/** The step that the dialog has come to, or the waiting one with a doubt or a correction. */
async function entryNow(ctx: UpdateContext, file: RecordFile): Promise<Entry | undefined> {
  const expected = stepOf(file, ctx.today)
  const [id] = Object.keys((await ctx.work.get(talks, file.s))?.state ?? {})
  const waiting = id === undefined ? undefined : await waitingEntry(ctx, file, id)
  return isFitting(waiting, file, ctx.today) ? waiting : expected
}

/** The name of that step. */
export const stepNow = async (ctx: UpdateContext, file: RecordFile): Promise<Entry['ask'] | undefined> =>
  (await entryNow(ctx, file))?.ask

/** Whether a message may answer another question: an earlier one, another step, or another person's. */
export async function isOfAnother(ctx: UpdateContext, file: RecordFile, messageId: number): Promise<boolean> {
  const { detail } = ctx.account
  if (detail?.s !== file.s || ['begin', 'left'].includes(detail.ask)) return false
  const now = await entryNow(ctx, file)
  if (!now || detail.ask.split(':')[0] !== now.ask) return true
  if (messageId < (detail.since ?? 0)) return true
  return isOfOne(now.ask) && roleAsked(file, `${now.ask}:${now.person}`) !== detail.role
}
