import { z } from 'zod'
import type { Account } from '../domain/account.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { recordFiles, talks } from '../storage/documents/kinds.ts'
import { isMine } from './access.ts'
import { progressHere } from './attempt.ts'
import { isPending } from './call.ts'
import { type Aside, type Entry, entry as entrySchema } from './due.ts'
import { isOrganizer } from './organizer.ts'
import { asides, isFitting, stepOf } from './steps.ts'
import { isOfOne, roleAsked } from './typed.ts'
import type { UpdateContext } from './update-context.ts'

/** What the dialog of a chat expects. */
type Asked =
  /** The profile is being made; `isCall`: the service is being asked. */
  | { is: 'detail'; file: RecordFile; isCall: boolean }
  /** What was typed before is under way; what comes meanwhile leaves the chat. `typed`: perhaps once more. */
  | { is: 'outcome'; typed: number[] }
  | { is: 'answer'; file: RecordFile }
  | { is: 'nothing' }

/** What a chat expects to be typed or sent next: a question beside the dialog comes before the one of the dialog. */
export type Expected = { is: Aside['ask'] } | Asked

type Known = {
  ctx: Pick<UpdateContext, 'account' | 'now'>
  isOrganizer: boolean
  /** What the chat is about, if it is this account's. */
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
  // The profile was made just now, and its questions are on their way.
  if (isIn(file, 'loading') && isCall) return { is: 'outcome', typed: [] }
  return isIn(file, 'questions') ? { is: 'answer', file } : { is: 'nothing' }
}

export async function expectedNow(ctx: UpdateContext): Promise<Expected> {
  if (asideOf(ctx.account) === 'question') await endQuestion(ctx)
  return expectedOf({ ctx, isOrganizer: isOrganizer(ctx), file: await ownFile(ctx) })
}

/** The test has gone on meanwhile, or much time has passed: what is typed from here on is for the test. */
async function endQuestion(ctx: UpdateContext): Promise<void> {
  const [waiting] = ctx.account.aside?.state.question ?? []
  const [about]: unknown[] = JSON.parse(waiting?.args ?? '[]')
  const { data } = waitingQuestion.safeParse(about)
  const stands = data && ctx.now - data.at <= HOUR_MS && (await progressHere(ctx, data.s))
  // Taps on another test say as well that it goes on.
  const isSame = stands && stands.revision === data.revision && stands.at <= data.at
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

// `Object.keys` promises no more than strings.
const ASIDES = Object.keys(asides) as Aside['ask'][]

/** The question beside the dialog that waits. */
export const asideOf = ({ aside }: Account): Aside['ask'] | undefined =>
  ASIDES.find((ask) => aside?.state[ask])

/** Something else is opened: what is typed from here on is no mobile (one that is being compared still counts), and no question. */
export function leaveAside(ctx: UpdateContext): void {
  if (isAskedBeside(ctx)) delete ctx.account.aside
}

/** Whether anybody, and no organizer as such, is asked for something beside the dialog: a mobile or a question. */
function isAskedBeside({ account }: Pick<UpdateContext, 'account'>): boolean {
  const ask = asideOf(account)
  return ask === 'known-mobile' || ask === 'question'
}

/** The same, unless it has ended by itself. */
export async function isStillAskedBeside(ctx: UpdateContext): Promise<boolean> {
  if (asideOf(ctx.account) === 'question') await endQuestion(ctx)
  return isAskedBeside(ctx)
}

/** What the step that waits was entered with. */
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

/** The step that the dialog has come to, or the one that waits beside it with a doubt or a correction. */
async function entryNow(ctx: UpdateContext, file: RecordFile): Promise<Entry | undefined> {
  const expected = stepOf(file, ctx.today)
  const [id] = Object.keys((await ctx.work.get(talks, file.s))?.state ?? {})
  const waiting = id === undefined ? undefined : await waitingEntry(ctx, file, id)
  return isFitting(waiting, file, ctx.today) ? waiting : expected
}

/** The name of that step. */
export const stepNow = async (ctx: UpdateContext, file: RecordFile): Promise<Entry['ask'] | undefined> =>
  (await entryNow(ctx, file))?.ask

/** Whether a message may be about something else than what is asked for now: asked before, of another person, elsewhere. */
export async function isOfAnother(ctx: UpdateContext, file: RecordFile, messageId: number): Promise<boolean> {
  const { detail } = ctx.account
  if (detail?.s !== file.s || ['begin', 'left'].includes(detail.ask)) return false
  const now = await entryNow(ctx, file)
  if (!now || detail.ask.split(':')[0] !== now.ask) return true
  if (messageId < (detail.since ?? 0)) return true
  return isOfOne(now.ask) && roleAsked(file, `${now.ask}:${now.person}`) !== detail.role
}
