import { isMine } from '../dialog/access.ts'
import { readAttempt } from '../dialog/attempt.ts'
import { visibleFile } from '../dialog/files.ts'
import type { Witness } from '../dialog/rendered.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { Attempt } from '../domain/attempt-layout.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { attemptKey, openAttemptOf } from '../storage/documents/attempts.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'

/** `showing`: where and when the current question was shown last, if that is known. */
type Test = { file: RecordFile; attempt: Attempt; showing: Witness | undefined }

/** The questionnaire whose question was shown last in this chat, and what is known of that moment. */
export type MeantQuestion = Test & {
  /** What this process received before this moment was written before the question was shown. */
  begunAt: number | undefined
  /** When the questions of other tests were shown; `undefined` if that is unknown: they may be newer. */
  rivals: readonly (Witness | undefined)[]
  /** Whether the text replies to a message that shows none of the questions. */
  isElsewhere?: boolean
}

/** A typed text, with Telegram's id and date of it (seconds), and the message of the bot that it replies to. */
export type Typed = { text: string; messageId: number; date: number; repliesTo?: number | undefined }

/**
 * Finds the questionnaire that a typed message can answer: the one it replies to, or else the one shown last
 * in the chat, unless taps, which the chat does not see, have gone on with another one since. `undefined`
 * without an attempt.
 */
export async function meantQuestion(ctx: UpdateContext, focused: RecordFile, typed: Typed) {
  const { messageId, repliesTo } = typed
  const { shown, screens } = ctx.account
  const tests = await testsOnScreens(ctx)
  const recorded = tests.find(({ attempt }) => attempt.lastMessageId === messageId)
  if (recorded) return { ...recorded, begunAt: undefined, rivals: [] }
  const replied = repliesTo === undefined ? undefined : shownIn(ctx, tests, repliesTo)
  const isElsewhere = repliesTo !== undefined && !replied
  const of = (s: string | undefined) => tests.find(({ file }) => file.s === s)
  const last = replied ?? of(shown?.s) ?? of(focused.s)
  if (!last) {
    const attempt = await readAttempt(ctx, focused.s)
    return (
      attempt && { file: focused, attempt, showing: undefined, begunAt: undefined, rivals: [], isElsewhere }
    )
  }
  const tapped = tests.filter(({ file, attempt, showing }) => {
    if (replied) return false
    const hasMoved = shown !== undefined && shown.others[file.s] !== attempt.revision
    // A screen that was rendered again in place may be above the one that is read.
    const isBelow = (screens[file.s] ?? 0) > (screens[last.file.s] ?? 0)
    return file !== last.file && attempt.state === 'open' && (hasMoved || showing || isBelow)
  })
  const rest = (one: Test) => [last, ...tapped].filter((other) => other !== one)
  const newest = [last, ...tapped].find((one) =>
    rest(one).every((other) => isLater(one.showing, other.showing)),
  )
  // Only a guess, which the participant confirms.
  const guess = () => tapped.reduce((one, other) => (activeAt(other) > activeAt(one) ? other : one), last)
  const one = newest ?? guess()
  const begunAt = one.showing?.begunAt ?? ctx.deps.rendered.begunAt(one.file.s)
  return { ...one, begunAt, isElsewhere, rivals: rest(one).map(({ showing }) => showing) }
}

/** The test whose question or review is in the message that a text replies to. */
export const repliedTest = async (ctx: UpdateContext, repliesTo: number): Promise<RecordFile | undefined> =>
  shownIn(ctx, await testsOnScreens(ctx), repliesTo)?.file

const shownIn = ({ account }: UpdateContext, tests: readonly Test[], messageId: number) =>
  tests.find(({ file }) => account.screens[file.s] === messageId)

/** Why a tapped answer of this account does not count: its test is over, or an older store was restored. */
export async function refusedAnswer(ctx: UpdateContext, data: string) {
  const [s = '', , , revision = 0] = buttons.answer.read(data) ?? []
  const file = await ctx.work.get(recordFiles, s)
  if (!file || !(await isMine(ctx, file))) return undefined
  if (isIn(file, 'scored', 'done')) return 'toast-already-sent'
  const attempt = await readAttempt(ctx, s)
  return attempt && revision > attempt.revision ? 'toast-answers-lost' : undefined
}

