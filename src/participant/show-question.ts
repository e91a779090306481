import { InputFile } from 'grammy'
import { titleHere } from '../dialog/access.ts'
import { hasAttempt, moveAttempt, placedQuestions, readAttempt, seal } from '../dialog/attempt.ts'
import { onBehalf } from '../dialog/call.ts'
import { visibleFile } from '../dialog/files.ts'
import { isAmongOthers } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { Account } from '../domain/account.ts'
import { justChanged } from '../domain/attempt.ts'
import type { Attempt } from '../domain/attempt-layout.ts'
import { hasPictures, type PlacedQuestion, picturesOf } from '../domain/questionnaire.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { SCREEN_CHECK_MS } from '../domain/watch.ts'
import { watchJobs } from '../jobs/watch-jobs.ts'
import { pictures, recordFiles } from '../storage/documents/kinds.ts'
import { renewTerms } from '../storage/documents/questions.ts'
import type { Dated, OnDated } from '../telegram/sender.ts'
import { escapeHtml, shorten } from '../texts/texts.ts'
import { helpText, withAsk } from '../views/ask.ts'
import { briefOption, headed, headingOf, optionsOf, questionView } from '../views/question.ts'
import { completeView, pausedView, reviewPageOf, reviewView } from '../views/review.ts'
import { type View, withTextAbove } from '../views/view.ts'
import { otherRevisions } from './meant-question.ts'

export type Showing = {
  messageId?: number | undefined
  /** The page of the review. */
  page?: number | undefined
  /** The notice about the last message, shown in the message of the question. */
  word?: string | undefined
  /** The text that was no answer, which can be sent to the organizers. */
  words?: string | undefined
  /** The older message shows another question, which was answered: it stays to be read. */
  keepsOlder?: boolean
}

/**
 * Shows where an attempt is: its question, that all are answered, or the requested page of the review. It
 * uses the given message or a new one; a paused attempt goes on.
 */
export async function showAttempt(
  ctx: UpdateContext,
  file: RecordFile,
  { messageId, page, word, words, keepsOlder }: Showing = {},
): Promise<'shown' | 'expired' | 'of another' | 'unread'> {
  const note = ctx.deps.rendered.begin(file.s, ctx)
  const others = await otherRevisions(ctx, file.s)
  let attempt = await readAttempt(ctx, file.s)
  const placed = await placedQuestions(ctx, file)
  // An attempt is deleted after RETENTION_DAYS without activity.
  if (!attempt) return (await hasAttempt(ctx, file.s)) ? 'of another' : 'expired'
  // Only the questions are missing, and they can be fetched again.
  if (!placed) return 'unread'
  if (attempt.state === 'paused') {
    await moveAttempt(ctx, file.s, attempt, { kind: 'resume' })
    attempt = (await readAttempt(ctx, file.s)) ?? attempt
  }
  const isOneOfSeveral = await isAmongOthers(ctx, file)
  attempt = await named(ctx, file.s, attempt, isOneOfSeveral)
  const { revision } = attempt
  if (words !== undefined) ctx.account.words = { s: file.s, text: words, revision }
  else delete ctx.account.words
  const view = attemptView(ctx, file, placed, attempt, page, isOneOfSeveral)
  await renewTerms(ctx.deps, ctx.work, file, { at: ctx.now, now: ctx.now })
  if (attempt.answered === attempt.questions) {
    await seal(ctx, file.s, attempt)
    // One question that is looked at again is not all that will be submitted.
    if (page !== undefined || attempt.view === attempt.questions) file.shownAnswers = attempt.revision
  }
  const said = word ?? changedText(ctx, placed, attempt)
  // A new message comes with the pictures, unless it only carries a notice.
  const isAnew = messageId === undefined && word === undefined
  const isThere = !isAnew && ctx.account.pictures?.[file.s]?.position === attempt.view
  const isPictured = !isThere && (await sendPictures(ctx, file.s, attempt.view, placed[attempt.view]))
  // If the pictures come below the question, the question is sent again below them.
  const isHere = messageId !== undefined
  let dated: Dated | undefined
  const shown = await showOnScreen(ctx, file.s, withTextAbove(view, said), {
    messageId: isPictured ? undefined : messageId,
    olderGoes: keepsOlder === undefined ? !isHere : !keepsOlder,
    onDated(when) {
      dated = when
    },
  })
  if (ctx.account.words) ctx.account.words.messageId = shown
  // A tap may have gone on meanwhile, and this late or repeated view then covers what that has shown.
  const latest = shown === undefined ? undefined : await readAttempt(ctx, file.s)
  if (latest && latest.revision !== revision) return showAttempt(ctx, file, { messageId: shown })
  if (shown !== undefined) note({ messageId: shown, revision }, dated)
  await noteShown(ctx, { s: file.s, messageId: shown, revision, dated, others }, { word: said })
  return 'shown'
}

/** Whether the current question comes as a new message instead of in this one, since it brings pictures. */
export async function comesAnew(
  ctx: UpdateContext,
  file: RecordFile,
  messageId: number | undefined,
): Promise<boolean> {
  if (messageId === undefined) return true
  const attempt = await readAttempt(ctx, file.s)
  if (!attempt || ctx.account.pictures?.[file.s]?.position === attempt.view) return false
  return hasPictures((await placedQuestions(ctx, file))?.[attempt.view])
}

/**
 * Notes in the attempt, which every answer reads, whether its questions name their test from now on. Present
 * screens stay, since typed answers are compared with them. Complete answers are sealed without the name: a
 * former version does not know it.
 */
async function named(ctx: UpdateContext, s: string, attempt: Attempt, isOneOfSeveral: boolean) {
  const isNamed = isOneOfSeveral && attempt.answered < attempt.questions
  if (attempt.isNamed === isNamed) return attempt
  const { language } = attempt
  await moveAttempt(ctx, s, attempt, { kind: 'language', language, isLarge: ctx.account.isLarge, isNamed })
  return (await readAttempt(ctx, s)) ?? attempt
}

const LETTERS_A_LABEL = 80

/** The notice of the new answer right after a change, also if the same option was chosen again. */
function changedText({ t, deps }: UpdateContext, placed: readonly PlacedQuestion[], attempt: Attempt) {
  if (justChanged(attempt) === undefined) return undefined
  const { answers, changes } = deps.vault.attemptCipher.decrypt(attempt)
  const at = justChanged({ ...attempt, changes })
  const label = placed[at ?? -1]?.question.options[answers[at ?? -1] ?? -1]?.label
  if (at === undefined || label === undefined) return undefined
  return t('answer-changed', { position: at + 1, label: shorten(label, LETTERS_A_LABEL) })
}

/**
 * Notes where the chat has shown a question last, and with which notice; a screen that was already there
 * keeps its time. The screen is shown again if an outage swallows taps.
 */
export async function noteShown(
  ctx: UpdateContext,
  { messageId, ...shown }: Omit<Shown, 'messageId'> & { messageId: number | undefined },
  said: { word?: string | undefined; option?: number },
): Promise<void> {
  const { account } = ctx
  const { s, revision } = shown
  const before = account.shown
  const wasThere = before?.s === s && before.revision === revision && before.messageId === messageId
  // A screen that was already there came before the taps since.
  const known = shown.dated ? shown : { dated: undefined, others: {}, ...(wasThere && before) }
  if (messageId !== undefined) account.shown = { ...shown, ...known, messageId }
  delete account.said
  if (said.word !== undefined || said.option !== undefined) account.said = { s, revision, ...said }
  await watchScreen(ctx, s)
}

/** Schedules a check for an outage while the participant answers. */
export async function watchScreen(ctx: UpdateContext, s: string): Promise<void> {
  const { now, work } = ctx
  const dueAt = now + SCREEN_CHECK_MS
  watchJobs.screen.post(work, s, { s, onBehalf: await onBehalf(ctx), dueAt }, { dueAt, replace: true })
}

type Shown = NonNullable<Account['shown']>

/**
 * Puts a view of the questionnaire in its message, or sends it and removes the buttons of the older one. An
 * older copy goes; in a roadmap, where several people may share the phone, so does every message that may
 * show answers. Returns the message; `undefined` when the participant has blocked the bot.
 */
export async function showOnScreen(ctx: UpdateContext, s: string, view: View, asked: Place) {
  const place = await notAbove(ctx, s, asked)
  await leaveOlder(ctx, s, place, view)
  const shown = await ctx.show(place.messageId, view, place.onDated)
  if (shown !== undefined) ctx.account.screens[s] = shown
  // The question in that message no longer counts.
  if (shown === ctx.account.asked) delete ctx.account.asked
  return shown
}

/** A screen never moves up: a lower message would be taken for the question, and answered with a number. */
async function notAbove(ctx: UpdateContext, s: string, place: Place): Promise<Place> {
  const { messageId } = place
  const newest = ctx.account.screens[s]
  if (messageId === undefined || newest === undefined || messageId >= newest) return place
  ctx.removeButtons(messageId)
  return { ...place, messageId: newest }
}

/** The message that shows the view from now on, and whether the older one goes. */
type Place = { messageId?: number | undefined; olderGoes?: boolean; onDated?: OnDated }