const activeAt = ({ attempt }: Test): number => attempt.lastActivityAt

/**
 * When the current question was shown last, by this process or by the chat, whichever was later. A tap may
 * have rendered it in a message above the newest one, where another question is read.
 */
function showingOf(
  { account: { shown, screens }, deps }: UpdateContext,
  { file: { s }, attempt: { revision } }: Omit<Test, 'showing'>,
): Witness | undefined {
  const rendered = deps.rendered.showing(s, revision)
  const own = rendered && rendered.messageId >= (screens[s] ?? 0) ? rendered : undefined
  const chats = shown?.s === s && shown.revision === revision ? shown : undefined
  return own && chats && isLater(chats, own) ? chats : (own ?? chats)
}

/** Whether one was surely shown after the other: a repeated call may have begun long before it ended. */
function isLater(one: Witness | undefined, other: Witness | undefined): boolean {
  if (!one || !other) return false
  if (one.begunAt !== undefined && other.endedAt !== undefined) return one.begunAt > other.endedAt
  if (!one.dated || !other.dated) return false
  if (one.dated.isNew && other.dated.isNew) return one.messageId > other.messageId
  return one.dated.date > other.dated.date
}

/** Whether one is surely read after the other: of two changed in one second the lower one may be read. */
const isReadAfter = (one: Witness, other: Witness | undefined): boolean =>
  isLater(one, other) &&
  (one.messageId >= (other?.messageId ?? Infinity) ||
    (one.dated?.date ?? 0) > (other?.dated?.date ?? Infinity))

/**
 * Whether a message was written with the question in sight: by Telegram's ids if the question was sent as a
 * new message, by its dates if it was edited in place. Within one second these prove nothing.
 */
export function wasInSight(
  { showing, begunAt, rivals }: Pick<MeantQuestion, 'showing' | 'begunAt' | 'rivals'>,
  { messageId, date }: Pick<Typed, 'messageId' | 'date'>,
  arrivedAt: number | undefined,
): 'yes' | 'no' | 'unclear' {
  const isBefore = arrivedAt !== undefined && begunAt !== undefined && arrivedAt < begunAt
  if (!showing) return isBefore ? 'no' : 'unclear'
  const { dated } = showing
  if (messageId < showing.messageId || (isBefore && !dated?.isNew)) return 'no'
  if (dated && !dated.isNew && date < dated.date) return 'no'
  if (!dated || !rivals.every((rival) => isReadAfter(showing, rival))) return 'unclear'
  return dated.isNew || date > dated.date ? 'yes' : 'unclear'
}

/** The revisions of other questionnaires that surely are on screens here; those being rendered come later. */
export async function otherRevisions(ctx: UpdateContext, s: string): Promise<Record<string, number>> {
  const { shown } = ctx.account
  const isShown = ({ file, attempt: { revision } }: Test) =>
    (shown?.s === file.s ? shown.revision : shown?.others[file.s]) === revision ||
    ctx.deps.rendered.showing(file.s, revision) !== undefined
  const others = (await testsOnScreens(ctx)).filter((test) => test.file.s !== s && isShown(test))
  return Object.fromEntries(others.map(({ file, attempt }) => [file.s, attempt.revision]))
}

/** The questionnaires of this account that have a message in this chat. */
export async function testsOnScreens(ctx: UpdateContext): Promise<Test[]> {
  const { account, deps, who } = ctx
  const screens = Object.keys(account.screens)
  const kept = await deps.store.read(screens.map(attemptKey))
  const tests: Test[] = []
  for (const [place, s] of screens.entries()) {
    const entry = kept[place]
    // Boards, results and ended tests: their files need not be read.
    if (!entry) continue
    const file = await visibleFile(ctx, s)
    if (!file || !isIn(file, 'questions') || !(await isMine(ctx, file))) continue
    const attempt = openAttemptOf(deps.vault, { who, s }, entry)
    if (attempt) tests.push({ file, attempt, showing: showingOf(ctx, { file, attempt }) })
  }
  return tests
}