/** The older message of the questionnaire goes, or loses its buttons; where to find help stays readable. */
export async function leaveOlder(
  ctx: UpdateContext,
  s: string,
  { messageId, olderGoes }: Place,
  next?: View,
) {
  const older = ctx.account.screens[s]
  if (older === undefined || older === messageId) return
  const isShared = (await ctx.work.get(recordFiles, s))?.parent !== undefined
  if (!olderGoes && !isShared) return ctx.removeButtons(older)
  // The next person on a shared phone must not see that somebody was offered help.
  const isHelp = !isShared && !isSupport(ctx, next?.text) && (await hasSupport(ctx, s))
  if (isHelp) ctx.revise(older, { text: helpText(ctx.t, ctx.deps.config) })
  else ctx.takeAway(older)
}

const isSupport = ({ deps: { config } }: UpdateContext, text = ''): boolean =>
  config.supportText !== undefined && text.startsWith(escapeHtml(config.supportText))

/** Whether the support text stands above the current question: a tap puts the next one in its place. */
async function hasSupport(ctx: UpdateContext, s: string): Promise<boolean> {
  const { said } = ctx.account
  if (said?.s !== s || !isSupport(ctx, said.word)) return false
  return said.revision === (await readAttempt(ctx, s))?.revision
}

/** Continue later: the screen of the attempt says so, without its buttons. */
export async function pauseAttempt(ctx: UpdateContext, file: RecordFile, attempt: Attempt, screen?: number) {
  const { s, parent } = file
  const { answered, questions: total } = attempt
  await moveAttempt(ctx, s, attempt, { kind: 'pause' })
  const board = parent && (await visibleFile(ctx, parent.s))?.s
  const view = pausedView(ctx.t, { s, title: await titleHere(ctx, file), answered, total, board })
  await showOnScreen(ctx, s, view, { messageId: screen })
}

/** The view of an attempt: its question, that all are answered, or the requested page of the review. */
export function attemptView(
  ctx: UpdateContext,
  file: RecordFile,
  placed: readonly PlacedQuestion[],
  attempt: Attempt,
  asked: number | undefined,
  isOneOfSeveral = false,
): View {
  const { s, test } = file
  const { config, vault } = ctx.deps
  const { allowBack } = config
  const { view: position, questions: total, revision, answered } = attempt
  const answers = vault.attemptCipher.decryptAnswers(attempt)
  const question = placed[position]
  const { words } = ctx.account
  const hasWords = words?.s === s && words.revision === revision
  const pageOf = (each: number) => reviewPageOf(ctx.t, { placed, answers }, each)
  if (!question) {
    // A changed answer leads back to its page of the review: only that leads to answered questions.
    const changed = justChanged(attempt)
    const page = asked ?? (changed === undefined ? undefined : pageOf(changed))
    const review =
      page === undefined
        ? completeView(ctx.t, { s, total })
        : reviewView(ctx.t, { s, placed, answers, page, allowBack })
    return headed(ctx.t, withAsk(ctx.t, s, review, hasWords), isOneOfSeveral && headingOf(file))
  }
  const view = questionView(ctx.t, {
    ...attempt,
    s,
    placed: question,
    position,
    total,
    recommendedMinutes: test.minutes,
    allowBack,
    chosen: answers[position],
    hasWords,
    ...(answered === total && { reviewPage: pageOf(position) }),
  })
  return headed(ctx.t, view, attempt.isNamed && headingOf(file))
}

/**
 * Sends the pictures of a question before it, and deletes the previous ones. Those of a section are sent
 * once, and stay. `true` when something was sent.
 */
async function sendPictures(ctx: UpdateContext, s: string, position: number, placed?: PlacedQuestion) {
  const { account, work, t } = ctx
  const shown = account.pictures?.[s]
  const own = placed ? picturesOf(placed.question) : []
  const sections = shown?.sections ?? []
  const ofSection = sections.includes(position) ? [] : (placed?.sectionPictures ?? [])
  if (shown) ctx.deleteMessages(shown.messages)
  delete account.pictures?.[s]

  async function send(name: string, caption: string): Promise<void> {
    const kept = await work.get(pictures, name)
    const file = kept && new InputFile(Buffer.from(kept.base64, 'base64'), `${name}.png`)
    if (file) await ctx.sendPhoto(file, caption, { protect: true })
  }
  for (const name of ofSection) await send(name, '')
  const before = ctx.sent.length
  for (const { picture, option } of own) {
    const named = placed && optionsOf(placed.question)[option ?? -1]
    await send(picture, named ? briefOption(t, named) : '')
  }
  const messages = ctx.sent.slice(before)
  const sent = ofSection.length > 0 ? [...sections, position] : sections
  const known = { position, messages, ...(sent.length > 0 && { sections: sent }) }
  if (own.length + sent.length > 0) account.pictures = { ...account.pictures, [s]: known }
  return own.length + ofSection.length > 0
}
